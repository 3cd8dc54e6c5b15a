; Branches with prefixes that change only where the instruction begins.
;
; FROM is the first byte of the instruction, prefixes included (SDM vol. 2, "Instruction
; Prefixes").  Compilers do write these: branch hints, BND and NOTRACK, the "rep ret" of AMD's
; optimization guides, a REX that is not needed.
%include "workload.inc"

WORKLOAD prefixes, "branches after prefixes that change nothing"
        xor     eax, eax        ; ZF=1
.hint:  db      0x3e            ; branch hint
        je      short .rex_jcc
        nop
.rex_jcc: db    0x48            ; REX.W
        je      strict near .bnd
        nop
.bnd:   db      0xf2            ; BND
        jmp     strict near .rex
        nop
.rex:   db      0x40            ; REX, no bit of it set
        jmp     short .many
        nop
.many:  db      0x2e, 0x3e, 0xf2, 0x48
        jmp     strict near .set
        nop
.set:   lea     rdx, [.rex_to]
.notrack: db    0x3e            ; NOTRACK
        jmp     rdx
        nop
.rex_to: lea    rdx, [.count]
.rex_w: db      0x48
        jmp     rdx
        nop
.count: mov     ecx, 2
.top:   nop
.loop:  db      0x2e
        loop    .top            ; taken with rcx 1
.call:  db      0xf2
        call    .f
.after: nop
.done:  ret

.f:     nop
.f_ret: db      0xf3            ; REP RET
        ret

EXPECT
        TAKEN   ICALL, CALLER,   .start
        TAKEN   JCC,   .hint,    .rex_jcc
        TAKEN   JCC,   .rex_jcc, .bnd
        TAKEN   JMP,   .bnd,     .rex
        TAKEN   JMP,   .rex,     .many
        TAKEN   JMP,   .many,    .set
        TAKEN   IJMP,  .notrack, .rex_to
        TAKEN   IJMP,  .rex_w,   .count
        TAKEN   JCC,   .loop,    .top
        TAKEN   CALL,  .call,    .f
        TAKEN   RET,   .f_ret,   .after
        TAKEN   RET,   .done,    CALLER
END
