; refused: END needs EXPECT before it
%include "workload.inc"

WORKLOAD bad, "must not be assembled"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

END
