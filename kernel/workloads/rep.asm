; String instructions with repeat prefixes: no branch, however often they repeat.
;
; REP continues at its own address, and under TF it stops there after every element (SDM
; vol. 2, "REP/REPE/REPZ/REPNE/REPNZ"): the same address again is not a loop.  One is ended by
; the count, one early by a flag, and one has a count of 0.
%include "workload.inc"

WORKLOAD rep, "REP string instructions, which are no branches"
        sub     rsp, byte 64
        mov     rdi, rsp
        mov     eax, 0x5a
        mov     ecx, 32
        rep stosb               ; 32 bytes of 5A
        mov     rsi, rsp
        lea     rdi, [rsp + 32]
        mov     ecx, 4
        rep movsq               ; ...copied
        mov     byte [rsp + 5], 0
        mov     rsi, rsp
        lea     rdi, [rsp + 32]
        mov     ecx, 32
        repe cmpsb              ; ends at the sixth byte, which differs
        lea     rdi, [rsp + 32]
        mov     ecx, 8
        repe scasb              ; ends by the count: all are 5A
        mov     rdi, rsp
        xor     eax, eax
        mov     ecx, 32
        repne scasb             ; ends at the sixth byte
        xor     ecx, ecx
        rep stosb               ; nothing
        add     rsp, byte 64
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
