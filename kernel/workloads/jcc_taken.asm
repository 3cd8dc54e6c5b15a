; The sixteen conditional jumps in their short form (70 to 7F), all taken.
;
; Each jumps over one instruction to the next jump.  Jcc changes no flag, so one comparison
; serves several jumps.  The comments name the flags: SDM vol. 1, "EFLAGS Condition Codes".
%include "workload.inc"

WORKLOAD jcc_taken, "the sixteen Jcc, short, taken"
        mov     eax, 1
        cmp     eax, byte 2     ; -1: CF=1 ZF=0 SF=1 OF=0 PF=1
.jb:    jb      short .jbe
        nop
.jbe:   jbe     short .jne
        nop
.jne:   jne     short .jno
        nop
.jno:   jno     short .js
        nop
.js:    js      short .jp
        nop
.jp:    jp      short .jl
        nop
.jl:    jl      short .jle
        nop
.jle:   jle     short .over
        nop
.over:  mov     eax, 0x7fffffff
        add     eax, byte 2     ; 80000001h: CF=0 ZF=0 SF=1 OF=1 PF=0
.jo:    jo      short .jae
        nop
.jae:   jae     short .ja
        nop
.ja:    ja      short .jnp
        nop
.jnp:   jnp     short .jge
        nop
.jge:   jge     short .jg
        nop
.jg:    jg      short .equal
        nop
.equal: cmp     eax, eax        ; 0: CF=0 ZF=1 SF=0 OF=0 PF=1
.je:    je      short .jns
        nop
.jns:   jns     short .done
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
