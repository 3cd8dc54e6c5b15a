; A page fault in a branch: an indirect jump whose pointer is at first not mapped.
;
; The same FROM appears twice, once for the exception and once for the jump.  This is also
; the second case in which IRETQ returns to a branch (see iret_branch); here a method that
; steps did stop at the jump, before it faulted.
%include "workload.inc"

WORKLOAD pf_branch, "#PF of an indirect jump, tried again", RING0
        lea     rax, [.target]
        push    rax
        mov     rsi, rsp
        mov     edi, 16         ; in the first page, which nobody maps
.jump:  jmp     [rdi]
        nop
.target: pop    rax
.done:  ret

.stub:  mov     rdi, rsi        ; where the pointer is
        pop     rax             ; the error code
.iret:  iretq

STUB 14, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   EXC,   .jump,  .stub
        TAKEN   IRET,  .iret,  .jump
        TAKEN   IJMP,  .jump,  .target
        TAKEN   RET,   .done,  CALLER
END
