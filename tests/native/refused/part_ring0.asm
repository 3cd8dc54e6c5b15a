; refused: PART: a workload that leaves ring 0 says RING0 after what it shows
%include "workload.inc"

WORKLOAD bad, "must not be assembled"
.user:  nop
.done:  ret

PART .user, .done, RING3
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
