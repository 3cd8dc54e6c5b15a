; Processor Trace and system management mode: it ends there, and goes on afterwards.
; SDM vol. 3C, "System-Management Mode (SMM)".
; firmware
; classes pt
%include "guest.inc"
%include "pt.inc"
%include "smram.inc"

main:
        APIC_ON
        SMI_HANDLER

        ; QEMU takes the SMI where a block of code ends, as after access to a device.
        PT_BEGIN OS, on
        mov     dword [r15 + APIC_ICR], 0x40200
NAME interrupted,       nop
        RDMSR   RTIT_CTL
        mov     ebp, eax
        PT_END  off, "pt smm"
;=pt,!broadwell pt smm|psb pip:200000 cbr psbend mode:1 pge:on fup:interrupted pgd cbr pge:interrupted fup:off pgd
;=broadwell pt smm|psb pip:200000 cbr psbend mode:1 pge:on fup:interrupted pgd psb pip:200000 cbr psbend mode:1 pge:interrupted fup:off pgd
        CHECK   "pt ctl in smm, after", SAY_DWORD [inside]
        SAY_HEX rbp
;=pt pt ctl in smm, after|2104 2105
        jmp     quit

        SMI_SUBROUTINES

        bits    16
handler:
        xor     bx, bx
        mov     ds, bx
        jmp     short .branch
        nop
.branch:
        mov     ecx, RTIT_CTL
        rdmsr
        mov     [dword inside], eax
        rsm
handler_end:
        bits    64

inside: dq      0
