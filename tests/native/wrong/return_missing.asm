; The last row is missing.
%include "workload.inc"

WORKLOAD return_missing, "wrong on purpose"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .back,  .top, 3
END
