; An interrupt strikes before the instruction that is next, not at the one that sent it.
%include "workload.inc"

WORKLOAD irq_early, "wrong on purpose", RING0 | APIC
        mov     r8, [rdi + ENV_APIC]
.send:  mov     dword [r8 + APIC_ICR], ICR_SELF | IRQ
.next:  nop
.done:  ret

.stub:  mov     dword [r8 + APIC_EOI], 0
.iret:  iretq

STUB IRQ, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   EXC,   .send,  .stub
        TAKEN   IRET,  .iret,  .next
        TAKEN   RET,   .done,  CALLER
END
