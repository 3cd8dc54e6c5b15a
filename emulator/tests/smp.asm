; Two processors at the same time: each has its own records, area and counters,
; and INIT keeps DEBUGCTL.
; classes ds
; variants multi=-smp+2 icount=-smp+2+-icount+shift=0
%include "guest.inc"
%include "ap.inc"

SECOND  equ 0x8000                      ; from the areas of the first to those of the second
STACK_B equ 0x238000
LOOPS   equ 200000

; The loop that this processor runs, its area, and where it stores what it saw.
%macro RUN 4                            ; label, label, offset, seen
        DS_SETUP 64, 66, AREA + %3, BUFFER + %3
  %ifdef FIXED
        COUNT   SEL_EN | SEL_OS | EV_TAKEN
  %endif
        mov     r12d, LOOPS
        LBR_ENABLE
  %ifdef TRSTOPS
        WRMSR   DEBUGCTL, TR | BTS
  %else
        WRMSR   DEBUGCTL, LBR | TR | BTS
  %endif
%1:     dec     r12d
%2:     jnz     %1
        WRMSR   DEBUGCTL, 0
        LBR_OFF
  %ifdef FIXED
        RDMSR   CTR0, [%4 + 8]
        WRMSR   SEL0, 0
  %endif
        ; All records of both must be of this loop.
        mov     ecx, 64
        mov     esi, BUFFER + %3
        xor     edx, edx
%%next: cmp     qword [rsi], %2
        jne     %%other
        cmp     qword [rsi + 8], %1
        jne     %%other
        inc     edx
%%other:
        add     esi, 24
        dec     ecx
        jnz     %%next
        mov     [%4], rdx
        mov     rax, [AREA + %3 + 8]
        sub     rax, BUFFER + %3
        mov     [%4 + 16], rax
        mov     ebx, DEPTH
        xor     r13d, r13d
%%lbr:  call    read_record
        cmp     rax, %2
        jne     %%no
        cmp     rdx, %1
        jne     %%no
        inc     r13d
%%no:   dec     ebx
        jnz     %%lbr
        mov     [%4 + 24], r13
%endmacro

main:
        call    start_others
        AWAIT   ready, 1
        mov     dword [go], 1
        RUN     loop_a, from_a, 0, seen_a
        AWAIT   ready, 2

        ; Records of BTS, taken branches, index of the ring, records of LBR.  199999 branches
        ; are 63 past a whole number of rings of 64 records.
%macro SAY_SEEN 1
        SAY_HEX [%1]
  %ifdef FIXED
        SAY_HEX [%1 + 8]
  %endif
        SAY_HEX [%1 + 16], [%1 + 24]
%endmacro
        CHECK   "first, second"
        SAY_SEEN seen_a
        SAY_SEEN seen_b
;=d8,!pentium-m,!yonah,!trstops first, second|40 30d3f 5e8 8 40 30d3f 5e8 8
;=d16,!netburst first, second|40 30d3f 5e8 10 40 30d3f 5e8 10
;=d32 first, second|40 30d3f 5e8 20 40 30d3f 5e8 20
;=core2,penryn first, second|40 30d3f 5e8 0 40 30d3f 5e8 0
;=pentium-m,yonah first, second|40 5e8 0 40 5e8 0
;=willamette first, second|40 5e8 4 40 5e8 4
;=nocona first, second|40 5e8 10 40 5e8 10

        ; INIT: the second processor's DEBUGCTL survives until it starts again,
        ; except TR and BTS.
        call    start_others
        AWAIT   ready, 3
        CHECK   "debugctl after init", SAY_HEX [kept]
;=!arch debugctl after init|3
;=arch debugctl after init|2
        ret

other:  mov     esp, STACK_B
        RDMSR   DEBUGCTL
        mov     ebp, eax
        cmp     dword [ready], 2
        je      other_again
        mov     dword [ready], 1
        AWAIT   go, 1
        RUN     loop_b, from_b, SECOND, seen_b
        WRMSR   DEBUGCTL, TR | BTS | LBR | BTF
        mov     dword [ready], 2                ; a straight line to the end
        cli
        hlt
        jmp     $
other_again:
        mov     [kept], ebp
        WRMSR   DEBUGCTL, 0
        mov     dword [ready], 3
        cli
        hlt
        jmp     $

ready:          dd 0
go:             dd 0
kept:           dq 0
seen_a:         times 4 dq 0
seen_b:         times 4 dq 0
