; refused: TAKEN JCC, .back, .top: 0 times
%include "workload.inc"

WORKLOAD bad, "must not be assembled"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .back,  .top, 0
        TAKEN   RET,   .done,  CALLER
END
