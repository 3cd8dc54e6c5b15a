; It returns twice.
%include "workload.inc"

WORKLOAD row_too_many, "wrong on purpose"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .back,  .top, 3
        TAKEN   RET,   .done,  CALLER
        TAKEN   RET,   .done,  CALLER
END
