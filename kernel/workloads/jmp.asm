; JMP with a displacement: short and near, forwards and backwards.
%include "workload.inc"

WORKLOAD jmp, "direct jumps, short and near, both ways"
.short: jmp     short .near
.back2: nop
.out:   jmp     short .done
        nop
.back1: nop
.up:    jmp     strict near .back2 ; backwards, near
        nop
.near:  jmp     strict near .far
        nop
.far:   nop
.down:  jmp     short .back1    ; backwards, short
        nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JMP,   .short, .near
        TAKEN   JMP,   .near,  .far
        TAKEN   JMP,   .down,  .back1
        TAKEN   JMP,   .up,    .back2
        TAKEN   JMP,   .out,   .done
        TAKEN   RET,   .done,  CALLER
END
