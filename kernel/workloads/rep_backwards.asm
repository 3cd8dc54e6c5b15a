; The string instructions that rep.asm does not have, also backwards.
;
; They are LODS, CMPS until equal, words and doublewords, with DF set, and a 32-bit count by
; the prefix 67h.  None is a branch, however often it repeats.
%include "workload.inc"

WORKLOAD rep_backwards, "REP LODS, REPNE CMPS, DF set, 32-bit counts: no branches either"
        sub     rsp, byte 64
        mov     rdi, rsp
        mov     eax, 0x11223344
        mov     ecx, 16
        rep stosd
        std
        lea     rsi, [rsp + 60]
        lea     rdi, [rsp + 28]
        mov     ecx, 8
        rep movsd               ; backwards
        lea     rsi, [rsp + 6]
        mov     ecx, 3
        db      0xf3            ; REP, by number, since nasm 2 and 3 order prefixes differently
        lodsw
        cld
        mov     byte [rsp], 0x44
        mov     byte [rsp + 3], 0x55
        mov     rsi, rsp
        lea     rdi, [rsp + 1]
        mov     ecx, 8
        repne cmpsb             ; ends by ZF, or by the count
        mov     rcx, 0x100000000
        db      0xf3
        a32 lodsb               ; REP counts with ECX, which is 0
        add     rsp, byte 64
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
