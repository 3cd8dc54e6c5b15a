; A load of SS holds the step back; it does not clear TF.
%include "workload.inc"

WORKLOAD tf_wrong, "wrong on purpose"
        mov     eax, ss
.load:  mov     ss, eax
.next:  nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TF      CLEARED, .load, .next
        TAKEN   RET,   .done,  CALLER
END
