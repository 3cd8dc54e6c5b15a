; Branch-step: where it stops, and what #DB does to DEBUGCTL.
; classes lbr
; variants plain= icount=-icount+shift=0
%include "guest.inc"

; The #DB handler's list: count, then RIP, DEBUGCTL and FROM of each stop.
LIST    equ SPARE + 0x1000
REARM   equ SPARE + 0x800               ; value that #DB writes to DEBUGCTL

; A check with an empty list.
%macro STOPS 3                          ; name, DEBUGCTL, what #DB writes to it
        CHECK   %1
        mov     qword [LIST], 0
        mov     qword [REARM], %3
        WRMSR   DEBUGCTL, %2
%endmacro
%macro STEP_BRANCHES 1                  ; name
        STOPS   %1, BTF, BTF
        TF_ON
%endmacro
%macro SET_UP_TF 3                      ; name, DEBUGCTL, IA32_FMASK
        STOPS   %1, %2, %2
        WRMSR   0xc0000084, %3
%endmacro
%macro SYSCALL_TF 3                     ; name, DEBUGCTL, IA32_FMASK
        SET_UP_TF %1, %2, %3
        mov     r13, %%back
        TF_ON
        syscall
%%back:
%endmacro
%macro SYSRET_TF 4                      ; name, DEBUGCTL, TF before, TF after
        SET_UP_TF %1, %2, TF
        mov     r13, %%back
        mov     rcx, sysret_to
        mov     r11d, 2 | %4
  %if %3
        TF_ON
  %endif
        o64 sysret
%%back:
%endmacro
%macro SAY_STOPS 0-1                    ; the first N of the list, or all
  %if %0
        mov     qword [LIST], %1
  %endif
        call    say_stops
%endmacro
%macro END_STOPS 0-1
        TF_OFF
        SAY_STOPS %1
%endmacro

main:
        SET_VECTOR 1, debug, 0x40, software, 0x41, wake, 6, undefined

        STEP_BRANCHES "btf"
        nop
        xor     eax, eax
        jnz     step_a
        nop
        jz      step_a
        nop
NAME step_a,    nop
        JUMP    step_b
        mov     ecx, 2
NAME step_loop, loop    step_loop
        mov     ecx, 3
        mov     rsi, SPARE
        mov     rdi, SPARE + 64
        rep     movsb
        call    step_call
NAME step_return,       mov     rax, step_indirect
        jmp     rax
        nop
NAME step_indirect,     END_STOPS
;= btf|step_a step_b step_loop step_call step_return step_indirect

        ; Delivery clears TF: no stop after INT n, in its handler or after
        ; IRETQ, which began with TF = 0; then stops come again.
        STEP_BRANCHES "btf int n"
        int     0x40
NAME after_int, nop
        jmp     after_int_branch
NAME after_int_branch,  END_STOPS
;= btf int n|after_int_branch

        STEP_BRANCHES "btf #UD"
        ud2
NAME after_ud,  nop
        jmp     after_ud_branch
NAME after_ud_branch,   END_STOPS
;= btf #UD|after_ud_branch

        ; HLT, the interrupt that ends it, and PAUSE are not branches.
        APIC_ON
        STEP_BRANCHES "btf hlt, pause"
        mov     dword [r15 + APIC_ICR], 0x44041
        sti
        hlt
        pause
        cli
        jmp     after_hlt_branch
NAME after_hlt_branch,  END_STOPS
;= btf hlt, pause|after_hlt_branch

        ; BTF without TF does nothing.
        STOPS   "btf alone", BTF, 0
        jmp     alone
alone:  WRMSR   DEBUGCTL, 0
        SAY_STOPS
;= btf alone|

        ; TF without BTF stops after each instruction, and after each
        ; iteration of REP; POPF that clears TF stops too.
        STOPS   "tf", 0, 0
        mov     ecx, 2
        mov     rsi, SPARE
        mov     rdi, SPARE + 64
        TF_ON
NAME tf_a,      nop
NAME tf_rep,    rep     movsb
NAME tf_b,      JUMP    tf_c
        pushfq
NAME tf_d,      and     qword [rsp], ~(TF)
NAME tf_e,      popfq
NAME tf_f,      SAY_STOPS
;= tf|tf_rep tf_rep tf_b tf_c tf_d tf_e tf_f

        ; #DB clears BTF: not set again, the next instruction stops too.
        STOPS   "btf not rearmed", BTF, 0
        TF_ON
        nop
        nop
        JUMP    once_a
        nop
NAME once_b,    nop
NAME once_c,    pushfq
NAME once_d,    and     qword [rsp], ~(TF)
NAME once_e,    popfq
NAME once_f,    SAY_STOPS
;= btf not rearmed|once_a once_b once_c once_d once_e once_f

        STOPS   "debugctl in #DB", BTF | LBR, 0
        TF_ON
        jmp     seen
NAME seen,      mov     rbx, [LIST + 16]
        TF_OFF
        SAY_HEX rbx
;= debugctl in #DB|0

        ; No stop after WRMSR that sets BTF while TF = 1.
        STOPS   "wrmsr sets btf", 0, 0
        mov     ecx, DEBUGCTL
        mov     eax, BTF
        xor     edx, edx
        TF_ON
        wrmsr
NAME wrmsr_set, nop
        JUMP    wrmsr_branch
        TF_OFF
NAME wrmsr_end, SAY_STOPS 1
;= wrmsr sets btf|wrmsr_branch

        STOPS   "wrmsr clears btf", BTF, 0
        mov     ecx, DEBUGCTL
        xor     eax, eax
        xor     edx, edx
        TF_ON
        nop
        wrmsr
