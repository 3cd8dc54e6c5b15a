; The event that counts inserts into the LBR stack, and the other addresses that the
; counters' registers have in version 6 of performance monitoring.
; classes nehalem haswell broadwell skylake alderlake skymont silvermont goldmont
; variants plain= plain-icount=-icount+shift=0 denied=bt-set-0a-ebx=0x1000 drop=bt-drop=2 copies=bt-double-newest=1+bt-predictor=on replaces=bt-double-newest=1+bt-double-replaces=on+bt-predictor=on counts=bt-double-newest=1+bt-double-inserts=on+bt-predictor=on smi=bt-smi=1
%include "guest.inc"

; Silvermont and Goldmont have no such event (intel/perfmon).
FOR {INSERTS 0x1e4}, skymont
%ifndef INSERTS
  %define INSERTS 0x20cc
%endif
ALL     equ SEL_EN | SEL_OS | SEL_USR | INSERTS

; r14: IA32_LBR_CTL or LBR_SELECT, r13: event select, r10: is LBR on?
%macro SHOW 4-5 LBR                     ; name, filter in LBR_CTL, in LBR_SELECT, selector
  %ifdef ARCH
        mov     r14, %2
  %else
        mov     r14, %3
  %endif
        mov     r13, %4
        mov     r10, %5
        call    workload
        CHECK   %1, SAY_HEX r12
%endmacro

main:
        SET_VECTOR 0x40, software, 0x41, leave_user, 0x50, pmi, 13, protection
        APIC_ON

        ; JZ, CALL, RET, JMP, INT, IRETQ; then IRETQ to ring 3, JMP, INT to ring 0.
        SHOW    "all", 0x7f0007, 0, ALL
;=@plain,!silvermont,!goldmont/@denied,!silvermont,!goldmont,!skymont all|9
;=@plain,silvermont,goldmont/@denied,skymont,silvermont,goldmont all|0
; (A record that is lost is still counted.)
;=@drop,!silvermont,!goldmont all|9
; The branches of SMM: to the handler, a far jump in it, a call, its return, RSM, and up to 3
; of a loop, after each of 9 branches.  Architectural LBR is off there.
;=@smi,alderlake,skymont all|9
        CHECK   "9 branches and 9 SMIs"
        cmp     r12, 9 + 9 * 5
        SAY_IF  ae
        cmp     r12, 9 + 9 * 8
        SAY_IF  be
;=@smi,nehalem,haswell,broadwell,skylake 9 branches and 9 SMIs|1 1
        SHOW    "taken branches", 0x7f0007, 0, SEL_EN | SEL_OS | SEL_USR | EV_TAKEN
;=@plain,near taken branches|5
        SHOW    "jcc", 0x10007, 0x1f8, ALL
;=@plain,!silvermont,!goldmont jcc|1
        SHOW    "no type", 7, 0x1fc, ALL
;=@plain no type|0
        SHOW    "off", 0x7f0006, 0, ALL, 0
;=@plain off|0
        SHOW    "entering ring 0", 0x7f0007, 0, SEL_EN | SEL_OS | INSERTS
;=@plain,!silvermont,!goldmont entering ring 0|7
        SHOW    "entering ring 3", 0x7f0007, 0, SEL_EN | SEL_USR | INSERTS
;=@plain,!silvermont,!goldmont entering ring 3|2
        SHOW    "ring 3 recorded, both counted", 0x7f0005, 1, ALL
;=@plain,!silvermont,!goldmont ring 3 recorded, both counted|2
%ifdef CALL_STACK
        ; Returns take records away, and far branches have none.
        SHOW    "call stack", 0x38000f, 0x3c4, ALL
%endif
;=@plain,callstack,!goldmont call stack|1
%ifdef ARCH
        SHOW    "second unit mask", 0x7f0007, 0, SEL_EN | SEL_OS | 1 << 40 | INSERTS
%endif
;=@plain,skymont second unit mask|0

        ; An overflow has its PMI at the branch that was recorded.
        CHECK   "pmi"
        LVT_PMI 0x50
        sti
        WRMSR   SEL0, 0
        WRMSR   CTR0, -2
        LBR_ENABLE_FILTERED 0x20007, 0x17c      ; JMP
        WRMSR   SEL0, SEL_EN | SEL_OS | SEL_INT | INSERTS
        call    leaf
        OVER_NOP jmp
        call    leaf
        JUMP    b
        nop
        WRMSR   SEL0, 0
        LBR_OFF_UNFILTERED
        cli
        SAY_HEX [seen_count]
        SAY_ADDRESS [seen_rip]
