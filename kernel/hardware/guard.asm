; RDMSR and WRMSR that may fault, with the place where to go on after #GP.
bits 64
default rel

section .text

; bool msr_read(uint32_t msr, uint64_t *value)
global msr_read
msr_read:
        mov     ecx, edi
.insn:  rdmsr
        shl     rdx, 32
        mov     eax, eax
        or      rax, rdx
        mov     [rsi], rax
        mov     eax, 1
        ret

; bool msr_write(uint32_t msr, uint64_t value)
global msr_write
msr_write:
        mov     ecx, edi
        mov     eax, esi
        mov     rdx, rsi
        shr     rdx, 32
.insn:  wrmsr
        mov     eax, 1
        ret

faulted:                        ; the whole function returns false
        xor     eax, eax
        ret

; uint64_t msr_resume(uint64_t rip)
global msr_resume
msr_resume:
        lea     rax, [faulted]
        lea     rcx, [msr_read.insn]
        cmp     rdi, rcx
        je      .known
        lea     rcx, [msr_write.insn]
        cmp     rdi, rcx
        je      .known
        xor     eax, eax
.known: ret

section .note.GNU-stack noalloc noexec nowrite progbits
