; LOOP, LOOPE and LOOPNE: ended by the count, ended by the flag, counting with ECX.
;
; They count without touching a flag.  With the prefix 67h only ECX counts, and
; writing it clears the upper half of RCX; without it all 64 bits count.
%include "workload.inc"

WORKLOAD loopcc, "LOOP, LOOPE, LOOPNE, by count and by flag"
        mov     ecx, 3
.body:  nop
.loop:  loop    .body           ; taken with rcx 2, 1

        mov     ecx, 3
        cmp     ecx, ecx        ; ZF=1 and stays
.e:     nop
.loope: loope   .e              ; taken with rcx 2, 1: ended by the count

        mov     ecx, 10
.e_z:   cmp     ecx, byte 10    ; ZF=1 once only
.e_end: loope   .e_z            ; taken with rcx 9; ended by the flag at 8

        mov     ecx, 3
.ne:    cmp     ecx, byte 100   ; ZF=0 always
.loopne: loopne .ne             ; taken with rcx 2, 1: ended by the count

        mov     ecx, 10
.ne_z:  cmp     ecx, byte 8     ; ZF=1 in the third round
.ne_end: loopne .ne_z           ; taken with rcx 9, 8; ended by the flag at 7

        mov     rcx, 0x100000001
.wide:  loop    .narrow         ; rcx 100000000h is not 0: taken
        nop
.narrow: mov    rcx, 0x100000002
.a32_body: nop
.a32:   a32 loop .a32_body      ; taken with ecx 1, and not with 0
        mov     rcx, 0x100000001
.a32_not: a32 loop .done        ; ecx 0: not taken, whatever the upper half holds
        nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER,  .start
        TAKEN   JCC,   .loop,   .body, 2
        TAKEN   JCC,   .loope,  .e, 2
        TAKEN   JCC,   .e_end,  .e_z
        TAKEN   JCC,   .loopne, .ne, 2
        TAKEN   JCC,   .ne_end, .ne_z, 2
        TAKEN   JCC,   .wide,   .narrow
        TAKEN   JCC,   .a32,    .a32_body
        TAKEN   RET,   .done,   CALLER
END
