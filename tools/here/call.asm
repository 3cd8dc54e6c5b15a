; The instant around the traced call, in a process.
;
; Between the two system calls nothing branches but the call and what it calls.  The first
; one turns recording on, or stops this process for its tracer; the second turns it off.
; What a gate asks for comes before the second one: an exception, and a trap by TF.
;
; An interrupt is noticed by ES: IRET to an outer ring puts 0 into a segment register with
; another null selector (SDM vol. 2A, "IRET"); in 64-bit mode nothing else uses it.
;
; After the return comes a slide of NOPs.  The counter whose overflow samples the last-branch
; records overflows there, where no branch pushes an older record out.
bits 64
default rel

SLIDE equ 65536                 ; longer than the interrupt of a counter is late

NULL_SELECTOR equ 3             ; CALL_NULL_SELECTOR

struc gate                      ; struct call_gate of call.h
        .open   resq 4          ; number and arguments of the first system call
        .close  resq 4          ; and of the second one
        .result resq 1          ; RAX at the return
        .es     resq 1
        .touch  resq 1
        .flags  resq 1
endstruc

section .text

; void call_traced(const uint8_t *code, const struct workload_env *, struct call_gate *)
global call_traced:function hidden, call_open:function hidden, call_call:function hidden
global call_back:function hidden, call_rest:function hidden
global call_touch:function hidden, call_touched:function hidden, call_end:function hidden
call_traced:
        push    rbx
        push    rbp
        push    r12
        push    r13
        push    r14
        push    r15
        push    rdx
        mov     rbx, rdi                ; the workload
        mov     r8, rsi                 ; its memory, and its stack
        mov     rax, [rdx + gate.open]
        mov     rdi, [rdx + gate.open + 8]
        mov     rsi, [rdx + gate.open + 16]
        mov     rdx, [rdx + gate.open + 24]
        syscall                         ; clobbers RCX and R11 alone
call_open:
        mov     eax, NULL_SELECTOR
        mov     es, eax
        mov     rdi, r8
        cld
call_call:
        call    rbx
call_back:
        times SLIDE nop
call_rest:
        pop     rdx
        mov     [rdx + gate.result], rax
        mov     [rdx + gate.es], es
        mov     rcx, [rdx + gate.touch]
call_touch:
        mov     al, [rdx + rcx]
call_touched:
        push    qword [rdx + gate.flags]
        popfq
        nop                             ; TF traps after the instruction behind POPFQ
call_end:
        mov     rax, [rdx + gate.close]
        mov     rdi, [rdx + gate.close + 8]
        mov     rsi, [rdx + gate.close + 16]
        mov     rdx, [rdx + gate.close + 24]
        syscall
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     rbp
        pop     rbx
        ret

; The code that each facility is tried with: three branches, with the CALL, and six stops.
global call_try:function hidden, call_try_jump:function hidden
global call_try_target:function hidden, call_try_jcc:function hidden
global call_try_ret:function hidden
        align   16
call_try:
        xor     eax, eax
call_try_jump:
        jmp     short call_try_target
        nop                             ; jumped over
call_try_target:
        test    eax, eax
call_try_jcc:
        jnz     call_try                ; not taken
call_try_ret:
        ret

section .note.GNU-stack noalloc noexec nowrite progbits
