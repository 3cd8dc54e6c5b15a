; The sixteen conditional jumps, each to the instruction that follows it, all taken.
;
; These branches are taken although they jump over nothing: TO is FROM plus the length.  A
; tool that finds branches by a gap between two stops sees none of them; only the flags decide.
%include "workload.inc"

WORKLOAD jcc_next, "the sixteen Jcc to the next instruction, taken"
        mov     eax, 1
        cmp     eax, byte 2     ; -1: CF=1 ZF=0 SF=1 OF=0 PF=1
.jb:    jb      short .jbe
.jbe:   jbe     strict near .jne
.jne:   jne     short .jno
.jno:   jno     strict near .js
.js:    js      short .jp
.jp:    jp      strict near .jl
.jl:    jl      short .jle
.jle:   jle     strict near .over
.over:  mov     eax, 0x7fffffff
        add     eax, byte 2     ; 80000001h: CF=0 ZF=0 SF=1 OF=1 PF=0
.jo:    jo      short .jae
.jae:   jae     strict near .ja
.ja:    ja      short .jnp
.jnp:   jnp     strict near .jge
.jge:   jge     short .jg
.jg:    jg      strict near .equal
.equal: cmp     eax, eax        ; 0: CF=0 ZF=1 SF=0 OF=0 PF=1
.je:    je      short .jns
.jns:   jns     strict near .done
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
