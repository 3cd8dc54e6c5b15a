; refused: .back+2 is not a label
%include "workload.inc"

WORKLOAD bad, "must not be assembled"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .back,  .back+2, 3
        TAKEN   RET,   .done,  CALLER
END
