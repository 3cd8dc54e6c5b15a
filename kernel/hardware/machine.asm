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

; void machine_load_code(uint64_t selector)
global machine_load_code
machine_load_code:
        lea     rax, [.loaded]
        push    rdi
        push    rax
        o64 retf                        ; CS
.loaded:
        ret

section .note.GNU-stack noalloc noexec nowrite progbits
