; POPF clears TF and sets it again, where a tracer had it set.
;
; TF was set when the first POPF began, so it is stopped after once more, and nothing
; then until the second one; that sets TF and is itself not stopped after, but what
; follows it is (SDM vol. 3B, "Single-Step Exception Condition").  For who does not
; step, both change nothing.  That a POPF which clears TF still traps is derived.
%include "workload.inc"

WORKLOAD popf, "POPF clears TF for two jumps and sets it again", RING0
        pushfq
        pop     r8
        mov     r9, r8
        and     r9d, ~0x100
        push    r9
.clear: popfq
.dark:  nop
.one:   jmp     .too
        nop
.too:   jmp     .again
        nop
.again: push    r8
.set:   popfq
.next:  nop
.jmp:   jmp     .over
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
