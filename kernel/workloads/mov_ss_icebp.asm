; ICEBP in the shadow of MOV SS.
;
; The shadow holds back traps that are pending, not the #DB that an instruction raises
; by itself.  Stock QEMU hangs here (Debian's 7.2), so this is for other machines.
%include "workload.inc"

WORKLOAD mov_ss_icebp, "ICEBP in the shadow of MOV SS", RING0 | NOT_STOCK
        mov     eax, ss
        nop
.load:  mov     ss, eax
.icebp: int1
.next:  nop
.done:  ret

.stub:  nop
.iret:  iretq

STUB 1, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TF      HELD,  .load,  .icebp
        TAKEN   DB,    .icebp, .stub
        TAKEN   IRET,  .iret,  .next
        TAKEN   RET,   .done,  CALLER
END
