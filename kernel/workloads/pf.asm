; A page fault, and a handler that makes the same instruction succeed.
;
; The load runs twice and is FROM once, because it faults the first time (SDM vol. 3A,
; "Exception Classifications": faults are restarted).  The error code is below the return
; address, so the handler must pop it before IRETQ.
%include "workload.inc"

WORKLOAD pf, "#PF, the same load tried again", RING0
        mov     edi, 16         ; in the first page, which nobody maps
.load:  mov     eax, [rdi]
.done:  ret

.stub:  mov     rdi, rsp        ; memory that is there
        pop     rax             ; the error code
.iret:  iretq

STUB 14, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   EXC,   .load,  .stub
        TAKEN   IRET,  .iret,  .load
        TAKEN   RET,   .done,  CALLER
END
