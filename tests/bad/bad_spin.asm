; Never ends: the watchdog ends it, or under stepping the event budget.
%include "workload.inc"

WORKLOAD bad_spin, "jumps to itself for ever"
.again: jmp     .again
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JMP,   .again, .again, 3
        TAKEN   RET,   .done,  CALLER
END
