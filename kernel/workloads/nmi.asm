; Two NMIs: the handler of the first sends the second.
;
; NMI asks for no flag, but another NMI waits for the IRETQ (SDM vol. 3A, "Handling
; Multiple NMIs"), which then leads to the repeated instruction and no further: the
; second one strikes where the first one did.  An NMI needs a destination: the own ID.
%include "workload.inc"

WORKLOAD nmi, "NMI, and a second one that waits for the IRETQ of the first", RING0 | APIC
        mov     r8, [rdi + LENT_APIC]
        mov     rsi, [rdi + LENT_MEMORY]
        mov     eax, [r8 + APIC_ID]
        mov     [r8 + APIC_ICR_HIGH], eax
        lea     r9, [r8 + APIC_ICR]     ; where the handler writes to: there first...
        mov     ecx, LENT_SIZE
        mov     r10d, ecx               ; ...and what it leaves of the repetition
        mov     dword [r8 + APIC_ICR], ICR_NMI
.rep:   rep lodsb
.done:  ret

.stub:  mov     dword [r9], ICR_NMI
        lea     r9, [rsp - 8]           ; the second time to where nothing is
        mov     ecx, r10d
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
