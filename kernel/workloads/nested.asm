; A loop in a loop: the inner one is taken three times in each of three rounds.
;
; The trace is a repeated body in which a branch repeats: a tool that folds a trace into few
; lines must restore every record.
%include "workload.inc"

WORKLOAD nested, "a loop in a loop"
        mov     ecx, 3
.outer: mov     edx, 4
.inner: dec     edx
.again: jnz     short .inner    ; taken while edx is 3, 2, 1
        dec     ecx
.back:  jnz     short .outer    ; taken while ecx is 2, 1
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        REPEAT  2
        TAKEN   JCC,   .again, .inner, 3
        TAKEN   JCC,   .back,  .outer
        END_REPEAT
        TAKEN   JCC,   .again, .inner, 3
        TAKEN   RET,   .done,  CALLER
END
