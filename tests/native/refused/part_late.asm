; refused: PART needs WORKLOAD before it
%include "workload.inc"

WORKLOAD bad, "must not be assembled", RING0
.user:  nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
PART .user, .done, RING3
END
