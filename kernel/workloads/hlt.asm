; HLT, ended by an interrupt.
;
; The interrupt waits for IF, and STI delays it by one more instruction, so HLT has begun
; however early the interrupt came.  HLT is then complete: FROM is the address after it, which
; is pushed, and waking leaves no record of its own (derived: no manual names HLT among
; branches; docs/questions.md, question 6).  A method that stops at each instruction also
; stops after STI, where the delay is over.  So the interrupt strikes before HLT, and only the
; stop after HLT ends it (derived; docs/questions.md, question 10): "a debug exception" is
; among what ends HLT in SDM vol. 2A, "HLT", but not in AMD64 APM vol. 3.  Stock QEMU (Debian's
; 7.2) loses the stop after HLT, and Bochs stays halted until an interrupt comes; in both cases
; kvm-unit-tests, x86/debug.c, has the stop right after HLT.
%include "workload.inc"

WORKLOAD hlt, "HLT ended by an interrupt: FROM is the address after it", RING0 | APIC | NOT_STOCK
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
