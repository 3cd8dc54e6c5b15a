; Calls, some of which have returned when a #DB stops LBR.
;
; In call-stack mode the records are the path from the caller to this point, like a shadow
; stack: calls push them, returns remove them, and nothing else does (SDM vol. 3B, "Last
; Branch, Call Stack, Interrupt, and Exception Recording").  A call to the next instruction
; leaves none.  The return at .leap, which belongs to no call, removes the record of a call
; that has not returned.
%include "workload.inc"

WORKLOAD callstack, "calls and returns, then #DB in the depth of four", RING0
.first: call    .outer
.home:  nop
.done:  ret

.outer: call    .leaf           ; comes back
.back:  lea     rax, [.middle]
.icall: call    rax             ; a step down
.up2:   nop
.oret:  ret

.middle:
        call    .next           ; only asks where it is
.next:  pop     rax
.after: call    .leap           ; its record is taken away, and it does not come back
.never: nop
.landed:
        call    .deep
.up3:   nop
.mret:  ret

.leap:  lea     rax, [.landed]
        mov     [rsp], rax
.lret:  ret                     ; a jump, made by a return

.deep:  call    .leaf
.there: pushfq
        or      dword [rsp], 0x100
        popfq
.trap:  nop                     ; #DB after it ends the recording
.dret:  ret

.leaf:  nop
.fret:  ret

.db:    and     dword [rsp + 16], ~0x100
.dbret: iretq

STUB 1, .db
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   CALL,  .first, .outer
        TAKEN   CALL,  .outer, .leaf
        TAKEN   RET,   .fret,  .back
        TAKEN   ICALL, .icall, .middle
        TAKEN   CALL,  .middle, .next
        TAKEN   CALL,  .after, .leap
        TAKEN   RET,   .lret,  .landed
        TAKEN   CALL,  .landed, .deep
        TAKEN   CALL,  .deep,  .leaf
        TAKEN   RET,   .fret,  .there
        TAKEN   DB,    .trap,  .db
        TAKEN   IRET,  .dbret, .dret
        TAKEN   RET,   .dret,  .up3
        TAKEN   RET,   .mret,  .up2
        TAKEN   RET,   .oret,  .home
        TAKEN   RET,   .done,  CALLER
END
