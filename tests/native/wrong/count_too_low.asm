; The branch is taken three times, and two are expected.
%include "workload.inc"

WORKLOAD count_too_low, "wrong on purpose"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .back,  .top, 2
        TAKEN   RET,   .done,  CALLER
END
