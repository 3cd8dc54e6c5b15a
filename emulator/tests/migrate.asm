; State that is saved to a file and loaded by another machine.
;
; ../test saves this guest when it has said "waiting", starts it again from the
; file, and sends the NMI that it waits for.  The variant "here" is not saved.
; classes yonah core2 skylake goldmont alderlake skymont zen3 zen4
; variants here=wait saved=save
%include "guest.inc"

main:
        SET_VECTOR 2, nmi, 0x40, software

        LBR_ON
NAME a,         JUMP    b, c
        int     0x40
NAME d,         JUMP    e
        LBR_OFF
%ifdef SELECT
        WRMSR   SELECT, 0x1ab
%endif
%ifdef EXTN
        WRMSR   EXTN, 0x40
        WRMSR   SELECT, 3                       ; nothing more
%endif
%ifdef ARCH
        WRMSR   LBR_CTL, 0x7f0001
%endif
        WRMSR   SEL0, 0
        WRMSR   CTR0, 0x7654321
        WRMSR   SEL0, SEL_EN | SEL_USR | EV_INSNS
        WRMSR   SEL0 + 1, SEL_EN | SEL_OS | EV_TAKEN    ; it goes on
%ifdef BTSD
        DS_SETUP 4, 6
        WRMSR   DEBUGCTL, TR | BTS | BTF
%else
        WRMSR   DEBUGCTL, BTF
%endif
        mov     ecx, 2000
.many:  loop    .many
        SAY     {10, "waiting|", 10}
.wait:  pause
        cmp     dword [woken], 0
        je      .wait

        RDMSR   DEBUGCTL, r13
        WRMSR   DEBUGCTL, 0
        mov     rax, [AREA + 8]
        mov     r14, rax
        RDMSR   SEL0, r12
        WRMSR   SEL0 + 1, 0
        CHECK   "debugctl, selector, counter", SAY_HEX r13, r12
        SAY_MSR CTR0
;=yonah,core2,skylake,goldmont,arch debugctl, selector, counter|c2 4100c0 7654321
;=zen3,zen4 debugctl, selector, counter|2 4100c0 7654321
%ifdef BTSD
        CHECK   "bts goes on"
        sub     r14, BUFFER
        mov     rax, r14
        xor     edx, edx
        mov     ecx, 24
        div     ecx
        mov     eax, edx                        ; 0: the index is at a whole record
        call    say_hex
;=ds bts goes on|0
        CHECK   "ds_area"
        RDMSR   DS_AREA
        sub     rax, AREA
        call    say_hex
;=ds ds_area|0
%endif
%ifdef SELECT
        CHECK   "select", SAY_MSR SELECT
;=skylake,goldmont select|1ab
;=zen4 select|3
%endif
%ifdef EXTN
        CHECK   "debugextnctl", SAY_MSR EXTN
;=zen4 debugextnctl|40
%endif
%ifdef ARCH
        CHECK   "lbr_ctl, lbr_depth", SAY_MSR LBR_CTL, LBR_DEPTH
;=arch lbr_ctl, lbr_depth|7f0001 20
%endif
        LBR_END "lbr records", 4
;= lbr records|b>c c>software software>d d>e
%ifdef INFO0
        CHECK   "info"
        mov     ebx, 1
        READ_INFO
        shl     rdx, 32
        or      rax, rdx
  %ifdef INFO_COUNTERS
        mov     rcx, ~(0xff << 32)              ; they may have any value
        and     rax, rcx
  %endif
        call    say_hex
;=skylake info|1
;=arch info|1200000000000001
%endif
        CHECK   "ler", SAY_PAIR LER_FROM
;= ler|b>c
        ; The counter of taken branches continues from its former value.
        CHECK   "taken branches"
        RDMSR   CTR0 + 1
        cmp     rax, 1000
        SAY_IF  a
;= taken branches|1
        ret

NAME software,  iretq
nmi:    mov     dword [woken], 1
        iretq
woken:  dq 0
