; CALL through a far pointer in memory, and RETF.
;
; With 32 bits of offset it pushes CS and the return address in 4 bytes each, and RETF
; without REX.W takes them back (SDM vol. 2A, "CALL", "RET").  Both are far branches: a
; tracer that looks for near returns only does not see this one come back.
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
