; CMOVcc and SETcc on conditions that hold and that do not: no branch.
;
; They decide by the flags like Jcc and never leave the straight line: a tracer that
; takes each condition for a branch shows records here that nothing left.
%include "workload.inc"

WORKLOAD cmov, "CMOVcc and SETcc, which decide and are no branches"
        xor     eax, eax
        mov     edx, 1
        cmp     edx, eax        ; above, not equal, not signed
        cmova   ecx, edx
        cmovb   ecx, eax
        cmovne  esi, edx
        cmove   esi, eax
        cmovs   rdi, [rsp]      ; reads its operand although nothing is moved
        setne   al
        sete    dl
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
