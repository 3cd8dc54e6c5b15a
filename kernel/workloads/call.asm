; CALL and RET: one function calls another, and one is called from two places.
;
; The same RET goes to two addresses, so only its TO distinguishes the two returns.
%include "workload.inc"

WORKLOAD call, "calls and returns, nested, from two places"
.first: call    .outer
.after1: nop
.second: call   .inner
.after2: nop
.done:  ret

.outer: nop
.down:  call    .inner
.up:    nop
.o_ret: ret
.inner: nop
.i_ret: ret

EXPECT
        TAKEN   ICALL, CALLER,  .start
        TAKEN   CALL,  .first,  .outer
        TAKEN   CALL,  .down,   .inner
        TAKEN   RET,   .i_ret,  .up
        TAKEN   RET,   .o_ret,  .after1
        TAKEN   CALL,  .second, .inner
        TAKEN   RET,   .i_ret,  .after2
        TAKEN   RET,   .done,   CALLER
END
