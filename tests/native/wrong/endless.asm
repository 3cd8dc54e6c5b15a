; It never ends.
%include "workload.inc"

WORKLOAD endless, "wrong on purpose"
        nop
.self:  jmp     .self
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JMP,   .self,  .self, 3
        TAKEN   RET,   .done,  CALLER
END
