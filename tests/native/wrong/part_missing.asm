; IRETQ goes to ring 3, and no PART says so.
%include "workload.inc"

WORKLOAD part_missing, "wrong on purpose", RING0
        FRAME_RING3 .user
.iret:  iretq
.user:  nop
.int:   int     48
.stub:  FRAME_RING0 .done
.leave: iretq
.done:  ret

STUB 48, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
