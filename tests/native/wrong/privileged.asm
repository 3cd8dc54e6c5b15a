; A ring-3 process gets no further than WBINVD, and that is no agreement.
%include "workload.inc"

WORKLOAD privileged, "wrong on purpose"
        wbinvd
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