;=@plain,!silvermont,!goldmont pmi|1 b
;=@plain,silvermont,goldmont pmi|0 ?0

        ; A copy that a stop adds is not an insert, except by a property, and the record that a copy replaces was
        ; one: two branches in each of four stops.
        call    lbr_clear
        WRMSR   CTR0, 0
        WRMSR   SEL0, SEL_EN | SEL_OS | INSERTS
%rep 4
        LBR_ENABLE
        HOP     2
        LBR_OFF
%endrep
        WRMSR   SEL0, 0
        RDMSR   CTR0, r14
        xor     r12d, r12d
        mov     ebx, DEPTH
.full:  call    read_record
        cmp     rax, 1
        sbb     r12d, -1
        dec     ebx
        jnz     .full
        READ_RECORD 2
        mov     r13, rax
        READ_RECORD 1
        sub     r13, rax
        CHECK   "four stops: inserts, records, whether the newest two are alike"
        SAY_HEX r14, r12
        test    r13, r13
        SAY_IF  z
;=@plain,!silvermont,!goldmont four stops: inserts, records, whether the newest two are alike|8 8 0
;=@plain,silvermont,goldmont four stops: inserts, records, whether the newest two are alike|0 8 0
;=@copies,!silvermont,!goldmont four stops: inserts, records, whether the newest two are alike|8 c 1
;=@counts,!silvermont,!goldmont four stops: inserts, records, whether the newest two are alike|c c 1
;=@replaces,!silvermont,!goldmont four stops: inserts, records, whether the newest two are alike|8 8 1

%ifdef ARCH
        ; Selector and value of the second counter at their other addresses, or #GP.
        CHECK   "other names"
        mov     dword [faulted], 0
        WRMSR   0x1905, SEL_EN | SEL_OS | EV_TAKEN
        HOP
        WRMSR   0x1905, 0x12
        mov     rbx, [faulted]
        RDMSR   CTR0 + 1
        push    rax
        RDMSR   SEL0 + 1
        push    rax
        mov     dword [faulted], 0
        RDMSR   0x1904
        mov     rdi, [faulted]
        test    edi, edi
        jz      .read
        xor     eax, eax
.read:  push    rax
        SAY_HEX rbx
%rep 3
        pop     rax
        call    say_hex
%endrep
;=@plain,skymont other names|0 1 12 1
;=@plain,alderlake other names|2 0 0 0
        WRMSR   SEL0 + 1, 0
        CHECK   "fixed counter by its other name, all enabled"
        WRMSR   0x30f, 0x77
        mov     dword [faulted], 0
        RDMSR   0x1998, r14
        WRMSR   GLOBAL_CTRL, 0x77000000ff
        RDMSR   GLOBAL_CTRL, r13
        mov     rbx, [faulted]
        SAY_HEX rbx
        test    ebx, ebx
        jnz     .end
        SAY_HEX r14, r13
;=@plain,skymont fixed counter by its other name, all enabled|0 77 77000000ff
;=@plain,alderlake fixed counter by its other name, all enabled|2
.end:
%endif
        ret

; Returns in r12 what the counter counted.
workload:
        WRMSR   SEL0, 0
        WRMSR   CTR0, 0
        mov     rbp, rsp
        PUSH_USER user
%ifdef ARCH
        WRMSR   LBR_CTL, r14
%else
        WRMSR   SELECT, r14
        WRMSR   DEBUGCTL, r10
%endif
        WRMSR   SEL0, r13
        xor     eax, eax
        OVER_NOP jz
        call    leaf
        OVER_NOP jmp
        int     0x40
        iretq
user:   OVER_NOP jmp
        int     0x41
leave_user:
        WRMSR   SEL0, 0
        LBR_OFF_UNFILTERED
        FROM_USER rbp
        RDMSR   CTR0, r12
        ret

leaf:   ret
software:
        iretq
protection:
        inc     dword [faulted]
        SKIP_MSR_ACCESS
pmi:    PMI_SEEN
        iretq

        PMI_VARIABLES
        VARIABLES faulted
