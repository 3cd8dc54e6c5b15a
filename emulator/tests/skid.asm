; A PMI comes late, by conditional branches; the freeze does not.
; classes pmu
; variants none= skid=bt-skid=100 long=bt-skid=10+bt-long-skid=4 silicon=bt-silicon=on+bt-smi=0 other=bt-skid=100+bt-seed=7
%include "guest.inc"
%include "silicon.inc"

WINDOWS   equ 200

; The counter overflows with the Nth taken branch from here.
%macro LATE_AFTER 1
        LVT_PMI 0x50
        mov     dword [seen_count], 0
        OVERFLOW_AFTER %1, EV_TAKEN
%endmacro

main:
        SET_VECTOR 0x50, pmi
        APIC_ON

        ; How many conditional branches late: the tenth of a loop overflows, and the
        ; handler ends it.
        TALLY_CLEAR
        mov     ebp, WINDOWS
        xor     r12d, r12d                      ; PMIs later than 400
        xor     r13d, r13d                      ; PMIs later than 10
.window:
        LATE_AFTER 10
        sti
        COUNT_DOWN ecx, 30000
        cli
        mov     eax, 30000 - 10
        sub     eax, [seen_ecx]
        call    tally
        cmp     eax, 400
        jbe     .below
        inc     r12d
.below: cmp     eax, 10
        jbe     .soon
        inc     r13d
.soon:  WRMSR   SEL0, 0
        dec     ebp
        jnz     .window

        CHECK   "late by: bounds, mean, rare ones", SAY_WITHIN [tally_least], 0, 10
        SAY_WITHIN [tally_most], 90, 125
        call    tally_mean
        SAY_WITHIN rax, 40, 75
        mov     eax, [tally_most]
        SAY_WITHIN rax, 2000, 10000
        SAY_WITHIN r12, 3, 40
        SAY_WITHIN r13, 25, 75
;=@none late by: bounds, mean, rare ones|1 0 0 0 0 0
;=@skid,@other/!amd,@silicon late by: bounds, mean, rare ones|1 1 1 0 0 0
; One of 4 goes up to 10000, so one of 4 is later than 10.
;=@long late by: bounds, mean, rare ones|1 0 0 1 0 1
; Up to 400, one of 16 up to 10000: 12 or so of 200.
;=phenom,@silicon late by: bounds, mean, rare ones|1 0 0 1 1 0
        CHECK   "late by 1000 to 2000", SAY_WITHIN [tally_least], 1000, 1050
        call    tally_mean
        SAY_WITHIN rax, 1400, 1650
;=zen3,zen4,@silicon late by 1000 to 2000|1 1
;=@none,@skid late by 1000 to 2000|0 0
        CHECK   "latest within the bound"
        mov     eax, [tally_most]
        SAY_WITHIN rax, 0, 100
;=@none,@skid,@other/!amd,!arch,@silicon latest within the bound|1
;=@long latest within the bound|0

        ; Branches that are not taken count as well: two in each round of this loop.
        TALLY_CLEAR
        mov     ebp, WINDOWS
untaken_window:
        LATE_AFTER 10
        sti
        mov     ecx, 30000
.loop:  dec     ecx
        jz      .end
        test    ecx, ecx
        jnz     .loop
.end:   cli
        mov     eax, 30000 - 10
        sub     eax, [seen_ecx]
        call    tally
        WRMSR   SEL0, 0
        dec     ebp
        jnz     untaken_window
        CHECK   "late by rounds of two", SAY_WITHIN [tally_most], 45, 63
;=@none late by rounds of two|0
;=@skid,@other/!amd,@silicon late by rounds of two|1

        ; Straight code: 16 instructions for a branch, and then the end of a block.
        TALLY_CLEAR
        mov     ebp, 40
.straight:
        LATE_AFTER 1
        sti
        jmp     .from
.from:  times   6000 nop
        cli
        mov     eax, [seen_rip]
        sub     eax, .from
        call    tally
        WRMSR   SEL0, 0
        sti                             ; one that is later still
        nop
        cli
        dec     ebp
        jnz     .straight
        CHECK   "straight code", SAY_WITHIN [tally_most], 1000, 125 * 16 + 1024
