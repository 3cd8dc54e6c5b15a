; A system-management interrupt in every run.  Its handler, at 38000H, is the test's.
%include "workload.inc"

ICR_SMI equ 0x4200              ; SDM vol. 3A, "Interrupt Command Register (ICR)"

WORKLOAD smi, "an SMI", RING0 | APIC | HITS
        APIC_BEGIN
        mov     rsi, [rdi + ENV_MEMORY]
        mov     eax, [r8 + APIC_ID]
        mov     [r8 + APIC_ICR_HIGH], eax
        mov     ecx, 64
        mov     dword [r8 + APIC_ICR], ICR_SMI
.rep:   rep lodsb
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
