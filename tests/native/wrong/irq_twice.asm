; Without an end of interrupt the next one does not come.
%include "workload.inc"

WORKLOAD irq_twice, "wrong on purpose", RING0 | APIC
        mov     r8, [rdi + ENV_APIC]
        mov     dword [r8 + APIC_ICR], ICR_SELF | IRQ
.first: nop
        mov     dword [r8 + APIC_ICR], ICR_SELF | IRQ
.then:  nop
.done:  ret

.stub:  nop
.iret:  iretq

STUB IRQ, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   EXC,   .first, .stub
        TAKEN   IRET,  .iret,  .first
        TAKEN   EXC,   .then,  .stub
        TAKEN   IRET,  .iret,  .then
        TAKEN   RET,   .done,  CALLER
END
