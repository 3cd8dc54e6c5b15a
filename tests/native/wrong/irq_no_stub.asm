; An interrupt that nobody takes.
%include "workload.inc"

WORKLOAD irq_no_stub, "wrong on purpose", RING0 | APIC
        mov     r8, [rdi + ENV_APIC]
        mov     dword [r8 + APIC_ICR], ICR_SELF | IRQ
.next:  nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
