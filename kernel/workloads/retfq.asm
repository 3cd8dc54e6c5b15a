; RETFQ: a 64-bit far return, to which no far call belongs.
;
; It pops the address and CS.  The second one has an operand too: how many more bytes it
; removes.
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
