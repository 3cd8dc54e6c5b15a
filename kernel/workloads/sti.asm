; A taken jump in the shadow of STI.
;
; STI delays interrupts by one instruction, but not debug exceptions (SDM vol. 2B, "STI"): the
; jump is stepped like any other.  Stock QEMU (Debian's 7.2) loses the stop after STI.
%include "workload.inc"

WORKLOAD sti, "a taken jump after STI, which holds back interrupts only", RING0 | NOT_STOCK
        cli
        nop
        sti
.jmp:   jmp     short .over
        nop
.over:  nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JMP,   .jmp,   .over
        TAKEN   RET,   .done,  CALLER
END
