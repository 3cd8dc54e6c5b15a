; Calls as firmware may call: on any stack, with any flags.
bits 64
default rel

struc call_
.function       resq 1
.arguments      resq 2
.stack          resq 1          ; where it is to end; 0: the caller's
.rflags         resq 1          ; before
.after          resq 1          ; the same, afterwards
.xmm            resq 20         ; xmm6 to xmm15, before
.xmm_after      resq 20
endstruc

section .data
global enter_stops, enter_nmis
enter_stops:    dq 0
enter_nmis:     dq 0

section .text

; uint64_t enter(struct call *call)
global enter
enter:  push    rbp
        push    rbx
        push    r12
        push    r13
        push    r14
        push    r15
        mov     rbx, rdi
        mov     rbp, rsp
        pushfq
        pop     r12                     ; its own flags
%assign n 0
%rep 10
%assign m n + 6
        movups  xmm %+ m, [rbx + call_.xmm + n * 16]
%assign n n + 1
%endrep
        mov     rcx, [rbx + call_.arguments]
        mov     rdx, [rbx + call_.arguments + 8]
        mov     rax, [rbx + call_.stack]
        test    rax, rax
        jz      .same
        mov     rsp, rax
.same:  sub     rsp, 32
        push    qword [rbx + call_.rflags]
        popfq
        call    [rbx + call_.function]
        pushfq
        pop     qword [rbx + call_.after]
        push    r12
        popfq
%assign n 0
%rep 10
%assign m n + 6
        movups  [rbx + call_.xmm_after + n * 16], xmm %+ m
%assign n n + 1
%endrep
        mov     rsp, rbp
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     rbx
        pop     rbp
        ret

; void enter_block_nmis(volatile UINT32 *icr, UINT32 command): sends an NMI to itself, and
; comes back out of its handler without the IRET that would unblock NMIs
global enter_block_nmis
enter_block_nmis:
        pushfq
        cli
        mov     [rdi], esi
.wait:  pause
        jmp     .wait
.taken: popfq
        ret

; void enter_set_uppers(const UINT64 *): the upper halves of ymm6 to ymm15
global enter_set_uppers
enter_set_uppers:
%assign n 6
%rep 10
        vinsertf128 ymm %+ n, ymm %+ n, [rdi + (n - 6) * 16], 1
%assign n n + 1
%endrep
        ret

; void enter_get_uppers(UINT64 *)
global enter_get_uppers
enter_get_uppers:
%assign n 6
%rep 10
        vextractf128 [rdi + (n - 6) * 16], ymm %+ n, 1
%assign n n + 1
%endrep
        ret

; For gates of an IDT.  A breakpoint at an instruction is passed with RF.
global enter_db
enter_db:
        inc     qword [enter_stops]
        or      dword [rsp + 16], 1 << 16
        iretq

global enter_nmi
enter_nmi:
        push    rax
        lea     rax, [enter_block_nmis]
        cmp     [rsp + 8], rax
        jb      .other
        lea     rax, [enter_block_nmis.taken]
        cmp     [rsp + 8], rax
        jae     .other
        pop     rax
        mov     rsp, [rsp + 24]
        jmp     enter_block_nmis.taken
.other: pop     rax
        lock inc qword [enter_nmis]
        iretq

; void enter_watched(void): nothing, for a breakpoint
global enter_watched
enter_watched:
        ret

section .note.GNU-stack noalloc noexec nowrite progbits
