; refused: REPEAT 1: groups nest 4 deep at most
%include "workload.inc"

WORKLOAD bad, "must not be assembled"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        REPEAT  3
        REPEAT  1
        REPEAT  1
        REPEAT  1
        REPEAT  1
        TAKEN   JCC,   .back,  .top
        END_REPEAT
        END_REPEAT
        END_REPEAT
        END_REPEAT
        END_REPEAT
        TAKEN   RET,   .done,  CALLER
END
