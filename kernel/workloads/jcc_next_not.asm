; The sixteen conditional jumps, each to the instruction that follows it, not taken.
;
; The stops are the same as in jcc_next, where all are taken, and there is no branch.  A tracer
; that passes both reads the flags.
%include "workload.inc"

WORKLOAD jcc_next_not, "the sixteen Jcc to the next instruction, not taken"
        mov     eax, 1
        cmp     eax, 2          ; -1: CF=1 ZF=0 SF=1 OF=0 PF=1
.jae:   jae     .ja
.ja:    ja      near .je
.je:    je      .jo
.jo:    jo      near .jns
.jns:   jns     .jnp
.jnp:   jnp     near .jge
.jge:   jge     .jg
.jg:    jg      near .over
.over:  mov     eax, 0x7fffffff
        add     eax, 2          ; 80000001h: CF=0 ZF=0 SF=1 OF=1 PF=0
.jno:   jno     .jb
.jb:    jb      near .jbe
.jbe:   jbe     .jp
.jp:    jp      near .jl
.jl:    jl      .jle
.jle:   jle     near .equal
.equal: cmp     eax, eax        ; 0: CF=0 ZF=1 SF=0 OF=0 PF=1
.jne:   jne     .js
.js:    js      near .done
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
