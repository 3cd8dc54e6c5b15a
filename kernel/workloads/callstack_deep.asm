; 70 calls, 6 of which return, and a #DB that stops LBR.
;
; This is deeper than any stack of last branches.  In call-stack mode the oldest calls fall
; out and do not come back when newer ones return (SDM vol. 3B, "Last Branch, Call Stack,
; Interrupt, and Exception Recording").  Three functions call each other in turn, so that
; neighbouring records differ.
%include "workload.inc"

WORKLOAD callstack_deep, "70 calls deep, 6 back, then #DB", RING0
        mov     ecx, 70
.enter: call    .a
.after: nop
.done:  ret

.a:     dec     ecx
.ja:    jz      short .tail     ; taken in the 70th call
.ca:    call    .b
.ka:    jmp     short .tail
.b:     dec     ecx
.jb:    jz      short .tail     ; never
.cb:    call    .c
.kb:    jmp     short .tail
.c:     dec     ecx
.jc:    jz      short .tail     ; never
.cc:    call    .a
.kc:    jmp     short .tail

.tail:  inc     ecx
        cmp     ecx, byte 7     ; the sixth has come back
.not:   jne     short .up
        pushfq
        or      dword [rsp], 0x100
        popfq
.trap:  nop                     ; #DB after it ends the recording
.up:    ret

.db:    and     dword [rsp + 16], ~0x100
.dbret: iretq

STUB 1, .db
EXPECT
        TAKEN   ICALL, CALLER,  .start
        TAKEN   CALL,  .enter,  .a
        REPEAT  23
        TAKEN   CALL,  .ca,     .b
        TAKEN   CALL,  .cb,     .c
        TAKEN   CALL,  .cc,     .a
        END_REPEAT
        TAKEN   JCC,   .ja,     .tail
        REPEAT  2
        TAKEN   JCC,   .not,    .up
        TAKEN   RET,   .up,     .kc
        TAKEN   JMP,   .kc,     .tail
        TAKEN   JCC,   .not,    .up
        TAKEN   RET,   .up,     .kb
        TAKEN   JMP,   .kb,     .tail
        TAKEN   JCC,   .not,    .up
        TAKEN   RET,   .up,     .ka
        TAKEN   JMP,   .ka,     .tail
        END_REPEAT
        TAKEN   DB,    .trap,   .db
        TAKEN   IRET,  .dbret,  .up
        TAKEN   RET,   .up,     .kc
        TAKEN   JMP,   .kc,     .tail
        REPEAT  20
        TAKEN   JCC,   .not,    .up
        TAKEN   RET,   .up,     .kb
        TAKEN   JMP,   .kb,     .tail
        TAKEN   JCC,   .not,    .up
        TAKEN   RET,   .up,     .ka
        TAKEN   JMP,   .ka,     .tail
        TAKEN   JCC,   .not,    .up
        TAKEN   RET,   .up,     .kc
        TAKEN   JMP,   .kc,     .tail
        END_REPEAT
        TAKEN   JCC,   .not,    .up
        TAKEN   RET,   .up,     .kb
        TAKEN   JMP,   .kb,     .tail
        TAKEN   JCC,   .not,    .up
        TAKEN   RET,   .up,     .ka
        TAKEN   JMP,   .ka,     .tail
        TAKEN   JCC,   .not,    .up
        TAKEN   RET,   .up,     .after
        TAKEN   RET,   .done,   CALLER
END
