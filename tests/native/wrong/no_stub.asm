; An exception, and no stub for it.
%include "workload.inc"

WORKLOAD no_stub, "wrong on purpose"
        nop
.ud:    ud2
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
