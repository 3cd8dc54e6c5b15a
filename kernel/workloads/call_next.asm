; CALL to the next instruction, then POP: how code asks where it is.
;
; A call that never returns.  It is a record like any other; only the call-stack
; mode of the LBR leaves it out, since no return would balance it (SDM vol. 3B, "Last
; Branch, Call Stack, Interrupt, and Exception Recording").  Whoever pairs calls with
; returns ends up one too deep.
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
