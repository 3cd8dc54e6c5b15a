; MOV SS delays the single step until after the next instruction.
;
; After a load of SS, debug exceptions wait for one instruction, so that ESP can be loaded
; with it (SDM vol. 3A, "Masking Exceptions and Interrupts When Switching Stacks").  A method
; that steps has no stop before that instruction.  Here it is a taken jump, which BTF sees and
; stepping cannot detect.
%include "workload.inc"

WORKLOAD mov_ss, "a taken jump in the shadow of MOV SS", RING0
        mov     eax, ss
        nop
.load:  mov     ss, eax
.jmp:   jmp     short .over
        nop
.over:  nop
.again: mov     ss, eax
.plain: nop
.go:    jmp     short .away
        nop
.away:  nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TF      HELD,  .load,  .jmp
        TAKEN   JMP,   .jmp,   .over
        TF      HELD,  .again, .plain
        TAKEN   JMP,   .go,    .away
        TAKEN   RET,   .done,  CALLER
END
