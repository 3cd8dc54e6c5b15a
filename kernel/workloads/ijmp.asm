; JMP through a register and through memory.
;
; The code does not contain the target.  The registers are with and without REX, the memory
; operands with and without a displacement; FROM is the first byte, prefixes included.
%include "workload.inc"

WORKLOAD ijmp, "indirect jumps through registers and memory"
        lea     rax, [.rax_to]
.rax:   jmp     rax
        nop
.rax_to: lea    r11, [.r11_to]
.r11:   jmp     r11             ; 41 FF E3
        nop
.r11_to: lea    rdx, [.mem_to]
        push    rdx
.mem:   jmp     [rsp]
        nop
.mem_to: lea    rdx, [.disp_to]
        push    rdx
        lea     rbx, [rsp - 64]
.disp:  jmp     [rbx + 64]
        nop
.disp_to: lea   r12, [rsp - 8]
        lea     rdx, [.sib_to]
        mov     [rsp], rdx
        mov     r13d, 1
.sib:   jmp     [r12 + r13*8]
        nop
.sib_to: pop    rdx
        pop     rdx
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   IJMP,  .rax,   .rax_to
        TAKEN   IJMP,  .r11,   .r11_to
        TAKEN   IJMP,  .mem,   .mem_to
        TAKEN   IJMP,  .disp,  .disp_to
        TAKEN   IJMP,  .sib,   .sib_to
        TAKEN   RET,   .done,  CALLER
END
