; POPF sets TF: #DB comes after the next instruction.
;
; The trap comes when that instruction has completed (SDM vol. 3B, "Single-Step Exception
; Condition"), and its delivery turns LBR off.  The handler clears TF in the flags to which
; its IRETQ returns.
%include "workload.inc"

WORKLOAD tf_db, "POPF sets TF: one single step, which ends what LBR records", RING0
        pushfq
        or      dword [rsp], 0x100
        popfq
.one:   nop
.two:   jmp     short .over
        nop
.over:  nop
.done:  ret

.stub:  and     dword [rsp + 16], ~0x100
.iret:  iretq

STUB 1, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   DB,    .one,   .stub
        TAKEN   IRET,  .iret,  .two
        TAKEN   JMP,   .two,   .over
        TAKEN   RET,   .done,  CALLER
END
