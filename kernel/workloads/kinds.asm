; Every kind of branch that a filter of last-branch records can leave out, once.
;
; The newest eight records have them all, because some stacks are no deeper: a filter that
; does nothing, or leaves out the wrong kind, shows in any of them.  The code drops two return
; addresses itself, so that one return is enough; a tool that pairs calls with returns counts
; two calls that never return.
%include "workload.inc"

WORKLOAD kinds, "INT, IRETQ, JCC, JMP, indirect JMP, CALL, indirect CALL, RET", RING0
.int:   int     48
.next:  xor     eax, eax
.jcc:   jz      short .jmp
        nop
.jmp:   jmp     short .far
        nop
.far:   lea     rax, [.call]
.ijmp:  jmp     rax
        nop
.call:  call    .called
        nop
.called:
        lea     rax, [.last]
.icall: call    rax
        nop
.last:  add     rsp, byte 16    ; both return addresses
.done:  ret

.stub:  nop
.iret:  iretq

STUB 48, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   INT,   .int,   .stub
        TAKEN   IRET,  .iret,  .next
        TAKEN   JCC,   .jcc,   .jmp
        TAKEN   JMP,   .jmp,   .far
        TAKEN   IJMP,  .ijmp,  .call
        TAKEN   CALL,  .call,  .called
        TAKEN   ICALL, .icall, .last
        TAKEN   RET,   .done,  CALLER
END
