; Two NMIs: the handler of the first sends the second.
;
; An NMI ignores IF, but another NMI waits for the IRETQ (SDM vol. 3A, "Handling Multiple
; NMIs").  That leads to the repeated instruction and no further, so the second NMI strikes
; where the first one did.  An NMI needs a destination: the processor's own APIC ID.
%include "workload.inc"

WORKLOAD nmi, "NMI, and a second one that waits for the IRETQ of the first", RING0 | APIC
        APIC_BEGIN
        mov     rsi, [rdi + ENV_MEMORY]
%ifdef X2APIC
        mov     ecx, X2APIC_MSR(APIC_ID)
        rdmsr
        mov     r11d, eax               ; the whole upper half of ICR says to whom
        mov     edx, eax
        mov     eax, ICR_NMI
        mov     r9d, X2APIC_MSR(APIC_ICR)
        mov     rcx, X2APIC_ROUNDS + X2APIC_MSR(APIC_ICR)
        mov     r8d, eax                ; what the handler writes to R9: there first...
        mov     r10, rcx                ; ...and what it leaves of the repetition
        wrmsr
%else
        mov     eax, [r8 + APIC_ID]
        mov     [r8 + APIC_ICR_HIGH], eax
        lea     r9, [r8 + APIC_ICR]     ; where the handler writes to: there first...
        mov     ecx, ENV_SIZE
        mov     r10d, ecx               ; ...and what it leaves of the repetition
        mov     dword [r8 + APIC_ICR], ICR_NMI
%endif
.rep:   rep lodsb
.done:  ret

%ifdef X2APIC
.stub:  mov     ecx, r9d
        mov     eax, r8d
        mov     edx, r11d
        wrmsr
        mov     r9d, X2APIC_MSR(APIC_EOI)       ; the second time 0 to where it does nothing
        xor     r8d, r8d
        xor     r11d, r11d
%else
.stub:  mov     dword [r9], ICR_NMI
        lea     r9, [rsp - 8]           ; the second time to where nothing is
%endif
        mov     rcx, r10
        mov     r10d, 1
.iret:  iretq

STUB 2, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   EXC,   .rep,   .stub
        TAKEN   IRET,  .iret,  .rep
        TAKEN   EXC,   .rep,   .stub
        TAKEN   IRET,  .iret,  .rep
        TAKEN   RET,   .done,  CALLER
END
