; An invalid opcode, and a handler that resumes after it.
;
; #UD is a fault: FROM is the instruction that faulted, which is the address pushed (SDM
; vol. 3A, "Exception Classifications").  The handler overwrites that address, so that IRETQ
; goes where no processor would have gone by itself.
%include "workload.inc"

WORKLOAD ud, "#UD, resumed after it", RING0
        nop
.ud:    ud2
        nop
.next:  nop
.done:  ret

.stub:  lea     rax, [.next]
        mov     [rsp], rax      ; the RIP to return to
.iret:  iretq

STUB 6, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   EXC,   .ud,    .stub
        TAKEN   IRET,  .iret,  .next
        TAKEN   RET,   .done,  CALLER
END
