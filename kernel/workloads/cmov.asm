; CMOVcc and SETcc, on conditions that are true and on conditions that are false: no branch.
;
; They decide by the flags like Jcc, but the code runs straight on.  A tracer that takes each
; condition for a branch has records here that it should not have.
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