;=@none straight code|0
;=@skid,@other/!amd,@silicon straight code|1
        CHECK   "straight code, at once"
        mov     eax, [tally_most]
        SAY_HEX rax
;=@none straight code, at once|0

        ; A write of its registers waits for the PMI; so does HLT, or this does not end.
        xor     r14d, r14d
        mov     ebp, 40
.write: LATE_AFTER 1
        sti
        HOP
        WRMSR   SEL0, 0
        mov     eax, [seen_count]
        cli
        add     r14d, eax
        dec     ebp
        jnz     .write
        CHECK   "before the instruction after WRMSR", SAY_HEX r14
;= before the instruction after WRMSR|28
        xor     r14d, r14d
        mov     ebp, 40
.halt:  LATE_AFTER 1
        HOP
        sti
        hlt
        cli
        add     r14d, [seen_count]
        dec     ebp
        jnz     .halt
        WRMSR   SEL0, 0
        CHECK   "wakes from HLT", SAY_HEX r14
;= wakes from HLT|28

%ifdef FREEZE_CTR
        ; Both freezes are in time: branches after the overflow are neither
        ; recorded nor counted, although the PMI is late.
        xor     r14d, r14d                      ; overflows with a freeze in time
        mov     ebp, 20
freeze:
        push    rbp
        WRMSR   STATUS_RESET, FREEZE_STATUS | 1
        WRMSR   GLOBAL_CTRL, 1
        LBR_ON
        LATE_AFTER 2
        WRMSR   DEBUGCTL, LBR_ON_BIT | 3 << 11
        JUMP    b, c
        COUNT_DOWN ecx, 300
        mov     r12d, [seen_count]              ; IF = 0: none
        sti
        nop
        cli
        RDMSR   CTR0, r13
        WRMSR   DEBUGCTL, 0
        LBR_OFF
        WRMSR   SEL0, 0
        WRMSR   STATUS_RESET, FREEZE_STATUS | 1
        READ_RECORD 1
        shl     rax, 1                          ; FROM[63] may be a flag
        shr     rax, 1
        cmp     rax, b
        jne     freeze_next
        cmp     rdx, c
        jne     freeze_next
        test    r13, r13
        jnz     freeze_next
        inc     r14d
freeze_next:
        pop     rbp
        dec     ebp
        jnz     freeze
        CHECK   "freeze at the overflow", SAY_HEX r14
;=pmufreeze,!goldmont/pmufreeze,!@silicon freeze at the overflow|14
; (Its old microcode does not freeze counters.)
;=goldmont,@silicon freeze at the overflow|0
%endif

%ifdef BTSD
        ; Records go on being stored while the PMI of their threshold is late.  The
        ; handler's entry is the last.
        SET_VECTOR 0x50, bts_pmi
        TALLY_CLEAR
        mov     ebp, 40
bts_window:
        DS_SETUP 600, 2
        LVT_PMI 0x50
        sti
        WRMSR   DEBUGCTL, TR | BTS
        COUNT_DOWN ecx, 500
        WRMSR   DEBUGCTL, 0
        cli
        mov     eax, [seen_ecx]
        call    tally
        dec     ebp
        jnz     bts_window
        CHECK   "records beyond the threshold", SAY_WITHIN [tally_least], 0, 20
        SAY_WITHIN [tally_most], 80, 125
;=ds,@none/ds,@long records beyond the threshold|1 0
;=ds,@skid,@other/ds,@silicon records beyond the threshold|1 1
%endif
        ret

pmi:    mov     [seen_ecx], ecx
        mov     ecx, 1
        PMI_SEEN
        iretq

%ifdef BTSD
bts_pmi:
        mov     qword [AREA + 24], -1           ; no more
        SAVE    rax, rdx
        mov     rax, [AREA + 8]
        sub     rax, BUFFER
        xor     edx, edx
        mov     ecx, 24
        div     ecx
        sub     eax, 3                          ; up to the threshold, and the entry
        mov     [seen_ecx], eax
        mov     ecx, 1
        EOI
        RESTORE rax, rdx
        iretq
%endif

        PMI_VARIABLES
        VARIABLES seen_ecx
