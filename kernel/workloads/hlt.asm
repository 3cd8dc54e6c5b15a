; HLT, which an interrupt ends.
;
; The interrupt waits for IF, and STI holds it back for one instruction more, so that HLT
; has begun however early it came.  What it ends has been run: FROM is the address behind
; HLT, which is pushed, and there is no record of the waking itself (derived: no manual
; names HLT among branches; docs/hardware.md has the question).  Who stops at each
; instruction stops behind STI, where it no longer holds anything back: then the interrupt
; strikes before HLT, which is ended by that stop alone (derived; docs/hardware.md,
; question 10).  Stock QEMU (Debian's 7.2) loses the stop behind HLT, so this is for other
; machines.
%include "workload.inc"

WORKLOAD hlt, "HLT ended by an interrupt: FROM is the address behind it", RING0 | APIC | NOT_STOCK
        APIC_BEGIN
        cli
        APIC_WRITE APIC_ICR, ICR_SELF | IRQ
        sti
        hlt
.next:  nop
.done:  ret

.stub:  APIC_WRITE APIC_EOI, 0
.iret:  iretq

STUB IRQ, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   EXC,   .next,  .stub
        TAKEN   IRET,  .iret,  .next
        TAKEN   RET,   .done,  CALLER
END
