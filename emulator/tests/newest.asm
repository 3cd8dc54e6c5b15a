; The newest record is sometimes a copy of the one before it.
; classes lbr
; variants none= always=bt-double-newest=1 replaces=bt-double-newest=1+bt-double-replaces=on fourth=bt-double-newest=4 silicon=bt-silicon=on+bt-wrong-path=0+bt-predictor=off+bt-smi=0
%include "guest.inc"
%include "silicon.inc"

WINDOWS equ 400

main:
%if DEPTH < 4
        ret
%else
        SET_VECTOR 1, debug, 0x50, pmi
        APIC_ON

        ; In a row without this, the variants none and silicon behave alike.
        LBR_ON
NAME a,         jmp     b
NAME b,         jmp     c
NAME c,         jmp     d
NAME d,         LBR_END "lbr stopped by WRMSR", 3
;=!one,@none lbr stopped by WRMSR|a>b b>c c>d
;=!one,@always lbr stopped by WRMSR|b>c c>d c>d
;=!one,@replaces lbr stopped by WRMSR|a>b b>c b>c

        LBR_ON
        JUMP    f, g, h
        db      0xf1                    ; ICEBP: #DB
        LBR_END "lbr stopped by #DB", 2
;=!one,@none lbr stopped by #DB|f>g g>h
;=!one,@always lbr stopped by #DB|g>h g>h
;=!one,@replaces lbr stopped by #DB|f>g f>g

        ; Nothing was recorded: no copy of what was there before.
        LBR_ON
        LBR_END "lbr without a record", 1
;=!one,!pentium-m,@none,@always,@replaces lbr without a record|?0>?0
  %ifdef TOS
        CHECK   "tos without a record", SAY_MSR_BITS TOS, DEPTH - 1
;=intel,!one,!pentium-m,!arch,@none,@always,@replaces tos without a record|0
  %endif

  %ifdef FREEZE_CTR
        CHECK   "lbr stopped by a freeze"
        WRMSR   STATUS_RESET, FREEZE_STATUS | 1
        WRMSR   GLOBAL_CTRL, 1
        LVT_PMI 0x50
        LBR_ON
        OVERFLOW_AFTER 2, EV_TAKEN
        WRMSR   DEBUGCTL, LBR_ON_BIT | 1 << 11
NAME freeze_a,  jmp     k
NAME k,         jmp     l
NAME l,         jmp     m               ; not recorded any more
NAME m,         WRMSR   DEBUGCTL, 0
        WRMSR   SEL0, 0
        LBR_OFF
        WRMSR   STATUS_RESET, FREEZE_STATUS | 1
        sti
        nop
        cli
   %assign n 2
   %rep 2                               ; without FROM[63], which may be a flag
        READ_RECORD n
        shl     rax, 1
        shr     rax, 1
        call    say_record
    %assign n n - 1
   %endrep
;=pmufreeze,@none lbr stopped by a freeze|freeze_a>k k>l
;=pmufreeze,@always lbr stopped by a freeze|k>l k>l
;=pmufreeze,@replaces lbr stopped by a freeze|freeze_a>k freeze_a>k
  %endif

  %ifdef CALL_STACK
        ; Call-stack mode has no copies.
        call    lbr_clear
        LBR_ENABLE_FILTERED 0x38000b, 0x3c6
NAME o,         call    p
        nop
NAME p,         LBR_OFF
        add     rsp, 8
   %ifndef ARCH
        WRMSR   SELECT, 0
   %endif
        CHECK   "lbr call stack", SAY_LBR 2
;=callstack,@none,@always lbr call stack|?0>?0 o>p
  %endif

        ; How often, and where: the newest three records, which would all differ.
        xor     r12d, r12d              ; the newest equals the second
        xor     r13d, r13d              ; the second equals the third
        xor     r14d, r14d              ; the newest equals the second, except its cycles
        mov     ebp, WINDOWS
window: push    rbp
        LBR_ON
        HOP     3
        LBR_OFF
        READ_RECORD 1
        mov     r8, rax
        READ_RECORD 2
        mov     r9, rax
        READ_RECORD 3
        cmp     rax, r9
        jne     .other
        inc     r13d
.other: cmp     r8, r9
        jne     .next
        inc     r12d
  %ifdef INFO0
        mov     ebx, 1
        call    cycles
        mov     r8d, eax
        mov     ebx, 2
        call    cycles
        cmp     eax, r8d
        je      .next
        inc     r14d
  %endif
.next:  pop     rbp
        dec     ebp
        jnz     window
        CHECK   "copies, elsewhere", SAY_WITHIN r12, 60, 140
        SAY_HEX r13
;=!one,@none/!one,!skylake,@silicon copies, elsewhere|0 0
;=!one,@fourth/skylake,@silicon copies, elsewhere|1 0
        CHECK   "all, or none", SAY_WITHIN r12, WINDOWS, WINDOWS
        SAY_WITHIN r12, 0, 0
;=!one,@none/!one,!skylake,@silicon all, or none|0 1
;=!one,@always,@replaces all, or none|1 0
;=!one,@fourth/skylake,@silicon all, or none|0 0
  %ifdef INFO0
        ; 56 of 100.
        CHECK   "copies with other cycles", SAY_WITHIN r14, 30, 90
;=skylake,@none copies with other cycles|0
;=skylake,@fourth,@silicon copies with other cycles|1
  %endif
        ret

        PREDICTION_SUBROUTINES
debug:  iretq
pmi:    EOI
        iretq
%endif
