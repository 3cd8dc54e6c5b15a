; A taken jump to the next instruction, not expected.
%include "workload.inc"

WORKLOAD next_missed, "wrong on purpose"
        cmp     eax, eax
.je:    je      .next
.next:  nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
