; More misbehaviour on purpose: the interrupt, the freeze, DEBUGCTL.
; classes yonah core2 nehalem skylake alderlake skymont
; variants none= skid=bt-pmi-skid=2 lose=bt-lose-pmi=3 keeplvt=bt-keep-lvt=on late=bt-late-threshold=on swap=bt-swap=3 nofreeze=bt-no-freeze=on staletos=bt-stale-tos=on nobts=bt-no-bts=on ignore=bt-ignore-debugctl=on fault=bt-fault-debugctl=0x40
%include "guest.inc"

main:
        SET_VECTOR 0x50, pmi, 13, protection
        APIC_ON

        CHECK   "misc_enable, debugctl faults, reads", SAY_MSR_BITS 0x1a0, 1 << 11
        mov     ebp, 1
        WRMSR   DEBUGCTL, TR | BTS
        xor     ebp, 1
        RDMSR   DEBUGCTL, r14
        mov     rax, rbp
        push    rax
        WRMSR   DEBUGCTL, 0
        pop     rax
        call    say_hex
        SAY_HEX r14
;=!@nobts,!@ignore,!@fault misc_enable, debugctl faults, reads|0 0 c0
;=@nobts misc_enable, debugctl faults, reads|800 0 0
;=@ignore misc_enable, debugctl faults, reads|0 0 0
;=@fault misc_enable, debugctl faults, reads|0 1 0

        ; Threshold after two records; where the PMI comes, how often, what the
        ; handler finds in the LVT.
        call    setup
        LVT_PMI 0x50
        sti
        WRMSR   DEBUGCTL, TR | BTS
NAME a,         JUMP    b, c, d, e, f
        nop
        WRMSR   DEBUGCTL, 0
        cli
        CHECK   "pmi", SAY_PMI
;=!@skid,!@keeplvt,!@late,!@nobts,!@ignore,!@fault pmi|1 c 10050
;=@skid pmi|1 e 10050
; (The handler's entry is a record too: with an unmasked LVT it requests again.)
;=@keeplvt pmi|2 c 50
;=@late pmi|1 d 10050
;=@nobts,@ignore,@fault pmi|0 ?0 0
        CHECK   "records", SAY_BUFFER 4
;=@none,@lose,@nofreeze,@staletos records|a>b b>c c>pmi pmi_iret>c
;=@skid records|a>b b>c c>d d>e
;=@late records|a>b b>c c>d d>pmi
;=@swap records|a>b c>pmi b>c pmi_iret>c
;=@nobts,@ignore,@fault records|?0>?0 ?0>?0 ?0>?0 ?0>?0

        ; A second PMI, which may be lost.
        call    setup
        mov     dword [seen_count], 0
        LVT_PMI 0x50
        sti
        WRMSR   DEBUGCTL, TR | BTS
        JUMP    g, h, i
        nop
        WRMSR   DEBUGCTL, 0
        cli
        CHECK   "second pmi", SAY_HEX [seen_count]
        SAY_ADDRESS [seen_rip]
;=@none,@swap,@nofreeze,@staletos second pmi|1 h
; (The record after the lost one requests again.)
;=@lose second pmi|1 i

%ifdef FREEZE
        ; A freeze, by BTS: in versions 2 and 3 it clears LBR, later it is a bit of the
        ; status.
        call    setup
        LVT_PMI 0x10050
        WRMSR   0x390, 1 << 62 | FREEZE_STATUS
        WRMSR   DEBUGCTL, LBR | TR | BTS | 1 << 11
        HOP     3
        RDMSR   0x38e, r13
        RDMSR   DEBUGCTL
        push    rax
        WRMSR   0x390, 1 << 62 | FREEZE_STATUS
        WRMSR   DEBUGCTL, 0
        CHECK   "freeze, lbr then"
        shr     r13, 56
        SAY_HEX r13
        pop     rax
        and     eax, LBR
        call    say_hex
;=@none,v2,v3/@nofreeze,arch freeze, lbr then|40 0
;=@none,v4 freeze, lbr then|44 1
;=@none,arch freeze, lbr then|44 0
;=@nofreeze,v2,v3,v4 freeze, lbr then|40 1
%endif

        LBR_ON
NAME t1,        JUMP    t2, t3
        LBR_END "tos", 2
;=!@staletos,!@ignore/@ignore,arch tos|t1>t2 t2>t3
;=@staletos/@ignore,!arch tos|?0>?0 ?0>?0
        ret

setup:
        DS_CLEAR
        DS_SETUP 64, 2
        ret

NAME pmi,       mov     qword [AREA + 24], -1   ; no more
        PMI_SEEN
NAME pmi_iret,  iretq
protection:
        xor     ebp, ebp
        SKIP_MSR_ACCESS

        PMI_VARIABLES
