; A jump to the next instruction, expected although not taken.
%include "workload.inc"

WORKLOAD next_not_taken, "wrong on purpose"
        cmp     eax, eax
.jne:   jne     .next
.next:  nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .jne,   .next
        TAKEN   RET,   .done,  CALLER
END
