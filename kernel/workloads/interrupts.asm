; A hundred thousand interrupts.
;
; Each leaves two records, and a branch comes between: a buffer that loses one at an
; interrupt, of the workload's or of its own, shows it here.  self_ipi.asm tells what
; one of them is.
%include "workload.inc"

WORKLOAD interrupts, "a hundred thousand interrupts, none of which may be lost", RING0 | APIC | MANY
        mov     r8, [rdi + LENT_APIC]
        mov     r9, [rdi + LENT_MEMORY]
        mov     edx, 100000
.top:   mov     rsi, r9
        mov     ecx, LENT_SIZE
        mov     dword [r8 + APIC_ICR], ICR_SELF | IRQ
.rep:   rep lodsb
        dec     edx
.back:  jnz     .top            ; taken while edx is 99999 down to 1
.done:  ret

.stub:  mov     ecx, 1
        mov     dword [r8 + APIC_EOI], 0
.iret:  iretq

STUB IRQ, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        REPEAT  99999
        TAKEN   EXC,   .rep,   .stub
        TAKEN   IRET,  .iret,  .rep
        TAKEN   JCC,   .back,  .top
        END_REPEAT
        TAKEN   EXC,   .rep,   .stub
        TAKEN   IRET,  .iret,  .rep
        TAKEN   RET,   .done,  CALLER
END
