; Loses its stack: the fault of the PUSH cannot be delivered there either, #DF.
%include "workload.inc"

WORKLOAD bad_stack, "push with a stack pointer that is no address"
        mov     rsp, 0x8000000000000000
.push:  push    rax
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
