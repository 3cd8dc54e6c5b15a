; The traced program: static, without system calls except the last.
;
; How often it branches is not written here: ./test steps through it on this
; machine, and objdump shows which instructions are branches.
        bits    64
        global  _start
        section .text
_start:
        mov     ebx, 20
.outer: mov     ecx, ebx
.inner: test    ecx, 1
        jz      .even
        call    odd
        jmp     .next
.even:  lea     rax, [rel even]
        call    rax
.next:  dec     ecx
        jnz     .inner
        dec     ebx
        jnz     .outer
        mov     ecx, 7
        lea     rsi, [rel _start]
        sub     rsp, 64
        mov     rdi, rsp
        rep     movsb                   ; steps, but does not branch
        mov     ecx, 5
.loop:  nop
        loop    .loop
        jrcxz   .zero
        ud2
.zero:  push    .last
        ret
.last:  jmp     $ + 2                   ; to the next instruction
        mov     eax, 60
        xor     edi, edi
        syscall

odd:    add     edx, ecx
        jc      .carry
        ret
.carry: ret
even:   xor     edx, ecx
        jmp     .a
        nop
.a:     ret     0
