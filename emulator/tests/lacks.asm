; Properties that remove features: filters, architectural events, LER, PMI.
; classes core2 nehalem skylake alderlake skymont
; variants none noler=bt-no-ler=on nodscpl=bt-no-ds-cpl=on select=bt-nehalem-select=on nocpl=bt-clear-1c-ebx=1 nokind=bt-clear-1c-ebx=2 nostack=bt-clear-1c-ebx=4 noevent=bt-set-0a-ebx=0x23 nopmi=bt-lose-pmi=1
%include "guest.inc"

%macro SHOW 2                           ; name, filter of the branches in `workload`
        CHECK   %1
        mov     r14, %2
        call    workload
%endmacro
%macro SAY_COUNT 1                      ; of one branch and some instructions
        COUNT   SEL_EN | SEL_OS | (%1)
        jmp     %%to
%%to:   COUNTED
        SAY_HEX r14
%endmacro

main:
        SET_VECTOR 6, undefined, 13, protection, 0x50, pmi
        APIC_ON

        CHECK   "ler"
        LBR_ON
NAME before,    JUMP    fault
        ud2
        LBR_OFF
        SAY_PAIR LER_FROM
;=!@noler ler|before>fault
;=@noler ler|?0>?0
; (There LBR_CTL does not take all the bits of LBR_ON.)
;=arch,@nocpl,@nokind ler|?0>?0

        CHECK   "ds_cpl, debugctl faults"
        CPUID   1
        SAY_BIT ecx, 4
        TRY_WRMSR DEBUGCTL, OFF_OS, OFF_USR
        WRMSR   DEBUGCTL, 0
;=!@nodscpl ds_cpl, debugctl faults|1 0 0
;=@nodscpl ds_cpl, debugctl faults|0 1 1

%ifdef SELECT
        ; Bits of LBR_SELECT suppress kinds.
        SHOW    "calls", 0x1fc & ~(3 << 3)
        SHOW    "indirect calls", 0x1fc & ~(1 << 4)
        SHOW    "indirect calls and jumps", 0x1fc & ~(5 << 4)
        SHOW    "calls and indirect jumps", 0x1fc & ~(3 << 3 | 1 << 6)
        SHOW    "calls and relative jumps", 0x1fc & ~(3 << 3 | 1 << 7)
        SHOW    "calls and jumps", 0x1fc & ~(3 << 3 | 3 << 6)
        SHOW    "returns", 0x1fc & ~(1 << 5)
;=!@select,nehalem,skylake calls|call>callee icall>icallee
;=@select,nehalem,skylake calls|
;=!@select,nehalem,skylake indirect calls|icall>icallee
;=@select,nehalem,skylake indirect calls|
;=nehalem,skylake indirect calls and jumps|icall>icallee ijmp>jmp
;=!@select,nehalem,skylake calls and indirect jumps|call>callee icall>icallee ijmp>jmp
;=@select,nehalem,skylake calls and indirect jumps|icall>icallee ijmp>jmp
;=!@select,nehalem,skylake calls and relative jumps|call>callee icall>icallee jmp>off
;=@select,nehalem,skylake calls and relative jumps|jmp>off
;=nehalem,skylake calls and jumps|call>callee icall>icallee ijmp>jmp jmp>off
;=nehalem,skylake returns|callee>icall icallee>ijmp
%endif

%ifdef ARCH
        ; The bits of a missing filter fault, and it removes nothing.
        CHECK   "cpuid 1c, lbr_ctl faults"
        CPUID   0x1c, 0
        SAY_DWORD ebx
        TRY_WRMSR LBR_CTL, 2, 4, 1 << 16, 1 << 22, 8
;=arch,!@nocpl,!@nokind,!@nostack cpuid 1c, lbr_ctl faults|7 0 0 0 0 0
;=arch,@nocpl cpuid 1c, lbr_ctl faults|6 1 1 0 0 0
;=arch,@nokind cpuid 1c, lbr_ctl faults|5 0 0 1 1 0
;=arch,@nostack cpuid 1c, lbr_ctl faults|3 0 0 0 0 1
        SHOW    "lbr of no level", 1 | 3 << 19
        SHOW    "lbr of no kind", 7
;=arch,!@nocpl,!@nokind lbr of no level|
;=arch,@nocpl lbr of no level|call>callee icall>icallee
;=arch,!@nokind lbr of no kind|
;=arch,@nokind lbr of no kind|call>callee callee>icall icall>icallee icallee>ijmp ijmp>jmp jmp>off
%endif

        ; Cycles, instructions and branches can be denied; taken branches and the fixed
        ; counter have no bit there.
        CHECK   "cpuid a, counts"
        CPUID   10
        SAY_DWORD ebx
        SAY_COUNT EV_CYCLES
        SAY_COUNT EV_INSNS
        SAY_COUNT EV_BRANCHES
        SAY_COUNT EV_TAKEN
        WRMSR   GLOBAL_CTRL, 1 << 32
        WRMSR   0x309, 0
        WRMSR   0x38d, 1
        mov     ecx, 0x38d
        xor     eax, eax
        wrmsr
        SAY_MSR 0x309
;=!@noevent,!skymont cpuid a, counts|0 2 2 1 1 2
;=!@noevent,skymont cpuid a, counts|280 2 2 1 1 2
;=@noevent,!skymont cpuid a, counts|23 0 0 0 1 2
;=@noevent,skymont cpuid a, counts|2a3 0 0 0 1 2

        CHECK   "pmi"
        WRMSR   GLOBAL_CTRL, 1
        LVT_PMI 0x50
        WRMSR   CTR0, -1
        sti
        WRMSR   SEL0, SEL_EN | SEL_OS | SEL_INT | EV_TAKEN
        HOP
        WRMSR   SEL0, 0
        cli
        SAY_HEX [pmis]
;=!@nopmi pmi|1
;=@nopmi pmi|0
        ret

%ifnidn CLASS, core2
; r14: the filter.  Calls, returns, jumps, direct and not.
workload:
        mov     r8, icallee
        mov     r9, jmp
        call    lbr_clear
        LBR_ENABLE_FILTERED r14, r14
NAME call,      call    callee
NAME icall,     call    r8
NAME ijmp,      jmp     r9
        nop
NAME jmp,       JUMP    off
        LBR_OFF
  %ifdef SELECT
        WRMSR   SELECT, 0
  %endif
        mov     ebx, 8
.next:  call    read_record             ; skips empty ones
        test    rax, rax
        jz      .none
        call    say_record
.none:  dec     ebx
        jnz     .next
        ret
NAME callee,    ret
NAME icallee,   ret
%endif

undefined:
        add     qword [rsp], 2
        iretq
        TRY_SUBROUTINES
pmi:    inc     dword [pmis]
        EOI
        iretq
pmis:   dq      0
