; RET n: a return that takes its caller's arguments off the stack.
;
; Another opcode (C2) and three bytes long: who looks for C3 misses it.
%include "workload.inc"

WORKLOAD ret_n, "RET 16"
        push    rax
        push    rdx
.call:  call    .callee
.after: nop
.done:  ret

.callee: nop
.ret_n: ret     16              ; both arguments

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   CALL,  .call,  .callee
        TAKEN   RET,   .ret_n, .after
        TAKEN   RET,   .done,  CALLER
END
