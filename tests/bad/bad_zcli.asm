; Hangs with interrupts off, so that nothing inside the machine can end it: the
; host's time-out does, and names it.  Last by name, since nothing comes after it.
%include "workload.inc"

WORKLOAD bad_zcli, "CLI and HLT, again and again"
        cli
.again: hlt
.jump:  jmp     .again
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JMP,   .jump,  .again, 3
        TAKEN   RET,   .done,  CALLER
END
