; The sixteen conditional jumps in their short form (70 to 7F), all taken.
;
; Each jumps over one instruction to the next jump.  Jcc changes no flag, so one comparison
; serves several jumps.  The comments name the flags: SDM vol. 1, "EFLAGS Condition Codes".
%include "workload.inc"

WORKLOAD jcc_taken, "the sixteen Jcc, short, taken"
        mov     eax, 1
        cmp     eax, 2          ; -1: CF=1 ZF=0 SF=1 OF=0 PF=1
.jb:    jb      .jbe
        nop
.jbe:   jbe     .jne
        nop
.jne:   jne     .jno
        nop
.jno:   jno     .js
        nop
.js:    js      .jp
        nop
.jp:    jp      .jl
        nop
.jl:    jl      .jle
        nop
.jle:   jle     .over
        nop
.over:  mov     eax, 0x7fffffff
        add     eax, 2          ; 80000001h: CF=0 ZF=0 SF=1 OF=1 PF=0
.jo:    jo      .jae
        nop
.jae:   jae     .ja
        nop
.ja:    ja      .jnp
        nop
.jnp:   jnp     .jge
        nop
.jge:   jge     .jg
        nop
.jg:    jg      .equal
        nop
.equal: cmp     eax, eax        ; 0: CF=0 ZF=1 SF=0 OF=0 PF=1
.je:    je      .jns
        nop
.jns:   jns     .done
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
