; A function that calls itself, 40 deep.
;
; Deeper than any stack of last branches (32 at most), so that what a ring keeps is
; the returns alone; a call stack of the LBR or a shadow stack is overrun.
%include "workload.inc"

WORKLOAD recursion, "a function calls itself, 40 deep"
        mov     ecx, 40
.enter: call    .down
.after: nop
.done:  ret

.down:  dec     ecx
.test:  jz      .bottom         ; taken in the 40th call
.deeper: call   .down           ; 39 times
.bottom: nop
.up:    ret

EXPECT
        TAKEN   ICALL, CALLER,  .start
        TAKEN   CALL,  .enter,  .down
        TAKEN   CALL,  .deeper, .down, 39
        TAKEN   JCC,   .test,   .bottom
        TAKEN   RET,   .up,     .bottom, 39
        TAKEN   RET,   .up,     .after
        TAKEN   RET,   .done,   CALLER
END
