; Jumps where nothing is mapped.
%include "workload.inc"

WORKLOAD bad_wild, "jump to address 16"
        mov     eax, 16
.jump:  jmp     rax
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   IJMP,  .jump,  .done
        TAKEN   RET,   .done,  CALLER
END
