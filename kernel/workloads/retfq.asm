; RETFQ: a far return with 64 bits, which no far call has led here.
;
; It takes the address and CS from the stack.  The second one has an operand as well:
; bytes that it takes off behind them.
%include "workload.inc"

WORKLOAD retfq, "RETFQ to addresses made by hand, plain and with bytes to drop"
        mov     eax, cs
        lea     rdx, [.first]
        push    rax
        push    rdx
.retfq: retfq
        nop
.first: lea     rdx, [.second]
        push    rax             ; dropped
        push    rax
        push    rdx
.drop:  o64 retf 8
        nop
.second:
        nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   FAR,   .retfq, .first
        TAKEN   FAR,   .drop,  .second
        TAKEN   RET,   .done,  CALLER
END
