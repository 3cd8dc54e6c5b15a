; A function called ten times from a loop.
;
; Three branches that repeat as a body: call, return, back.  A stack of last branches
; that is not a multiple of three deep ends in the middle of it.
%include "workload.inc"

WORKLOAD call_loop, "a loop that calls a function, ten rounds"
        mov     ecx, 10
.top:   nop
.call:  call    .f
.after: dec     ecx
.back:  jnz     short .top      ; taken while ecx is 9 down to 1
.done:  ret

.f:     nop
.f_ret: ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        REPEAT  9
        TAKEN   CALL,  .call,  .f
        TAKEN   RET,   .f_ret, .after
        TAKEN   JCC,   .back,  .top
        END_REPEAT
        TAKEN   CALL,  .call,  .f
        TAKEN   RET,   .f_ret, .after
        TAKEN   RET,   .done,  CALLER
END
