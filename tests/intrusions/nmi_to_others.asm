; Sends an NMI to every other processor, where it is a stray one; none comes here.
%include "workload.inc"

ICR_NMI_TO_OTHERS equ 0xc4400   ; SDM vol. 3A, "Interrupt Command Register (ICR)"

WORKLOAD nmi_to_others, "an NMI to all other processors", RING0 | APIC | HITS
        APIC_BEGIN
        mov     dword [r8 + APIC_ICR], ICR_NMI_TO_OTHERS
        nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
