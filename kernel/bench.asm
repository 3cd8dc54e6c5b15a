; A loop to be stepped, and the handler that does nothing.
bits 64

TURNS equ 10000

section .text
global bench_loop, bench_empty
bench_loop:
        mov     ecx, TURNS
.top:   dec     ecx
        jnz     .top
        ret

bench_empty:
        iretq

section .note.GNU-stack noalloc noexec nowrite progbits
