; refused: WORKLOAD needs END of the workload before it
%include "workload.inc"

WORKLOAD bad, "must not be assembled"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

WORKLOAD worse, "a second one in the first"
        ret
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
