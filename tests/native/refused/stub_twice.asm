; refused: STUB SYSCALL_TF: there is one before it
%include "workload.inc"

WORKLOAD bad, "must not be assembled", RING0
.entry: nop
.done:  ret

STUB SYSCALL, .entry
STUB SYSCALL_TF, .entry
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
