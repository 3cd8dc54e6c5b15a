; What a hypervisor needs of SVM besides LBR: writes of CR8 while a virtual interrupt
; waits, and nested paging for a guest that has paging off.
; APM vol. 2, "Virtualizing APIC.TPR" and "Nested Table Walk".
; classes phenom zen3 zen4
; variants plain= plain-icount=-icount+shift=0
%include "guest.inc"
%include "svm.inc"

TAKEN           equ SPARE + 0x1000      ; virtual interrupts that the guest has taken
NESTED          equ SPARE + 0x20000     ; nested page tables, 4 pages
ELSEWHERE       equ 0x40000000          ; where the guest sees the memory at 200000H

main:
        SET_VECTOR 0x40, software
        SVM_ON

        VMCB_SETUP lower_priority
        mov     byte [VMCB_V_TPR], 5
        mov     byte [VMCB_V_TPR + 1], 1                ; V_IRQ
        mov     byte [VMCB_V_INTR], 2                   ; its priority
        mov     byte [VMCB_V_MASKING], 1
        mov     byte [VMCB_V_VECTOR], 0x40
        RUN
        CHECK   "cr8: exit, interrupts before it is lowered, after"
        SAY_HEX [VMCB_EXITCODE], r12, [TAKEN]
;= cr8: exit, interrupts before it is lowered, after|81 0 1

        ; Guest-physical 40000000H is 200000H, the rest is as it is.
        mov     dword [NESTED], NESTED + 0x1000 + 7
        mov     dword [NESTED + 0x1000], NESTED + 0x2000 + 7
        mov     dword [NESTED + 0x1008], NESTED + 0x3000 + 7
        mov     dword [NESTED + 0x2000], 0xe7
        mov     dword [NESTED + 0x3000], 0x200000 + 0xe7
        mov     dword [SPARE + 0x1010], 0x600d
        VMCB_SETUP unpaged
        mov     qword [VMCB_NP], 1
        mov     qword [VMCB_N_CR3], NESTED
        mov     qword [VMCB_CR0], 0x11                  ; PE, ET
        mov     qword [VMCB_EFER], SVME
        mov     word [VMCB_CS + 2], 0xc9b               ; 32 bits
        RUN
        CHECK   "nested paging without paging: exit, read", SAY_HEX [VMCB_EXITCODE], [VMCB_RAX]
;= nested paging without paging: exit, read|81 600d
        ret

lower_priority:
        sti
        nop
        mov     r12, [TAKEN]
        xor     eax, eax
        mov     cr8, rax
        nop
        vmmcall

software:
        inc     qword [TAKEN]
        iretq

        bits    32
unpaged:
        mov     eax, [ELSEWHERE + SPARE + 0x1010 - 0x200000]
        vmmcall
        bits    64

        SVM_SUBROUTINES
