; #GP from an address that is not canonical, and a handler that makes it canonical.
;
; This is a fault with an error code: FROM is the load, which runs twice and leaves one
; record.  The address is not canonical with 4 levels of page tables nor with 5: bits 62 and
; 63 differ (SDM vol. 1, "Canonical Addressing").
%include "workload.inc"

WORKLOAD gp, "#GP from an address that is not canonical, the same load tried again", RING0
        mov     rdi, 0x4000000000000000
.load:  mov     eax, [rdi]
.done:  ret

.stub:  mov     rdi, rsp        ; memory that is there
        pop     rax             ; the error code
.iret:  iretq

STUB 13, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   EXC,   .load,  .stub
        TAKEN   IRET,  .iret,  .load
        TAKEN   RET,   .done,  CALLER
END
