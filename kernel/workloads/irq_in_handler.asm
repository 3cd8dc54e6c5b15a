; An interrupt in a handler that has set IF.
;
; The gate of INT 48 clears IF, so the interrupt waits, and after STI for one more instruction
; (SDM vol. 2B, "STI").  Delivery has cleared TF, so stepping sees neither handler.
%include "workload.inc"

WORKLOAD irq_in_handler, "an interrupt in the handler of INT 48, after its STI", RING0 | APIC
.int:   int     48
.next:  nop
.done:  ret

.outer: APIC_BEGIN
        mov     rsi, [rdi + ENV_MEMORY]
        APIC_WRITE_LAST APIC_ICR, ICR_SELF | IRQ
        sti
        nop
.rep:   rep lodsb
.iret:  iretq

.inner: APIC_WRITE APIC_EOI, 0
        mov     ecx, 1
.iret_2: iretq

STUB 48, .outer
STUB IRQ, .inner
EXPECT
        TAKEN   ICALL, CALLER,  .start
        TAKEN   INT,   .int,    .outer
        TAKEN   EXC,   .rep,    .inner
        TAKEN   IRET,  .iret_2, .rep
        TAKEN   IRET,  .iret,   .next
        TAKEN   RET,   .done,   CALLER
END
