; A loop of nine instructions with three taken branches and one that is
; taken every other time, which ./test measures: MODE says what is on.
%include "guest.inc"
%include "pt.inc"

main:
%ifidn MODE, btf
        WRMSR   DEBUGCTL, BTF
%elifidn MODE, lbr
        LBR_ENABLE
%elifidn MODE, bts
        DS_SETUP 64, 66
        WRMSR   DEBUGCTL, TR | BTS
%elifidn MODE, pt
        PT_BEGIN OS, traced
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
