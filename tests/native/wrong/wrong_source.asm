; The wrong label as source.
%include "workload.inc"

WORKLOAD wrong_source, "wrong on purpose"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .done,  .top, 3
        TAKEN   RET,   .done,  CALLER
END
