; Processor Trace: compressed returns, and TIPs that wait.
; SDM vol. 3C, "Indirect Transfer Compression for Returns (RET)" and "Deferred TIPs".
; classes pt
; variants plain icount=-icount+shift=0 defer=bt-pt-defer=on
%include "guest.inc"
%include "pt.inc"

main:
        ; A return to where the call came from is a taken branch, unless DisRETC is set.
        PT_BEGIN OS, on1
        call    sub1
        lea     rax, [rel sub1]
        call    rax
        call    outer1
        PT_END  off1, "pt ret"
;=!@defer pt ret|psb pip:200000 cbr psbend mode:1 pge:on1 tnt:T tip:sub1 tnt:TTT fup:off1 pgd
;=@defer pt ret|psb pip:200000 cbr psbend mode:1 pge:on1 tnt:TTTT tip:sub1 fup:off1 pgd
        PT_BEGIN OS | DIS_RETC, on2
        call    sub1
NAME back2,     PT_END  off2, "pt ret not compressed"
;=pt pt ret not compressed|psb pip:200000 cbr psbend mode:1 pge:on2 tip:back2 fup:off2 pgd

        ; Another return has TIP, and so have those of the calls before it.
        PT_BEGIN OS, on3
        call    other3
NAME back3,     call    sub1
        PT_END  off3, "pt other return"
;=pt pt other return|psb pip:200000 cbr psbend mode:1 pge:on3 tip:pushed3 tip:back3 tnt:T fup:off3 pgd

        ; A call of the next instruction is not remembered.
        PT_BEGIN OS, on4
        push    back4
        call    zero4
NAME zero4,     ret
NAME back4,     PT_END  off4, "pt call of the next instruction"
;=pt pt call of the next instruction|psb pip:200000 cbr psbend mode:1 pge:on4 tip:zero4 tip:back4 fup:off4 pgd

        ; 66 calls, of which 64 are remembered.
        PT_BEGIN OS, on5
        mov     ecx, 66
        call    deep
NAME back5,     PT_END  off5, "pt depth"
;=pt,!longtnt pt depth|psb pip:200000 cbr psbend mode:1 pge:on5 tnt:NNNNNN*10 tnt:NNNNNT tnt:TTTTTT*10 tnt:TTTT tip:deep_end tip:back5 fup:off5 pgd
;=longtnt pt depth|psb pip:200000 cbr psbend mode:1 pge:on5 TNT:NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN TNT:NNNNNNNNNNNNNNNNNNTTTTTTTTTTTTTTTTTTTTTTTTTTTTT TNT:TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT tip:deep_end tip:back5 fup:off5 pgd

        ; An interrupt in between changes nothing.
        SET_VECTOR 0x40, software
        PT_BEGIN OS, on6
        call    interrupted
NAME back6,     PT_END  off6, "pt ret after iret"
;=pt pt ret after iret|psb pip:200000 cbr psbend mode:1 pge:on6 fup:interrupted tip:software tip:interrupted_end tnt:T fup:off6 pgd

        ; TIPs wait for the TNT packet before them; a return that is not compressed does
        ; not.
        PT_BEGIN OS, on7
        xor     eax, eax
        jnz     quit
        lea     rax, [rel a7]
        jmp     rax
NAME a7,        xor     eax, eax
        OVER_NOP jz
        lea     rax, [rel b7]
        jmp     rax
NAME b7,        xor     eax, eax
        jnz     quit
        push    c7
        ret
NAME c7,        PT_END  off7, "pt tips that wait"
;=!@defer pt tips that wait|psb pip:200000 cbr psbend mode:1 pge:on7 tnt:N tip:a7 tnt:T tip:b7 tnt:N tip:c7 fup:off7 pgd
;=@defer pt tips that wait|psb pip:200000 cbr psbend mode:1 pge:on7 tnt:NTN tip:a7 tip:b7 tip:c7 fup:off7 pgd

        ; Calls through a register in a loop.
        mov     ebx, 3
        lea     rsi, [rel sub1]
        PT_BEGIN OS, on9
again9: call    rsi
        dec     ebx
        jnz     again9
        PT_END  off9, "pt indirect calls in a loop"
;=!@defer pt indirect calls in a loop|psb pip:200000 cbr psbend mode:1 pge:on9 tip:sub1 tnt:TT tip:sub1 tnt:TT tip:sub1 tnt:TN fup:off9 pgd
;=@defer pt indirect calls in a loop|psb pip:200000 cbr psbend mode:1 pge:on9 tip:sub1 tnt:TTTTTN tip:sub1 tip:sub1 fup:off9 pgd

        ; A PSB between a call and its return, which is then not compressed: only those of
        ; calls since the last PSB are (SDM vol. 3C, "Indirect Transfer COFI").  The second
        ; PSB comes after 2048 bytes.  The first 40 are a PSB (16), PIP (8), CBR (4), PSBEND
        ; (2), MODE (2), TIP.PGE (5) and TIP (3).  There follow 2008 short packets of 6
        ; branches or 251 long ones of 47, so 552 or 803 branches of 12600 are after it.
        lea     rax, [rel long10]
        mov     [SPARE], rax
        PT_BEGIN OS, on10
        call    [SPARE]
NAME back10,    PT_OFF  off10
        CHECK   "pt psb before the return"
        mov     r13d, TRACE + 15        ; after the first PSB
.psb:   inc     r13d
        cmp     dword [r13], 0x82028202
        jne     .psb
        RDMSR   RTIT_MASK
        shr     rax, 32
        lea     r12, [rax + TRACE]
        call    say_packets
;=!longtnt pt psb before the return|psb pip:200000 cbr mode:1 fup:again10 psbend tnt:TTTTTT*91 tnt:TTTTTN tip:back10 fup:off10 pgd
;=longtnt pt psb before the return|psb pip:200000 cbr mode:1 fup:again10 psbend TNT:TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT*17 tnt:TTTN tip:back10 fup:off10 pgd

%ifnidn CLASS, broadwell
        ; A compressed return out of a range: its target is not shown.
        RANGE   0, in8, in8_end - 1
        PT_BEGIN OS | ADDR_CFG(0, FILTER), on8
        JUMP    in8
        jmp     .call
.sub:   ret
.call:  call    .sub
in8_end:
        PT_END  off8, "pt return out of a range"
%endif
;=pt,!broadwell pt return out of a range|psb pip:200000 cbr psbend mode:1 pge:in8 pgd
        jmp     quit

NAME sub1,      ret
outer1: call    sub1
        ret

NAME other3,    push    pushed3
        ret
NAME pushed3,   ret

deep:   dec     ecx
        jz      deep_end
        call    deep
NAME deep_end,  ret

NAME interrupted,       int     0x40
NAME interrupted_end,   ret

NAME long10,    mov     ecx, 12600
NAME again10,   loop    again10
        ret

NAME software,  iretq
