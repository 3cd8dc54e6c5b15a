; The right ends, but it is no JMP.
%include "workload.inc"

WORKLOAD wrong_kind, "wrong on purpose"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JMP,   .back,  .top, 3
        TAKEN   RET,   .done,  CALLER
END
