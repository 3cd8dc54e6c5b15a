; refused: REPEAT without its END_REPEAT
%include "workload.inc"

WORKLOAD bad, "must not be assembled"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        REPEAT  3
        TAKEN   JCC,   .back,  .top
        TAKEN   RET,   .done,  CALLER
END
