; POPF clears TF and sets it again, where a tracer had it set.
;
; TF is set when the first POPF begins, so there is one more stop after it, and then none until
; the second POPF.  That sets TF and has no stop after itself, but the next instruction has
; (SDM vol. 3B, "Single-Step Exception Condition").  Under a method that does not step, both
; change nothing.  That a POPF which clears TF still traps is derived.
%include "workload.inc"

WORKLOAD popf, "POPF clears TF for two jumps and sets it again", RING0
        pushfq
        pop     r8
        mov     r9, r8
        and     r9d, ~0x100
        push    r9
.clear: popfq
.dark:  nop
.one:   jmp     short .too
        nop
.too:   jmp     short .again
        nop
.again: push    r8
.set:   popfq
.next:  nop
.jmp:   jmp     short .over
        nop
.over:  nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TF      CLEARED, .clear, .dark
        TAKEN   JMP,   .one,   .too
        TAKEN   JMP,   .too,   .again
        TF      SET,   .set,   .next
        TAKEN   JMP,   .jmp,   .over
        TAKEN   RET,   .done,  CALLER
END
