; IRETQ to a branch: the handler of an INT returns to a jump.
;
; IRETQ sets TF again, and the trap comes only after the instruction to which it returns (SDM
; vol. 3B, "Single-Step Exception Condition").  So a method that steps has no stop at the
; jump, and must not think that the handler went to its target.
%include "workload.inc"

WORKLOAD iret_branch, "an IRETQ that returns to a jump", RING0
        nop
.int:   int     48
.jump:  jmp     short .over
        nop
.over:  nop
.done:  ret

.stub:  nop
.iret:  iretq

STUB 48, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   INT,   .int,   .stub
        TAKEN   IRET,  .iret,  .jump
        TAKEN   JMP,   .jump,  .over
        TAKEN   RET,   .done,  CALLER
END
