; refused: EXPECT needs WORKLOAD before it
%include "workload.inc"

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
