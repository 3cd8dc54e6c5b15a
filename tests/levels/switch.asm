; How many levels the page tables have can be changed with paging off alone, and so not
; in 64-bit mode: there and back by way of 32-bit code.  SDM vol. 3A, "Enabling Paging".
default rel

CR0_PG          equ 1 << 31
CR4_LA57        equ 1 << 12

CODE_64         equ 0x08
CODE_32         equ 0x10
DATA            equ 0x18

section .data
gdt:    dq      0, 0x00af9a000000ffff, 0x00cf9a000000ffff, 0x00cf92000000ffff
gdt_end:
own:    dw      gdt_end - gdt - 1
        dq      0
before: dw      0
        dq      0

section .text
bits 64

; void levels_switch(UINT32 top): with interrupts off, code and stack below 4 GiB
global levels_switch
levels_switch:
        push    rbx
        push    rbp
        mov     ebp, cs                 ; the firmware's selectors
        mov     esi, ss
        sgdt    [before]
        lea     rax, [gdt]
        mov     [own + 2], rax
        lgdt    [own]
        lea     rbx, [.long]            ; where 64-bit code goes on
        lea     rax, [.short]
        push    CODE_32
        push    rax
        o64 retf

bits 32
.short: mov     eax, DATA
        mov     ss, eax
        mov     eax, cr0
        and     eax, ~CR0_PG
        mov     cr0, eax
        mov     eax, cr4
        or      eax, CR4_LA57
        mov     cr4, eax
        mov     cr3, edi
        mov     eax, cr0
        or      eax, CR0_PG
        mov     cr0, eax
        push    CODE_64
        push    ebx
        retf

bits 64
.long:  lgdt    [before]
        lea     rax, [.done]
        push    rbp
        push    rax
        o64 retf
.done:  mov     ss, esi
        pop     rbp
        pop     rbx
        ret

section .note.GNU-stack noalloc noexec nowrite progbits
