; AMD's stack of version 2 beside the pair of old: each has its enable bit.
; classes zen4
%include "guest.inc"

%macro SAY_PAIR 1
        RDMSR   %1 + 1
        push    rax
        RDMSR   %1
        pop     rdx
        call    say_record
%endmacro

main:
        SET_VECTOR 0x40, software
        SET_VECTOR 1, debug

        CHECK   "cpuid 80000022"                ; LBR v2; 16 entries
        mov     eax, 0x80000022
        cpuid
        and     eax, 2
        and     ebx, 0x3f0
        push    rbx
        call    say_hex
        pop     rax
        call    say_hex
;=zen4 cpuid 80000022|2 100

        CHECK   "debugextnctl"
        SET_VECTOR 13, protection
        xor     ebx, ebx
        xor     r12d, r12d
        mov     r13d, 1
.bit:   mov     ecx, EXTN
        mov     rax, r13
        mov     rdx, r13
        shr     rdx, 32
        mov     ebp, 1
        wrmsr
        test    ebp, ebp
        jnz     .next
        or      rbx, r13
.next:  mov     ecx, EXTN
        rdmsr
        or      r12, rax
        shl     r13, 1
        jnz     .bit
        WRMSR   EXTN, 0
        SAY_HEX rbx
        SAY_HEX r12
;=zen4 debugextnctl|ffffffffffffffbf 40

        ; The stack alone.
        call    lbr_clear
        WRMSR   EXTN, 0x40
NAME s1
        jmp     s2
        nop
NAME s2
        WRMSR   EXTN, 0
        CHECK   "stack alone"
        SAY_LBR 1
        SAY_PAIR 0x1db
;=zen4 stack alone|s1>s2 ?0>?0

        ; The pair alone.
        WRMSR   DEBUGCTL, LBR
NAME p1
        jmp     p2
        nop
NAME p2
        WRMSR   DEBUGCTL, 0
        CHECK   "pair alone"
        SAY_LBR 1
        SAY_PAIR 0x1db
;=zen4 pair alone|s1>s2 p1>p2

        ; LastInt is the former pair, not of the stack.
        WRMSR   EXTN, 0x40
        WRMSR   DEBUGCTL, LBR
NAME b1
        jmp     b2
        nop
NAME b2
        int     0x40
NAME b3
        WRMSR   DEBUGCTL, 0
        WRMSR   EXTN, 0
        CHECK   "both"
        SAY_LBR 3
        SAY_PAIR 0x1db
        SAY_PAIR 0x1dd
;=zen4 both|b1>b2 b2>software software>b3 software>b3 b1>b2

        WRMSR   EXTN, 0x40
        jmp     .x
.x:     int     0x40
        WRMSR   EXTN, 0
        CHECK   "last int without the pair"
        SAY_PAIR 0x1dd
;=zen4 last int without the pair|b1>b2

        ; The filter has no say in the pair.
        WRMSR   SELECT, 0x80                    ; no near relative jumps
        call    lbr_clear
        WRMSR   EXTN, 0x40
        WRMSR   DEBUGCTL, LBR
NAME f1
        jmp     f2
        nop
NAME f2
        WRMSR   EXTN, 0
        WRMSR   DEBUGCTL, 0
        WRMSR   SELECT, 0
        CHECK   "filtered"
        SAY_LBR 1
        SAY_PAIR 0x1db
;=zen4 filtered|?0>?0 f1>f2

        ; #DB turns both off, and changes no record.
        WRMSR   EXTN, 0x40
        WRMSR   DEBUGCTL, LBR
        pushfq
        or      qword [rsp], TF
        popfq
        nop
        pushfq
        and     qword [rsp], ~(TF)
        popfq
        CHECK   "enabled in #DB"
        RDMSR   EXTN
        call    say_hex
        RDMSR   DEBUGCTL
        call    say_hex
        SAY_LBR 1
;=zen4 enabled in #DB|0 0 ?0>?0
        ret

NAME software
        iretq
debug:  iretq
protection:
        xor     ebp, ebp
        add     rsp, 8
        add     qword [rsp], 2
        iretq
