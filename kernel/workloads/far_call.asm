; CALL through a far pointer in memory, and RETF.
;
; With a 32-bit offset, CALL pushes CS and the return address in 4 bytes each, and RETF
; without REX.W pops them (SDM vol. 2A, "CALL", "RET").  Both are far branches: a tracer that
; looks only for near returns misses this one.
%include "workload.inc"

WORKLOAD far_call, "far CALL through memory, m16:32, and RETF", LOW
        mov     eax, cs
        shl     rax, 32
        lea     edx, [.callee]  ; lies in the first 4 GiB, or this is not run
        or      rax, rdx
        push    rax
.call:  call    dword far [rsp]
.next:  pop     rax
.done:  ret

.callee:
        nop
.retf:  retf

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   FAR,   .call,  .callee
        TAKEN   FAR,   .retf,  .next
        TAKEN   RET,   .done,  CALLER
END
