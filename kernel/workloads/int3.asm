; INT3 through a gate of the workload's own, and back by IRETQ.
;
; The one-byte breakpoint is a trap: the address pushed is the one after it.  That
; FROM is the INT3 itself, as with INT n, is expected by analogy; no manual names
; INT3 (SDM vol. 3C, "Control Flow Information Packets", says "software interrupt").
%include "workload.inc"

WORKLOAD int3, "INT3 and its IRETQ", RING0
        nop
.int3:  int3
.next:  nop
.done:  ret

.stub:  nop
.iret:  iretq

STUB 3, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   INT,   .int3,  .stub
        TAKEN   IRET,  .iret,  .next
        TAKEN   RET,   .done,  CALLER
END
