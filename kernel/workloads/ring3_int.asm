; Branches in ring 3, with INT n and back three times.
;
; The handler returns to ring 3: recorders that filter by ring must not confuse the two ends
; of a record, and a method that steps must have TF again after each IRETQ.
%include "workload.inc"

WORKLOAD ring3_int, "branches in ring 3, and INT 48 three times there and back", RING0
        mov     rbx, rsp
        mov     ecx, 3
        FRAME_RING3 .user
.iret:  iretq
.user:  nop
.call:  call    .callee
.top:   int     48
.after: dec     ecx
.again: jnz     short .top      ; taken while ecx is 2, 1
        nop
.last:  int     49
.callee:
        nop
.ret:   ret
.end_user:

.stub:  nop
.back:  iretq
.exit:  FRAME_RING0 .home
.leave: iretq
.home:  nop
.done:  ret

STUB 48, .stub
STUB 49, .exit
PART .user, .end_user, RING3
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   IRET,  .iret,  .user
        TAKEN   CALL,  .call,  .callee
        TAKEN   RET,   .ret,   .top
        REPEAT  2
        TAKEN   INT,   .top,   .stub
        TAKEN   IRET,  .back,  .after
        TAKEN   JCC,   .again, .top
        END_REPEAT
        TAKEN   INT,   .top,   .stub
        TAKEN   IRET,  .back,  .after
        TAKEN   INT,   .last,  .exit
        TAKEN   IRET,  .leave, .home
        TAKEN   RET,   .done,  CALLER
END
