; To ring 3 by IRETQ, and back by INT n to a handler that returns to ring 0.
;
; This is the smallest round trip.  Each change of ring is one record, like that of any far
; transfer, whichever ring it leaves.  A method that steps keeps TF in the flags that IRETQ
; loads, and sees neither the INT nor the IRETQ of its handler.
%include "workload.inc"

WORKLOAD ring3, "IRETQ to ring 3, and INT 48 back", RING0
        mov     rbx, rsp
        FRAME_RING3 .user
.iret:  iretq
.user:  nop
.int:   int     48
.end_user:

.stub:  FRAME_RING0 .back
.leave: iretq
.back:  nop
.done:  ret

STUB 48, .stub
PART .user, .end_user, RING3
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   IRET,  .iret,  .user
        TAKEN   INT,   .int,   .stub
        TAKEN   IRET,  .leave, .back
        TAKEN   RET,   .done,  CALLER
END
