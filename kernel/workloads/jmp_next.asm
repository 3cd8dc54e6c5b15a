; Jumps to the next instruction: direct short, direct near, and indirect.
;
; Always taken, so always a record, although the flow looks straight.
%include "workload.inc"

WORKLOAD jmp_next, "jumps to the next instruction"
.short: jmp     short .near
.near:  jmp     near .set
.set:   lea     rax, [.to]
.reg:   jmp     rax
.to:    nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JMP,   .short, .near
        TAKEN   JMP,   .near,  .set
        TAKEN   IJMP,  .reg,   .to
        TAKEN   RET,   .done,  CALLER
END
