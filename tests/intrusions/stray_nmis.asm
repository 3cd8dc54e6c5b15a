; Stray NMIs by the hundred, amid branches: each round sends one and then branches on.
;
; REP LODSB gives each an instruction to strike in, as in stray_nmi.asm: at a branch it could
; come together with the interrupt of a method, and both would be one.
%include "workload.inc"

ROUNDS equ 200                  ; as in the test

WORKLOAD stray_nmis, "200 NMIs that nobody waits for", RING0 | APIC | HITS
        APIC_BEGIN
        mov     r10, [rdi + ENV_MEMORY]
        mov     eax, [r8 + APIC_ID]
        mov     [r8 + APIC_ICR_HIGH], eax
        mov     edx, ROUNDS
.round: mov     rsi, r10
        mov     ecx, 64
        mov     dword [r8 + APIC_ICR], ICR_NMI
        rep lodsb
        mov     ecx, 3
.top:   dec     ecx
.back:  jnz     .top            ; taken while ecx is 2, 1
        dec     edx
.next:  jnz     .round
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        REPEAT  ROUNDS - 1
        TAKEN   JCC,   .back,  .top, 2
        TAKEN   JCC,   .next,  .round
        END_REPEAT
        TAKEN   JCC,   .back,  .top, 2
        TAKEN   RET,   .done,  CALLER
END
