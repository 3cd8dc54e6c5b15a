; refused: REPEAT of no rows
%include "workload.inc"

WORKLOAD bad, "must not be assembled"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        REPEAT  3
        END_REPEAT
        TAKEN   JCC,   .back,  .top, 3
        TAKEN   RET,   .done,  CALLER
END
