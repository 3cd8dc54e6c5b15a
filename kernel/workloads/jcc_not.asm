; The sixteen conditional jumps, short and near, none of them taken.
;
; The trace is as empty as that of straight, because only taken branches are recorded (SDM
; vol. 3B, "Monitoring Branches, Exceptions, and Interrupts").  A tracer that logs every
; branch instruction, or inverts a condition, has up to 32 records too many.
%include "workload.inc"

WORKLOAD jcc_not, "the sixteen Jcc, short and near, not taken"
        mov     eax, 1
        cmp     eax, 2          ; -1: CF=1 ZF=0 SF=1 OF=0 PF=1
.jae:   jae     .never
.ja:    ja      .never
.je:    je      .never
.jo:    jo      .never
.jns:   jns     .never
.jnp:   jnp     .never
.jge:   jge     .never
.jg:    jg      .never
.n_jae: jae     near .never
.n_ja:  ja      near .never
.n_je:  je      near .never
.n_jo:  jo      near .never
.n_jns: jns     near .never
.n_jnp: jnp     near .never
.n_jge: jge     near .never
.n_jg:  jg      near .never
        mov     eax, 0x7fffffff
        add     eax, 2          ; 80000001h: CF=0 ZF=0 SF=1 OF=1 PF=0
.jno:   jno     .never
.jb:    jb      .never
.jbe:   jbe     .never
.jp:    jp      .never
.jl:    jl      .never
.jle:   jle     .never
.n_jno: jno     near .never
.n_jb:  jb      near .never
.n_jbe: jbe     near .never
.n_jp:  jp      near .never
.n_jl:  jl      near .never
.n_jle: jle     near .never
        cmp     eax, eax        ; 0: CF=0 ZF=1 SF=0 OF=0 PF=1
.jne:   jne     .never
.js:    js      .never
.n_jne: jne     near .never
.n_js:  js      near .never
        nop
.never: nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
