; The wrong label as target.
%include "workload.inc"

WORKLOAD wrong_target, "wrong on purpose"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .back,  .start, 3
        TAKEN   RET,   .done,  CALLER
END
