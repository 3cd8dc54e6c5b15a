; The trap comes after the instruction that follows POPF, not one later.
%include "workload.inc"

WORKLOAD db_late, "wrong on purpose", RING0
        pushfq
        or      dword [rsp], 0x100
        popfq
.one:   nop
.two:   nop
.done:  ret

.stub:  and     dword [rsp + 16], ~0x100
.iret:  iretq

STUB 1, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   DB,    .two,   .stub
        TAKEN   IRET,  .iret,  .done
        TAKEN   RET,   .done,  CALLER
END
