; Not the 27 instructions that wt has.
%include "workload.inc"

WORKLOAD wt, "wrong on purpose"
        nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
