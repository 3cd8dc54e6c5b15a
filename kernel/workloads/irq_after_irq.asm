; An interrupt that waits for the end of another.
;
; The handler, in which IF is clear, sends the next interrupt.  That comes as soon as IRETQ
; sets IF again, before any instruction runs (SDM vol. 3A, "Masking Maskable Hardware
; Interrupts"): FROM of its entry is TO of the IRETQ.
%include "workload.inc"

WORKLOAD irq_after_irq, "an interrupt right after the IRETQ of another", RING0 | APIC
        APIC_BEGIN
        mov     rsi, [rdi + ENV_MEMORY]
        APIC_WRITE_LAST APIC_ICR, ICR_SELF | IRQ
.rep:   rep lodsb
.done:  ret

.first: mov     r10, rcx
        APIC_WRITE APIC_ICR, ICR_SELF | IRQ_2
        APIC_WRITE APIC_EOI, 0
        mov     rcx, r10
.iret:  iretq

.second: APIC_WRITE APIC_EOI, 0
        mov     ecx, 1
.iret_2: iretq

STUB IRQ, .first
STUB IRQ_2, .second
EXPECT
        TAKEN   ICALL, CALLER,  .start
        TAKEN   EXC,   .rep,    .first
        TAKEN   IRET,  .iret,   .rep
        TAKEN   EXC,   .rep,    .second
        TAKEN   IRET,  .iret_2, .rep
        TAKEN   RET,   .done,   CALLER
END
