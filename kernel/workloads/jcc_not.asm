; The sixteen conditional jumps, short and near, none of them taken.
;
; The trace is as empty as that of straight, because only taken branches are recorded (SDM
; vol. 3B, "Monitoring Branches, Exceptions, and Interrupts").  A tracer that logs every
; branch instruction, or inverts a condition, has up to 32 records too many.
%include "workload.inc"

WORKLOAD jcc_not, "the sixteen Jcc, short and near, not taken"
        mov     eax, 1
        cmp     eax, byte 2     ; -1: CF=1 ZF=0 SF=1 OF=0 PF=1
.n_jae: jae     strict near .never
.n_ja:  ja      strict near .never
.n_je:  je      strict near .never
.n_jo:  jo      strict near .never
.n_jns: jns     strict near .never
.n_jnp: jnp     strict near .never
.n_jge: jge     strict near .never
.n_jg:  jg      strict near .never
.jae:   jae     short .never
.ja:    ja      short .never
.je:    je      short .never
.jo:    jo      short .never
.jns:   jns     short .never
.jnp:   jnp     short .never
.jge:   jge     short .never
.jg:    jg      short .never
        mov     eax, 0x7fffffff
        add     eax, byte 2     ; 80000001h: CF=0 ZF=0 SF=1 OF=1 PF=0
.n_jno: jno     strict near .never
.n_jb:  jb      strict near .never
.n_jbe: jbe     strict near .never
.n_jp:  jp      strict near .never
.n_jl:  jl      strict near .never
.n_jle: jle     strict near .never
.jno:   jno     short .never
.jb:    jb      short .never
.jbe:   jbe     short .never
.jp:    jp      short .never
.jl:    jl      short .never
.jle:   jle     short .never
        cmp     eax, eax        ; 0: CF=0 ZF=1 SF=0 OF=0 PF=1
.n_jne: jne     strict near .never
.n_js:  js      strict near .never
.jne:   jne     short .never
.js:    js      short .never
        nop
.never: nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
