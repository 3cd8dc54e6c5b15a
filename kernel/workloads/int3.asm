; INT3 through a gate of the workload's own, and back by IRETQ.
;
; The one-byte breakpoint is a trap: the address pushed is the one after it.  FROM is the
; INT3 itself, as with INT n: INT n, INT3 and INTO are software interrupts (SDM vol. 2A,
; "INT n/INTO/INT3/INT1"), whose FROM is the instruction (vol. 3C, "Control Flow Information
; Packets").
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
