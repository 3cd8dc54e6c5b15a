; refused: STUB needs WORKLOAD before it
%include "workload.inc"

WORKLOAD bad, "must not be assembled"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .back,  .top, 3
        TAKEN   RET,   .done,  CALLER
STUB 48, .done
END
