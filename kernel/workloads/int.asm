; INT n through a gate of the workload's own, and back by IRETQ.
;
; The FROM of the record is the INT itself, although the address that is pushed is the one
; after it (SDM vol. 3C, "Control Flow Information Packets": FUP payload by event).  Delivery
; clears TF, so stepping sees nothing of the handler.
%include "workload.inc"

WORKLOAD int, "INT 48 and its IRETQ", RING0
.int:   int     48
.next:  nop
.done:  ret

.stub:  nop
.iret:  iretq

STUB 48, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   INT,   .int,   .stub
        TAKEN   IRET,  .iret,  .next
        TAKEN   RET,   .done,  CALLER
END
