; A taken jump in the shadow of STI.
;
; STI holds back interrupts for one instruction and debug exceptions not (SDM vol. 2B,
; "STI"): the jump is stepped like any other.  Stock QEMU loses the stop after STI
; (Debian's 7.2), so this is for other machines.
%include "workload.inc"

WORKLOAD sti, "a taken jump behind STI, which holds back interrupts only", RING0 | NOT_STOCK
        cli
        nop
        sti
.jmp:   jmp     .over
        nop
.over:  nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JMP,   .jmp,   .over
        TAKEN   RET,   .done,  CALLER
END
