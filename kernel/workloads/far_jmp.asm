; JMP through a far pointer in memory, to the same code segment.
;
; The pointer has 32 bits of offset and a selector (m16:32): what AMD and Intel both
; have; 64 bits of offset are Intel's alone (SDM vol. 2A, "JMP"; APM vol. 3, "JMP
; (Far)").  A far branch leaves one record like a near one, and the reload of CS none.
%include "workload.inc"

WORKLOAD far_jmp, "far JMP through memory, m16:32", LOW
        mov     eax, cs
        shl     rax, 32
        lea     edx, [.target]  ; lies in the first 4 GiB, or this is not run
        or      rax, rdx
        push    rax
.jmp:   jmp     dword far [rsp]
        nop
.target:
        pop     rax
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   FAR,   .jmp,   .target
        TAKEN   RET,   .done,  CALLER
END
