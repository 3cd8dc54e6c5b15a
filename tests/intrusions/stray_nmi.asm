; A stray NMI in every run.  It has no stub here, so its records in a trace are not among the
; expected ones.
;
; REP LODSB gives it an instruction to strike in, as in kernel/workloads/nmi.asm.
%include "workload.inc"

WORKLOAD stray_nmi, "an NMI that nobody waits for", RING0 | APIC | HITS
        APIC_BEGIN
        mov     rsi, [rdi + ENV_MEMORY]
        mov     eax, [r8 + APIC_ID]
        mov     [r8 + APIC_ICR_HIGH], eax
        mov     ecx, 64
        mov     dword [r8 + APIC_ICR], ICR_NMI
.rep:   rep lodsb
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
