; A hundred thousand interrupts.
;
; Each leaves two records, and a branch comes between.  A buffer that loses a record at an
; interrupt, the workload's or its own, fails here.  self_ipi.asm explains one such interrupt.
%include "workload.inc"

WORKLOAD interrupts, "a hundred thousand interrupts, none of which may be lost", RING0 | APIC | MANY
        APIC_BEGIN
        mov     r9, [rdi + ENV_MEMORY]
        mov     r10d, 100000
.top:   mov     rsi, r9
        APIC_WRITE_LAST APIC_ICR, ICR_SELF | IRQ
.rep:   rep lodsb
        dec     r10d
.back:  jnz     short .top      ; taken while r10d is 99999 down to 1
.done:  ret

.stub:  APIC_WRITE APIC_EOI, 0
        mov     ecx, 1
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
