; Jumps to the next instruction: direct short, direct near, and indirect.
;
; Each is taken, so each is a record, although the code seems to run straight.
%include "workload.inc"

WORKLOAD jmp_next, "jumps to the next instruction"
.short: jmp     short .near
.near:  jmp     strict near .set
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
