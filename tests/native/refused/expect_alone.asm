; refused: EXPECT stands where there is no WORKLOAD before it
%include "workload.inc"

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
