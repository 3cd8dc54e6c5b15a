; An event and the branch before it, which no workload has: what ler.c puts into the last
; exception record, and the probe finds there.
bits 64
default rel

VECTOR_LER_MARK equ 0x31                ; as registers.h has it

section .text
%macro PLACE 1
global ler_code_%1, ler_jump_%1, ler_int_%1
        align   16
ler_code_%1:
        nop
ler_jump_%1:
        jmp     short ler_int_%1
        nop                             ; jumped over
ler_int_%1:
        int     VECTOR_LER_MARK
        ret
%endmacro

        PLACE   0
        PLACE   1

global ler_stub
ler_stub:
        iretq

section .note.GNU-stack noalloc noexec nowrite progbits
