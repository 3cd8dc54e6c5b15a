; What of taking and giving back the processor C cannot say.
bits 64
default rel

section .text

; void machine_on_stack(uint64_t top, void (*function)(void *), void *argument)
global machine_on_stack
machine_on_stack:
        push    rbp
        mov     rbp, rsp                ; the caller's stack
        mov     rsp, rdi
        and     rsp, -16
        mov     rdi, rdx
        call    rsi
        mov     rsp, rbp
        pop     rbp
        ret

; void machine_load_segments(uint64_t code, uint64_t data)
global machine_load_segments
machine_load_segments:
        lea     rax, [.loaded]
        push    rdi
        push    rax
        o64 retf                        ; CS
.loaded:
        mov     ss, esi
        mov     ds, esi
        mov     es, esi
        ret

section .note.GNU-stack noalloc noexec nowrite progbits
