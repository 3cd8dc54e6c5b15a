; Calls, some of which have returned when a #DB stops what LBR records.
;
; In call-stack mode the records are then the way from the caller to here, as a shadow
; stack has it: pushed by calls, taken away by returns, and by nothing else (SDM vol. 3B,
; "Last Branch, Call Stack, Interrupt, and Exception Recording").  A call to the next
; instruction leaves none.  A return that was
; never called, at .leap, takes away the record of a call that has not come back.
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
.lret:  ret                     ; a jump, by way of a return

.deep:  call    .leaf
.there: pushfq
        or      dword [rsp], 0x100
        popfq
.trap:  nop                     ; #DB behind it: recording ends
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
