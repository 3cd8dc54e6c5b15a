; An interrupt that waits for the end of another.
;
; The handler, which has IF clear, sends the next one.  That comes as soon as IRETQ has
; set IF again, before any instruction has run (SDM vol. 3A, "Masking Maskable Hardware
; Interrupts"): FROM of its entry is TO of the IRETQ, and between the two nothing ran.
%include "workload.inc"

WORKLOAD irq_after_irq, "an interrupt right behind the IRETQ of another", RING0 | APIC
        APIC_BEGIN
        mov     rsi, [rdi + LENT_MEMORY]
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
