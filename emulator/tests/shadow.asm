; Single-stepping around MOV SS, ICEBP, STI and HLT.
; classes lbr
%include "guest.inc"

LIST    equ SPARE + 0x1000
DR6S    equ SPARE + 0x1800              ; of each stop in the list

%macro STOPS 1                          ; a check with an empty list
        CHECK   %1
        mov     qword [LIST], 0
%endmacro
%macro END_STOPS 1-2 say_stops          ; the first N of the list
        TF_OFF
        mov     qword [LIST], %1
        call    %2
%endmacro

main:
        SET_VECTOR 1, debug
        mov     ebx, DATA
        mov     r15d, 0xfee00000

        STOPS   "tf, mov ss"
        TF_ON
        nop
NAME before_ss, mov     ss, ebx
NAME after_ss,  nop
NAME after_nop, END_STOPS 2
;= tf, mov ss|before_ss after_nop

        STOPS   "tf, lss"
        mov     dword [SPARE], 0
        mov     word [SPARE + 4], DATA
        mov     rbp, rsp
        TF_ON
        nop
NAME before_lss,        lss     r8d, [SPARE]
NAME after_lss, nop
        END_STOPS 2
;= tf, lss|before_lss after_lss

        STOPS   "tf, sti"
        mov     dword [r15 + 0xf0], 0x1ff
        TF_ON
        sti
NAME after_sti, nop
NAME after_sti_nop,     cli
NAME after_cli, END_STOPS 3
;= tf, sti|after_sti after_sti_nop after_cli

        STOPS   "icebp"
        db      0xf1
NAME after_icebp,       call    say_stops
;= icebp|after_icebp

        ; With TF, ICEBP is one #DB as well, which sets no bit of DR6; the next single
        ; step does.  Prefixes belong to ICEBP.
        STOPS   "tf, icebp"
        mov     rax, 0xffff0ff0
        mov     dr6, rax
        TF_ON
        db      0xf1
NAME after_icebp_tf,    nop
NAME after_icebp_nop,   END_STOPS 2, say_stops_dr6
;= tf, icebp|after_icebp_tf ffff0ff0 after_icebp_nop ffff4ff0
        STOPS   "icebp with prefixes"
        db      0x66, 0x48, 0xf1
NAME after_prefixed,    nop
        call    say_stops
;= icebp with prefixes|after_prefixed

        ; Each #DB writes B0 to B3, and only sets the other bits: BD, BS, BT.
        STOPS   "icebp, dr6 before"
        mov     rax, 0xffffefff
        mov     dr6, rax
        db      0xf1
NAME after_icebp_dr6,   call    say_stops_dr6
;= icebp, dr6 before|after_icebp_dr6 ffffeff0
        STOPS   "tf, dr6 before"
        mov     rax, 0xffffafff
        mov     dr6, rax
        TF_ON
        nop
NAME after_step,        END_STOPS 1, say_stops_dr6
;= tf, dr6 before|after_step ffffeff0

        ; A jump held by the shadow of MOV SS stops, a jump after it too.
        STOPS   "btf, mov ss"
        WRMSR   DEBUGCTL, BTF
        mov     ebx, DATA
        TF_ON
        mov     ss, ebx
        JUMP    held
        TF_OFF
        WRMSR   DEBUGCTL, 0
        mov     qword [LIST], 1
        call    say_stops
;= btf, mov ss|held

        ; WRMSR in the shadow that sets BTF: no stop.
        STOPS   "btf set under mov ss"
        WRMSR   DEBUGCTL, 0
        mov     ecx, DEBUGCTL
        mov     eax, BTF
        xor     edx, edx
        TF_ON
        mov     ss, ebx
        wrmsr
NAME after_wrmsr,       nop
        JUMP    after_wrmsr_branch
        END_STOPS 1
;= btf set under mov ss|after_wrmsr_branch

        ; WRMSR in the shadow that clears BTF: a stop.
        STOPS   "btf cleared under mov ss"
        WRMSR   DEBUGCTL, BTF
        mov     ecx, DEBUGCTL
        xor     eax, eax
        xor     edx, edx
        TF_ON
        mov     ss, ebx
        wrmsr
NAME after_clear,       nop
        END_STOPS 1
;= btf cleared under mov ss|after_clear

        ; HLT ends with its trap.
        STOPS   "tf, hlt"
        TF_ON
        nop
NAME before_hlt,        hlt
NAME after_hlt, END_STOPS 2
;= tf, hlt|before_hlt after_hlt
        ret

debug:  SAVE    rax, rbx
        mov     rbx, [LIST]
        inc     qword [LIST]
        mov     rax, [rsp + 16]
        mov     [LIST + 8 + rbx * 8], rax
        mov     rax, dr6
        mov     [DR6S + rbx * 8], rax
        RESTORE rax, rbx
        iretq

say_stops_dr6:                          ; each with its DR6
        xor     ebx, ebx
.next:  SAY_ADDRESS [LIST + 8 + rbx * 8]
        SAY_HEX [DR6S + rbx * 8]
        inc     ebx
        cmp     ebx, [LIST]
        jb      .next
        mov     ebx, DATA
        ret

say_stops:
        mov     ebp, [LIST]
        mov     ebx, LIST + 8
.next:  sub     ebp, 1
        js      .end
        SAY_ADDRESS [rbx]
        add     ebx, 8
        jmp     .next
.end:   mov     ebx, DATA
        ret
