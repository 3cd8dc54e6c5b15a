; Errata of counters and of what a PMI freezes, each off until its property asks for it.
; classes pmu
; variants none twice=bt-far-twice=on over=bt-overcount=3 cure=bt-nehalem-counters=on small=bt-small-period=32 lbrgoeson=bt-no-lbr-freeze=on countersgoon=bt-no-ctr-freeze=on btsgoeson=bt-bts-no-freeze=on nosoft=bt-no-soft-freeze=on
%include "guest.inc"

MOST    equ 5                           ; PMIs of a storm

%macro COUNT_JUMPS 1                    ; three, to register %1
        COUNT   SEL_EN | SEL_OS | EV_BRANCHES
        HOP     3
        COUNTED %1
%endmacro

%macro SAY_PMIS 1                       ; of a counter that overflows after N jumps
        mov     qword [seen_count], 0
        LVT_PMI 0x50
        OVERFLOW_AFTER %1, EV_TAKEN
        sti
        HOP     60
        WRMSR   SEL0, 0
        cli
        SAY_HEX [seen_count]
%endmacro

main:
        SET_VECTOR 0x40, software, 0x50, pmi
        APIC_ON

        ; Three jumps, INT and IRETQ.
        COUNT   SEL_EN | SEL_OS | EV_BRANCHES
        HOP     3
        int     0x40
        COUNTED
        CHECK   "branches", SAY_HEX r14
;=@none branches|5
;=@twice branches|7
;=@over branches|6

%ifidn CLASS, nehalem
        ; Intel's work-around, and another event after it.
        COUNT_JUMPS r12
  %assign n 0
  %rep 4
        WRMSR   CTR0 + n, 0
    %assign n n + 1
  %endrep
        WRMSR   GLOBAL_CTRL, 0
        WRMSR   SEL0, 0x4300b5
        WRMSR   SEL0 + 1, 0x4300d2
        WRMSR   SEL0 + 2, 0x4300b1
        WRMSR   SEL0 + 3, 0x4300b1
        WRMSR   GLOBAL_CTRL, 0xf
        WRMSR   GLOBAL_CTRL, 0
  %assign n 0
  %rep 4
        WRMSR   SEL0 + n, 0
    %assign n n + 1
  %endrep
        WRMSR   GLOBAL_CTRL, 0xf
        COUNT_JUMPS r13
        COUNT_JUMPS r14
        CHECK   "before, after, and again", SAY_HEX r12, r13, r14
%endif
;=nehalem,@none before, after, and again|3 3 3
;=nehalem,@cure before, after, and again|0 3 0

        ; A storm, which the handler ends, after a short period.
        CHECK   "interrupts of a period of 2 and of 40"
        SAY_PMIS 2
        SAY_PMIS 40
;=@none interrupts of a period of 2 and of 40|1 1
;=!amd,@small interrupts of a period of 2 and of 40|5 1
; (AMD counts the delivery of an interrupt as well: when the handler of the fifth turns the
; counter off, a sixth waits.)
;=amd,@small interrupts of a period of 2 and of 40|6 1

%ifdef FREEZE_CTR
        ; What goes on after the overflow at the second jump.
        WRMSR   STATUS_RESET, FREEZE_STATUS | 1
        WRMSR   GLOBAL_CTRL, 1
        LVT_PMI 0x10050
        LBR_ON
        OVERFLOW_AFTER 2, EV_TAKEN
        WRMSR   DEBUGCTL, LBR_ON_BIT | 3 << 11
NAME f1,        JUMP    f2, f3, f4
        WRMSR   DEBUGCTL, 0
        COUNTED
        LBR_OFF
        WRMSR   STATUS_RESET, FREEZE_STATUS | 1
        WRMSR   GLOBAL_CTRL, 1
        CHECK   "newest record, count"
        READ_RECORD 1
        shl     rax, 1                  ; without FROM[63], which may be a flag
        shr     rax, 1
        call    say_record
        SAY_HEX r14
%endif
;=pmufreeze,@none newest record, count|f2>f3 0
;=pmufreeze,@lbrgoeson newest record, count|f3>f4 0
;=pmufreeze,@countersgoon newest record, count|f2>f3 1

%ifdef FREEZE_CTR
  %ifdef BTSD
        ; The same, when the second jump reaches the threshold of BTS.
        DS_SETUP 100, 2
        LBR_ON
        WRMSR   DEBUGCTL, LBR_ON_BIT | TR | BTS | BTINT | 1 << 11
NAME t1,        JUMP    t2, t3, t4
        WRMSR   DEBUGCTL, 0
        LBR_OFF
        WRMSR   STATUS_RESET, FREEZE_STATUS | 1 << 62
        CHECK   "newest record, with BTS"
        READ_RECORD 1
        shl     rax, 1
        shr     rax, 1
        call    say_record
  %endif
%endif
; (Some have no LBR while TR = 1, and Bonnell no TR while FREEZE_LBRS = 1.)
;=freeze,!trstops,!bonnell,@none newest record, with BTS|t2>t3
;=freeze,!trstops,!bonnell,@btsgoeson newest record, with BTS|t3>t4

%ifidn CLASS, zen4
        ; Software freezes the stack.
        LBR_ON
NAME z1,        JUMP    z2
        WRMSR   0xc0000303, 1 << 58
NAME z3,        JUMP    z4
        LBR_OFF
        WRMSR   STATUS_RESET, FREEZE_STATUS
        CHECK   "newest record after a freeze by software", SAY_LBR 1
%endif
;=zen4,@none newest record after a freeze by software|z1>z2
;=zen4,@nosoft newest record after a freeze by software|z3>z4
        ret

NAME software,  iretq

; Unmasks its entry, and turns the counter off when there were too many.
pmi:    PMI_SEEN
        SAVE    rax, rcx, rdx
        cmp     dword [seen_count], MOST
        jb      .more
        WRMSR   SEL0, 0
.more:  LVT_PMI 0x50
        RESTORE rax, rcx, rdx
        iretq

        PMI_VARIABLES
