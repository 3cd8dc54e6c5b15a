; 32-bit code whose CS has a base, so that EIP is not the address.
;
; BTS and most last-branch records hold addresses; those of some processors hold offsets in
; CS.  Only a base other than 0 distinguishes the two.
%include "workload.inc"

WORKLOAD based, "code of 32 bits whose CS has a base: branches, INT and far JMP", RING0 | LOW
        mov     rbx, rsp
        FRAME_RING3 .user, BASED3
        mov     ecx, 3
        lea     esi, [.there]
        sub     esi, CS_BASE
        lea     edi, [.wide]
.iret:  iretq
bits 32
.user:  nop
.top:   loop    .top            ; taken while ecx is 2, 1
.call:  call    .callee
.next:  nop
.int:   int     48
.after: nop
.ijmp:  jmp     esi
        nop
.there: push    byte CODE3
        push    edi
.far:   jmp     far [esp]
.callee:
        nop
.ret:   ret
.end_user:
bits 64
.wide:  add     rsp, byte 8
        push    byte BASED3     ; and to the base once more, back
        lea     eax, [.last]
        sub     eax, CS_BASE
        push    rax
.retfq: retfq
.end_wide:
bits 32
.last:  int     49
.end_last:
bits 64

.stub:  nop
.back:  iretq
.exit:  FRAME_RING0 .home
.leave: iretq
.home:  nop
.done:  ret

STUB 48, .stub
STUB 49, .exit
PART .user, .end_user, RING3 | COMPAT, CS_BASE
PART .wide, .end_wide, RING3
PART .last, .end_last, RING3 | COMPAT, CS_BASE
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   IRET,  .iret,  .user
        TAKEN   JCC,   .top,   .top, 2
        TAKEN   CALL,  .call,  .callee
        TAKEN   RET,   .ret,   .next
        TAKEN   INT,   .int,   .stub
        TAKEN   IRET,  .back,  .after
        TAKEN   IJMP,  .ijmp,  .there
        TAKEN   FAR,   .far,   .wide
        TAKEN   FAR,   .retfq, .last
        TAKEN   INT,   .last,  .exit
        TAKEN   IRET,  .leave, .home
        TAKEN   RET,   .done,  CALLER
END
