; A loop of nine instructions with three branches that are taken and one that is
; taken every other time, for ./test to measure: MODE says what is on.
%include "guest.inc"

AREA    equ SPARE + 0x1000
BUFFER  equ SPARE + 0x2000

main:
%ifidn MODE, btf
        WRMSR   DEBUGCTL, BTF
%elifidn MODE, lbr
        LBR_ENABLE
%elifidn MODE, bts
        mov     qword [AREA], BUFFER
        mov     qword [AREA + 8], BUFFER
        mov     qword [AREA + 16], BUFFER + 64 * 24 + 1
        mov     qword [AREA + 24], BUFFER + 66 * 24
        WRMSR   DS_AREA, AREA
        WRMSR   DEBUGCTL, TR | BTS
%elifidn MODE, taken
        WRMSR   SEL0, SEL_EN | SEL_OS | EV_TAKEN
%elifidn MODE, branches
        WRMSR   SEL0, SEL_EN | SEL_OS | EV_BRANCHES
%elifidn MODE, instructions
        WRMSR   SEL0, SEL_EN | SEL_OS | EV_INSNS
%endif
        mov     ecx, LOOPS
        jmp     top
        align   64
top:    call    leaf
        test    ecx, 1
        jz      .even
        inc     eax
.even:  add     edx, ecx
        dec     ecx
        jnz     top
        ret
        align   64
leaf:   add     ebx, 3
        ret
