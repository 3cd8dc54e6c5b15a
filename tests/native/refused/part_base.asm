; refused: PART: want CS_BASE or no base, and COMPAT with it
%include "workload.inc"

WORKLOAD bad, "must not be assembled", RING0 | LOW
.user:  nop
.done:  ret

PART .user, .done, RING3, CS_BASE
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
