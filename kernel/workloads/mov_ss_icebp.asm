; ICEBP in the shadow of MOV SS.
;
; The shadow delays pending traps, not the #DB that an instruction itself raises.  Stock QEMU
; (Debian's 7.2) hangs here.
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
