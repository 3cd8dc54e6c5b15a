; The branch is taken three times, and four are expected.
%include "workload.inc"

WORKLOAD count_too_high, "wrong on purpose"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .back,  .top, 4
        TAKEN   RET,   .done,  CALLER
END
