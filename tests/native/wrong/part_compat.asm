; A far jump from 32 bits to 64, to code that PART says has 32.
%include "workload.inc"

WORKLOAD part_compat, "wrong on purpose", RING0 | LOW
        FRAME_RING3 .user, COMPAT3
        lea     esi, [.wide]
.iret:  iretq
bits 32
.user:  push    CODE3
        push    esi
.far:   jmp     far [esp]
bits 64
.wide:  nop
.int:   int     48
.end_user:
.stub:  FRAME_RING0 .done
.leave: iretq
.done:  ret

STUB 48, .stub
PART .user, .end_user, RING3 | COMPAT
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
