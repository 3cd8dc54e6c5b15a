; INT3 in ring 3, and INT n in its handler: ring 3, ring 0, ring 0 again, and back.
;
; Two events are open at once, and only the outer one changes the ring and the stack.
%include "workload.inc"

WORKLOAD ring3_bp, "INT3 in ring 3, and INT 49 in its handler", RING0
        mov     rbx, rsp
        FRAME_RING3 .user
.iret:  iretq
.user:  nop
.int3:  int3
.after: nop
.int:   int     48
.end_user:

.bp:    nop
.inner: int     49
.next:  nop
.over:  iretq
.stub:  nop
.ret:   iretq
.exit:  FRAME_RING0 .back
.leave: iretq
.back:  nop
.done:  ret

STUB 3, .bp
STUB 48, .exit
STUB 49, .stub
PART .user, .end_user, RING3
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   IRET,  .iret,  .user
        TAKEN   INT,   .int3,  .bp
        TAKEN   INT,   .inner, .stub
        TAKEN   IRET,  .ret,   .next
        TAKEN   IRET,  .over,  .after
        TAKEN   INT,   .int,   .exit
        TAKEN   IRET,  .leave, .back
        TAKEN   RET,   .done,  CALLER
END
