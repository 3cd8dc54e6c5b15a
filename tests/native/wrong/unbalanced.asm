; It takes something from the stack that is not its own.
%include "workload.inc"

WORKLOAD unbalanced, "wrong on purpose"
        pop     rdx
        pop     rax
        push    rdx
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
