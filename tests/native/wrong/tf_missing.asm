; POPF clears TF for a jump, and no row says so.
%include "workload.inc"

WORKLOAD tf_missing, "wrong on purpose"
        pushfq
        pop     r8
        mov     r9, r8
        and     r9d, ~0x100
        push    r9
        popfq
.jmp:   jmp     .over
.over:  push    r8
        popfq
        nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JMP,   .jmp,   .over
        TAKEN   RET,   .done,  CALLER
END
