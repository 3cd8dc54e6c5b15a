; A branch taken backwards three times and then not taken.
;
; The smallest trace in which one branch appears twice: a tracer that folds
; repeats, or records branches not taken, fails here first.
%include "workload.inc"

WORKLOAD loop, "jnz backwards: taken three times, then not"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     short .top      ; taken while ecx is 3, 2, 1
.done:  ret

EXPECT                          ; taken branches only, oldest first
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .back,  .top, 3
        TAKEN   RET,   .done,  CALLER
END
