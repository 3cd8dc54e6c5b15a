; The branch has no row at all.
%include "workload.inc"

WORKLOAD row_missing, "wrong on purpose"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
