; Processor Trace and system management mode: it ends there, and goes on afterwards.
; SDM vol. 3C, "System-Management Mode (SMM)".
;
; The handler is put where ./smm.asm puts it.
; firmware
; classes pt
%include "guest.inc"
%include "pt.inc"

SMRAM   equ 0xa0000

main:
        APIC_ON
        mov     al, 0x4a                ; the 440FX's SMRAM register: open
        call    smram
        mov     esi, handler
        mov     edi, SMRAM + 0x8000
        mov     ecx, handler_end - handler
        rep     movsb
        mov     al, 0x0a                ; closed, as before
        call    smram

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

smram:  push    rax
        mov     dx, 0xcf8
        mov     eax, 0x80000070
        out     dx, eax
        mov     dx, 0xcfe
        pop     rax
        out     dx, al
        ret

        ; Its segments start at 0, except CS.
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
