; A page fault, and a handler that makes the same instruction succeed.
;
; The load runs twice and is a FROM once: the first time it faults (SDM vol. 3A,
; "Exception Classifications": faults are restarted).  The error code lies below
; the return address and must be taken off before IRETQ.
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
