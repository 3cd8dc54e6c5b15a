; Every kind of branch once in ring 3, with the path to ring 3 and back.
;
; These are the branches that `kinds` has in ring 0.  A filter by ring leaves out all of them
; or all of the others; processors differ in which of these a branch between rings belongs
; to.  The code drops the return address of the indirect call itself.
%include "workload.inc"

WORKLOAD ring3_kinds, "ring 3: JCC, JMP, indirect JMP, CALL, indirect CALL, RET, INT back", RING0
        mov     rbx, rsp
        FRAME_RING3 .user
.iret:  iretq

.user:  jmp     short .jcc
        nop
.jcc:   xor     eax, eax
.jz:    jz      short .ijmp
        nop
.ijmp:  lea     rax, [.call]
.jmp:   jmp     rax
        nop
.call:  call    .called
.int:   int     48
        nop
.called:
        lea     rax, [.last]
.icall: call    rax
        nop
.last:  add     rsp, byte 8
.ret:   ret
.end_user:

.stub:  FRAME_RING0 .back
.leave: iretq
.back:  nop
.done:  ret

STUB 48, .stub
PART .user, .end_user, RING3
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   IRET,  .iret,  .user
        TAKEN   JMP,   .user,  .jcc
        TAKEN   JCC,   .jz,    .ijmp
        TAKEN   IJMP,  .jmp,   .call
        TAKEN   CALL,  .call,  .called
        TAKEN   ICALL, .icall, .last
        TAKEN   RET,   .ret,   .int
        TAKEN   INT,   .int,   .stub
        TAKEN   IRET,  .leave, .back
        TAKEN   RET,   .done,  CALLER
END
