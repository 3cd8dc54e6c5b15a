; A group that repeats once too often.
%include "workload.inc"

WORKLOAD wrong_group, "wrong on purpose"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        REPEAT  4
        TAKEN   JCC,   .back,  .top
        END_REPEAT
        TAKEN   RET,   .done,  CALLER
END
