; refused: REPEAT 0: what does not happen has no row
%include "workload.inc"

WORKLOAD bad, "must not be assembled"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        REPEAT  0
        TAKEN   JCC,   .back,  .top
        END_REPEAT
        TAKEN   RET,   .done,  CALLER
END
