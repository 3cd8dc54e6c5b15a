; 32-bit code in ring 3: branches, a call, an INTO that is taken and one that is not.
;
; The same bytes are other instructions here: 40H is INC, not a prefix, and INTO does not
; exist in 64-bit code.  A tracer fails here if it decodes by the processor's mode and not by
; the segment's.
%include "workload.inc"

WORKLOAD compat, "code of 32 bits in ring 3: branches, a call, INTO", RING0 | LOW
        mov     rbx, rsp
        FRAME_RING3 .user, COMPAT3
        mov     ecx, 3
.iret:  iretq
bits 32
.user:  xor     eax, eax
.top:   inc     eax             ; 40H
.loop:  loop    .top            ; taken while ecx is 2, 1
.call:  call    .callee
.first: into                    ; OF is clear
        mov     al, 127
        inc     al              ; sets OF
.into:  into
.after: nop
.jump:  jmp     short .last
        nop
.last:  int     48
.callee:
        nop
.ret:   ret
.end_user:
bits 64

.of:    nop
.over:  iretq
.stub:  FRAME_RING0 .back
.leave: iretq
.back:  nop
.done:  ret

STUB 4, .of
STUB 48, .stub
PART .user, .end_user, RING3 | COMPAT
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   IRET,  .iret,  .user
        TAKEN   JCC,   .loop,  .top, 2
        TAKEN   CALL,  .call,  .callee
        TAKEN   RET,   .ret,   .first
        TAKEN   INT,   .into,  .of
        TAKEN   IRET,  .over,  .after
        TAKEN   JMP,   .jump,  .last
        TAKEN   INT,   .last,  .stub
        TAKEN   IRET,  .leave, .back
        TAKEN   RET,   .done,  CALLER
END
