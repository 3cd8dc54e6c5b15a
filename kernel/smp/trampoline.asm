; Where another processor begins after INIT and SIPI: real mode, at the start of a page
; below 1 MiB to which this is copied.  It goes to 64-bit mode in one step, with the page
; tables that it will keep, and on to C.
;
; SDM vol. 3A, "Multiple-Processor (MP) Initialization" and "Initializing IA-32e Mode".
;
; The page is not writable and executable at once: sipi.c fills in the words at the end
; through tables of its own, where the page is data.

MSR_EFER equ 0xc0000080

section .rodata

global trampoline_begin, trampoline_words, trampoline_long, trampoline_end
trampoline_begin:
bits 16
        cli
        cld
        mov     ax, cs
        mov     ds, ax
        o32 lgdt [words.gdt - trampoline_begin]
        mov     eax, [words.cr4 - trampoline_begin]
        mov     cr4, eax
        mov     eax, [words.cr3 - trampoline_begin]
        mov     cr3, eax
        mov     ecx, MSR_EFER
        mov     eax, [words.efer - trampoline_begin]
        xor     edx, edx
        wrmsr
        mov     eax, [words.cr0 - trampoline_begin]
        mov     cr0, eax                ; protection and paging: this is IA-32e mode
        jmp     far dword [words.far - trampoline_begin]

bits 64
trampoline_long:
        mov     eax, [rel words.data]
        mov     ds, eax
        mov     es, eax
        mov     ss, eax
        mov     rsp, [rel words.stack]
        mov     rdi, [rel words.argument]
        call    [rel words.entry]       ; which does not return

        align   8
trampoline_words:                       ; struct words of sipi.c
words:
.gdt:   dw      0                       ; limit and base, which is 32 bits here
        dd      0
        dw      0
.far:   dd      0                       ; where, and the selector of 64-bit code
        dw      0
        dw      0
.cr0:   dd      0
.cr3:   dd      0
.cr4:   dd      0
.efer:  dd      0
.data:  dd      0
        dd      0
.stack: dq      0
.argument: dq   0
.entry: dq      0
.table: dq      0, 0, 0                 ; the GDT: null, code, data
trampoline_end:

section .note.GNU-stack noalloc noexec nowrite progbits
