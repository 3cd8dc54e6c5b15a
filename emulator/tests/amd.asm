; AMD's version 2 stack and the older pair: each has its own enable bit.
; classes zen4
; variants plain= nofreeze=bt-no-v2-freeze=on
%include "guest.inc"

%macro SAY_FLAGS 1                      ; V and S of an entry
        RDMSR   TO0 + 2 * (%1)
        shr     rax, 62
        call    say_hex
%endmacro

main:
        SET_VECTOR 0x40, software, 1, debug

        CHECK   "cpuid 80000022"                ; LBR v2, its freeze; 16 entries
        CPUID   0x80000022
        and     eax, 6
        and     ebx, 0x3f0
        SAY_HEX rax, rbx
;=@plain cpuid 80000022|6 100
;=@nofreeze cpuid 80000022|2 100

        CHECK   "debugextnctl"
        SET_VECTOR 13, protection
        mov     ebp, EXTN
        call    say_msr_bits
;=zen4 debugextnctl|ffffffffffffffbf 40

        ; The stack alone.
        STACK_ON
NAME s1,        JUMP    s2
        WRMSR   EXTN, 0
        CHECK   "stack alone", SAY_LBR 1
        SAY_PAIR 0x1db
;=zen4 stack alone|s1>s2 ?0>?0

        ; The pair alone.
        WRMSR   DEBUGCTL, LBR
NAME p1,        JUMP    p2
        WRMSR   DEBUGCTL, 0
        CHECK   "pair alone", SAY_LBR 1
        SAY_PAIR 0x1db
;=zen4 pair alone|s1>s2 p1>p2

        ; LastInt is the previous pair, not from the stack.
        WRMSR   EXTN, 0x40
        WRMSR   DEBUGCTL, LBR
NAME b1,        JUMP    b2
        int     0x40
NAME b3,        WRMSR   DEBUGCTL, 0
        WRMSR   EXTN, 0
        CHECK   "both", SAY_LBR 3
        SAY_PAIR 0x1db
        SAY_PAIR 0x1dd
;=zen4 both|b1>b2 b2>software software>b3 software>b3 b1>b2

        WRMSR   EXTN, 0x40
        HOP
        int     0x40
        WRMSR   EXTN, 0
        CHECK   "last int without the pair", SAY_PAIR 0x1dd
;=zen4 last int without the pair|b1>b2

        ; The filter does not affect the pair.
        WRMSR   SELECT, 0x80                    ; no near relative jumps
        STACK_ON
        WRMSR   DEBUGCTL, LBR
NAME f1,        JUMP    f2
        WRMSR   EXTN, 0
        WRMSR   DEBUGCTL, 0
        WRMSR   SELECT, 0
        CHECK   "filtered", SAY_LBR 1
        SAY_PAIR 0x1db
;=zen4 filtered|?0>?0 f1>f2

        ; #DB turns both off, and changes no record.
        WRMSR   EXTN, 0x40
        WRMSR   DEBUGCTL, LBR
        TF_ON
        nop
        TF_OFF
        CHECK   "enabled in #DB", SAY_MSR EXTN, DEBUGCTL
        SAY_LBR 1
;=zen4 enabled in #DB|0 0 ?0>?0

        ; Software freezes and thaws the stack, and can set the counters' bits too.
        STACK_ON
        WRMSR   0xc0000303, 1 << 58
NAME h1,        JUMP    h2
        RDMSR   0xc0000300, r14
        WRMSR   0xc0000302, 1 << 58
NAME h3,        JUMP    h4
        RDMSR   0xc0000300, r13
        WRMSR   EXTN, 0
        CHECK   "frozen by hand: status, after, records", SAY_HEX r14, r13
        SAY_LBR 2
;=@plain frozen by hand: status, after, records|400000000000000 0 ?0>?0 h3>h4
;=@nofreeze frozen by hand: status, after, records|0 0 h1>h2 h3>h4
        CHECK   "status set: all bits"
        WRMSR   0xc0000303, -1
        SAY_MSR 0xc0000300
        WRMSR   0xc0000302, -1
;=@plain status set: all bits|40000000000003f
;=@nofreeze status set: all bits|3f

        ; The freeze at a PMI.  Without it DebugCtl lacks the bits, and the
        ; stack keeps recording.
        APIC_ON
        LVT_PMI 0x10050
        WRMSR   0xc0000301, 1
        WRMSR   0xc0010000, 0
        WRMSR   0xc0010004, -1
        call    lbr_clear
        WRMSR   DEBUGCTL, 3 << 11
        RDMSR   DEBUGCTL, r14
        WRMSR   EXTN, 0x40
        WRMSR   0xc0010000, SEL_EN | SEL_OS | SEL_INT | EV_TAKEN
NAME i1,        JUMP    i2, i3
        WRMSR   EXTN, 0
        WRMSR   0xc0010000, 0
        RDMSR   0xc0000300, r13
        WRMSR   0xc0000302, -1
        WRMSR   DEBUGCTL, 0
        CHECK   "freeze at a pmi: debugctl, status, records", SAY_HEX r14, r13
        SAY_LBR 2
;=@plain freeze at a pmi: debugctl, status, records|1800 c00000000000001 ?0>?0 i1>i2
;=@nofreeze freeze at a pmi: debugctl, status, records|0 1 i1>i2 i2>i3

        ; An entry not written since it was cleared has neither V nor S.  Entries from
        ; before LBR was turned on again stay, and grow older.
        STACK_ON
NAME o1,        JUMP    o2
        WRMSR   EXTN, 0
        WRMSR   EXTN, 0x40
NAME o3,        JUMP    o4
        WRMSR   EXTN, 0
        CHECK   "across enables: records, flags of TO", SAY_LBR 2
        SAY_FLAGS 0
        SAY_FLAGS 1
        SAY_FLAGS 2
        WRMSR   FROM0 + 2, 0
        WRMSR   TO0 + 2, 0
        SAY_FLAGS 1
;=zen4 across enables: records, flags of TO|o1>o2 o3>o4 2 2 0 0
        ret

NAME software,  iretq
debug:  iretq
        TRY_SUBROUTINES
        BITS_SUBROUTINE
