; Hangs with interrupts off, so that nothing inside the machine can end it: the
; host's time-out does, and names it.  Last by name, since nothing comes after it.
%include "workload.inc"

WORKLOAD bad_zcli, "CLI and jump to itself"
        cli
.again: jmp     .again
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JMP,   .again, .again, 3
        TAKEN   RET,   .done,  CALLER
END
