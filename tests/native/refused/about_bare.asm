; refused: say in quotes what it shows
%include "workload.inc"

WORKLOAD bad, must_not
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .back,  .top, 3
        TAKEN   RET,   .done,  CALLER
END
