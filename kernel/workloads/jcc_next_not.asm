; The sixteen conditional jumps, each to the instruction that follows it, not taken.
;
; The stops are the same as in jcc_next, where all are taken, and there is no branch.  A tracer
; that passes both reads the flags.
%include "workload.inc"

WORKLOAD jcc_next_not, "the sixteen Jcc to the next instruction, not taken"
        mov     eax, 1
        cmp     eax, byte 2     ; -1: CF=1 ZF=0 SF=1 OF=0 PF=1
.jae:   jae     short .ja
.ja:    ja      strict near .je
.je:    je      short .jo
.jo:    jo      strict near .jns
.jns:   jns     short .jnp
.jnp:   jnp     strict near .jge
.jge:   jge     short .jg
.jg:    jg      strict near .over
.over:  mov     eax, 0x7fffffff
        add     eax, byte 2     ; 80000001h: CF=0 ZF=0 SF=1 OF=1 PF=0
.jno:   jno     short .jb
.jb:    jb      strict near .jbe
.jbe:   jbe     short .jp
.jp:    jp      strict near .jl
.jl:    jl      short .jle
.jle:   jle     strict near .equal
.equal: cmp     eax, eax        ; 0: CF=0 ZF=1 SF=0 OF=0 PF=1
.jne:   jne     short .js
.js:    js      strict near .done
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
