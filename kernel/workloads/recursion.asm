; A function that calls itself, 40 deep.
;
; This is deeper than any stack of last branches (32 at most), so a ring keeps only returns;
; a call stack of the LBR, or a shadow stack, overflows.
%include "workload.inc"

WORKLOAD recursion, "a function calls itself, 40 deep"
        mov     ecx, 40
.enter: call    .down
.after: nop
.done:  ret

.down:  dec     ecx
.test:  jz      short .bottom   ; taken in the 40th call
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
