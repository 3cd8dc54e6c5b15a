; CALL to the next instruction, then POP: how code finds its own address.
;
; This call never returns.  It is a record like any other, except in the call-stack mode of
; the LBR, which leaves it out because no return would balance it (SDM vol. 3B, "Last Branch,
; Call Stack, Interrupt, and Exception Recording").  A tool that pairs calls with returns is
; one level too deep afterwards.
%include "workload.inc"

WORKLOAD call_next, "CALL +0 and POP"
        nop
.call:  call    .next
.next:  pop     rax
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   CALL,  .call,  .next
        TAKEN   RET,   .done,  CALLER
END
