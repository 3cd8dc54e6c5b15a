; RET n: a return that removes its caller's arguments from the stack.
;
; It has another opcode (C2) and three bytes: a tool that looks for C3 misses it.
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
