; A division by zero, and a handler that corrects the divisor.
;
; #DE is a fault without an error code, so the same division runs again (SDM vol. 3A,
; "Interrupt 0: Divide Error Exception").
%include "workload.inc"

WORKLOAD de, "#DE, the same division tried again", RING0
        mov     eax, 42
        xor     edx, edx
        xor     ecx, ecx
.div:   div     ecx
        nop
.done:  ret

.stub:  mov     ecx, 6
.iret:  iretq

STUB 0, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   EXC,   .div,   .stub
        TAKEN   IRET,  .iret,  .div
        TAKEN   RET,   .done,  CALLER
END
