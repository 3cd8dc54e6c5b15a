; CLI in ring 3, which only ring 0 may do: nobody passes over it there.
%include "workload.inc"

WORKLOAD ring0_only, "wrong on purpose", RING0
        mov     rbx, rsp
        FRAME_RING3 .user
.iret:  iretq
.user:  cli
.int:   int     48
.end_user:
.stub:  FRAME_RING0 .done
.leave: iretq
.done:  ret

STUB 48, .stub
PART .user, .end_user, RING3
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
