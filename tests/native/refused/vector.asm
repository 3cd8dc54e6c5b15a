; refused: STUB 256: vectors are 0 to 255
%include "workload.inc"

WORKLOAD bad, "must not be assembled"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

STUB 256, .done
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .back,  .top, 3
        TAKEN   RET,   .done,  CALLER
END