NAME wrmsr_cleared,     nop
        END_STOPS 1
;= wrmsr clears btf|wrmsr_cleared

        ; IRETQ that sets TF: the first stop is after the first branch there.
        STOPS   "btf by iretq", BTF, BTF
        mov     rbx, rsp
        push    DATA
        push    rbx
        pushfq
        or      qword [rsp], TF
        push    CODE64
        push    iret_to
        iretq
NAME iret_to,   nop
        JUMP    iret_branch
        END_STOPS
;= btf by iretq|iret_branch

        ; A far return is a branch.
        lea     rbx, [far_to]
        STEP_BRANCHES "btf far ret"
        push    CODE64
        push    rbx
        o64 retf
        nop
NAME far_to,    END_STOPS
;= btf far ret|far_to

        ; SYSRET is one, and SYSCALL, whose mask clears TF, is not stepped.
        WRMSR   0xc0000081, 0x0010000800000000
        WRMSR   0xc0000082, syscall_to
        WRMSR   0xc0000084, 0x700
        STEP_BRANCHES "btf sysret, syscall"
        mov     rcx, user
        pushfq
        pop     r11
        o64 sysret
NAME user,      nop
        JUMP    user_branch
        syscall
NAME syscall_to,        jmp     syscall_branch
NAME syscall_branch,    SAY_STOPS
;= btf sysret, syscall|user user_branch

        ; SYSCALL and SYSRET trap if TF is set at their end, whatever it was at the
        ; start.  The trap is at the target, before any instruction there; with BTF as
        ; well, since they are branches.
        WRMSR   0xc0000082, lstar
        SYSCALL_TF "tf, syscall that clears it", 0, TF
        SYSCALL_TF "tf, syscall that keeps it", 0, 0
        SYSCALL_TF "btf, syscall that clears it", BTF, TF
        SYSCALL_TF "btf, syscall that keeps it", BTF, 0
        SYSRET_TF "tf, sysret that clears it", 0, TF, 0
        SYSRET_TF "tf, sysret that sets it", 0, 0, TF
        SYSRET_TF "btf, sysret that clears it", BTF, TF, 0
        SYSRET_TF "btf, sysret that sets it", BTF, 0, TF
;= tf, syscall that clears it|
;= tf, syscall that keeps it|lstar lstar_nop
;= btf, syscall that clears it|
;= btf, syscall that keeps it|lstar
;= tf, sysret that clears it|
;= tf, sysret that sets it|sysret_to sysret_nop
;= btf, sysret that clears it|
;= btf, sysret that sets it|sysret_to

        ; LBR beside BTF: the newest record is the branch that stopped.
        LBR_ENABLE
        STOPS   "btf and lbr", BTF | LBR, BTF | LBR
        TF_ON
        nop
NAME both_from, JUMP    both_a
        xor     eax, eax
NAME both_from2,        jz      both_b
        nop
NAME both_b,    TF_OFF
        LBR_OFF
        SAY_ADDRESS [LIST + 24], [LIST + 8], [LIST + 48], [LIST + 32]
;= btf and lbr|both_from both_a both_from2 both_b

        ; #DB is not recorded, and clears the enabling bit.
        STOPS   "lbr enabled in #DB", 0, 0
        LBR_ON
        TF_ON
        nop
        TF_OFF
%ifdef ARCH
        RDMSR   LBR_CTL
%elifdef EXTN
        RDMSR   EXTN
        push    rax
        RDMSR   DEBUGCTL
        pop     rdx
        or      rax, rdx
%else
        RDMSR   DEBUGCTL
%endif
        call    say_hex
;=!arch lbr enabled in #DB|0
;=arch lbr enabled in #DB|7f0006
        WRMSR   DEBUGCTL, 0
        LBR_ON
NAME db_from,   jmp     db_to
NAME db_to,     TF_ON
        nop
        nop
        TF_OFF
        CHECK   "lbr across #DB", SAY_LBR 1
;= lbr across #DB|db_from>db_to
        LBR_OFF
        ret

NAME lstar,     nop
NAME lstar_nop, TF_OFF
        cmp     qword [LIST], 2                 ; the first two are enough
        jbe     .few
        mov     qword [LIST], 2
.few:   SAY_STOPS
        jmp     r13

NAME sysret_to, nop
NAME sysret_nop,        nop
        syscall                                 ; clears TF

NAME step_call, ret
software:
        nop
        jmp     .end
.end:   iretq
undefined:
        nop
        jmp     .end
.end:   mov     qword [rsp], after_ud
        iretq

debug:  SAVE    rax, rbx, rcx, rdx, rdi
        mov     rbx, [LIST]
        inc     qword [LIST]
        lea     rbx, [rbx + rbx * 2]
        mov     rax, [rsp + 40]
        mov     [LIST + 8 + rbx * 8], rax
        RDMSR   DEBUGCTL, [LIST + 16 + rbx * 8]
        push    rbx
        READ_RECORD 1
        pop     rbx
        mov     [LIST + 24 + rbx * 8], rax
        mov     rax, [REARM]
        test    al, LBR
        jz      .no_lbr
        LBR_ENABLE
.no_lbr:
        WRMSR   DEBUGCTL, [REARM]
        RESTORE rax, rbx, rcx, rdx, rdi
        iretq

wake:   EOI
        iretq

say_stops:
        WRMSR   DEBUGCTL, 0
        mov     ebp, [LIST]
        mov     ebx, LIST + 8
.next:  sub     ebp, 1
        js      .end
        SAY_ADDRESS [rbx]
        add     ebx, 24
        jmp     .next
.end:   ret
