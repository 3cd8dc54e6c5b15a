; The sixteen conditional jumps, each to the instruction that follows it, all taken.
;
; These branches are taken although they jump over nothing: TO is FROM plus the length.  A
; tool that finds branches by a gap between two stops sees none of them; only the flags decide.
%include "workload.inc"

WORKLOAD jcc_next, "the sixteen Jcc to the next instruction, taken"
        mov     eax, 1
        cmp     eax, 2          ; -1: CF=1 ZF=0 SF=1 OF=0 PF=1
.jb:    jb      .jbe
.jbe:   jbe     near .jne
.jne:   jne     .jno
.jno:   jno     near .js
.js:    js      .jp
.jp:    jp      near .jl
.jl:    jl      .jle
.jle:   jle     near .over
.over:  mov     eax, 0x7fffffff
        add     eax, 2          ; 80000001h: CF=0 ZF=0 SF=1 OF=1 PF=0
.jo:    jo      .jae
.jae:   jae     near .ja
.ja:    ja      .jnp
.jnp:   jnp     near .jge
.jge:   jge     .jg
.jg:    jg      near .equal
.equal: cmp     eax, eax        ; 0: CF=0 ZF=1 SF=0 OF=0 PF=1
.je:    je      .jns
.jns:   jns     near .done
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .jb,    .jbe
        TAKEN   JCC,   .jbe,   .jne
        TAKEN   JCC,   .jne,   .jno
        TAKEN   JCC,   .jno,   .js
        TAKEN   JCC,   .js,    .jp
        TAKEN   JCC,   .jp,    .jl
        TAKEN   JCC,   .jl,    .jle
        TAKEN   JCC,   .jle,   .over
        TAKEN   JCC,   .jo,    .jae
        TAKEN   JCC,   .jae,   .ja
        TAKEN   JCC,   .ja,    .jnp
        TAKEN   JCC,   .jnp,   .jge
        TAKEN   JCC,   .jge,   .jg
        TAKEN   JCC,   .jg,    .equal
        TAKEN   JCC,   .je,    .jns
        TAKEN   JCC,   .jns,   .done
        TAKEN   RET,   .done,  CALLER
END
