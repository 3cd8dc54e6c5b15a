; The sixteen conditional jumps in their near form (0F 80 to 0F 8F), all taken.
;
; The opcode has two bytes and the displacement four: a decoder that knows only 70 to 7F loses
; all of them.  As in jcc_taken, each jumps over one instruction.
%include "workload.inc"

WORKLOAD jcc_near, "the sixteen Jcc, near, taken"
        mov     eax, 1
        cmp     eax, byte 2     ; -1: CF=1 ZF=0 SF=1 OF=0 PF=1
.jb:    jb      strict near .jbe
        nop
.jbe:   jbe     strict near .jne
        nop
.jne:   jne     strict near .jno
        nop
.jno:   jno     strict near .js
        nop
.js:    js      strict near .jp
        nop
.jp:    jp      strict near .jl
        nop
.jl:    jl      strict near .jle
        nop
.jle:   jle     strict near .over
        nop
.over:  mov     eax, 0x7fffffff
        add     eax, byte 2     ; 80000001h: CF=0 ZF=0 SF=1 OF=1 PF=0
.jo:    jo      strict near .jae
        nop
.jae:   jae     strict near .ja
        nop
.ja:    ja      strict near .jnp
        nop
.jnp:   jnp     strict near .jge
        nop
.jge:   jge     strict near .jg
        nop
.jg:    jg      strict near .equal
        nop
.equal: cmp     eax, eax        ; 0: CF=0 ZF=1 SF=0 OF=0 PF=1
.je:    je      strict near .jns
        nop
.jns:   jns     strict near .done
        nop
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
