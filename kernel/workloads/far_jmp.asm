; JMP through a far pointer in memory, to the same code segment.
;
; The pointer is a 32-bit offset and a selector (m16:32), which AMD and Intel both have;
; 64-bit offsets exist only on Intel (SDM vol. 2A, "JMP"; APM vol. 3, "JMP (Far)").  A far
; branch leaves one record like a near one, and loading CS leaves none.
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
