; Ends well, but its expectation is wrong on purpose: `everybranch check` must say so.
%include "workload.inc"

WORKLOAD bad_wrong, "a loop whose written count is one too many"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .back,  .top, 4
        TAKEN   RET,   .done,  CALLER
END
