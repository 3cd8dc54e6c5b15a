; ICEBP (INT1, opcode F1), which raises #DB, through a gate of the workload's own.
;
; It sets no bit of DR6 and pushes the address after it (SDM vol. 2A, "INT n/INTO/INT3/INT1").
; No list of records has one of #DB, and its delivery turns LBR off, so LBR's trace ends
; here (SDM vol. 3B, "Monitoring Branches, Exceptions, and Interrupts").  BTS continues and
; stores the IRETQ; no manual says that it stores nothing for the entry.  Stock QEMU raises
; #UD here.
%include "workload.inc"

WORKLOAD icebp, "ICEBP: #DB, which ends what LBR records", RING0 | NOT_STOCK
        nop
.before: jmp    short .icebp
        nop
.icebp: int1
.next:  jmp     short .over
        nop
.over:  nop
.done:  ret

.stub:  nop
.iret:  iretq

STUB 1, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JMP,   .before, .icebp
        TAKEN   DB,    .icebp, .stub
        TAKEN   IRET,  .iret,  .next
        TAKEN   JMP,   .next,  .over
        TAKEN   RET,   .done,  CALLER
END
