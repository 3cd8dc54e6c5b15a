; An event and the branch before it, which no workload has: what ler.c puts into the last
; exception record, and the probe finds there.
bits 64
default rel

VECTOR_LER_MARK equ 0x31                ; as registers.h has it

section .text
global ler_code, ler_jump, ler_int, ler_stub
        align   16
ler_code:
        nop
ler_jump:
        jmp     short ler_int
        nop                             ; jumped over
ler_int:
        int     VECTOR_LER_MARK
        ret
ler_stub:
        iretq

section .note.GNU-stack noalloc noexec nowrite progbits
