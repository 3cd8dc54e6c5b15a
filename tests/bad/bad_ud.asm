; Faults with no stub to take it: the run ends as crashed, the next one goes on.
%include "workload.inc"

WORKLOAD bad_ud, "UD2 that nobody handles"
.ud:    ud2
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
