; refused: PART: want RING3, or RING3 | COMPAT
%include "workload.inc"

WORKLOAD bad, "must not be assembled", RING0 | LOW
.user:  nop
.done:  ret

PART .user, .done, COMPAT
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
