; Performance counters: what they count, at which level, and their interrupt.
; classes pmu
; variants plain= plain-icount=-icount+shift=0
%include "guest.inc"

; The first counter is started with one WRMSR, and read with MOV and
; RDMSR.  An instruction that has not retired is not counted, so COUNTED
; adds one to the instructions.
%macro SAY_COUNTED 1
        COUNTED
        CHECK   %1, SAY_HEX r14
%endmacro

%macro PMI_BY 1                         ; this LVT entry; none was seen
        mov     dword [seen_count], 0
        LVT_PMI %1
%endmacro
%macro COUNT_OF 3+                      ; name, event select, an instruction
        COUNT   %2
        %3
        SAY_COUNTED %1
%endmacro

main:
        SET_VECTOR 0x40, software, 0x41, leave_user, 0x50, pmi, 2, pmi
        SET_VECTOR 6, undefined, 13, protection, 14, page_fault
        APIC_ON
%ifdef GLOBAL_CTRL
        CHECK   "global ctrl at reset", SAY_MSR GLOBAL_CTRL
;=core2,penryn,bonnell,silvermont,knl global ctrl at reset|3
;=nehalem,skymont global ctrl at reset|ff
;=haswell,broadwell,goldmont,skylake global ctrl at reset|f
;=alderlake,zen4 global ctrl at reset|3f
%endif

        COUNT_OF "instructions", SEL_EN | SEL_OS | EV_INSNS, times 10 nop
;= instructions|b

        COUNT_OF "cycles", SEL_EN | SEL_OS | EV_CYCLES, times 10 nop
;= cycles|b

        COUNT_OF "of the other ring", SEL_EN | SEL_USR | EV_INSNS, times 10 nop
;= of the other ring|0

        COUNT_OF "not enabled", SEL_OS | EV_INSNS, times 10 nop
;= not enabled|0

        COUNT_OF "unknown event", SEL_EN | SEL_OS | 0x1d1, times 10 nop  ; not modelled
;= unknown event|0

        ; A loop, REP with and without anything to do, one that faults.
        COUNT   SEL_EN | SEL_OS | EV_INSNS
        mov     ecx, 5
.loop:  loop    .loop                                   ; 1 + 5
        mov     ecx, 5
        mov     esi, SPARE
        mov     edi, SPARE + 64
        rep     movsb                                   ; 4
        rep     movsb                                   ; 1
        SAY_COUNTED "instructions, loop and rep"
;= instructions, loop and rep|c

        COUNT   SEL_EN | SEL_OS | EV_INSNS
        ud2                                             ; and two of the handler
fault_1:
        nop
        SAY_COUNTED "instructions, #UD"
;= instructions, #UD|4
        mov     r9, 1 << 40
        mov     r8d, 3
        COUNT   SEL_EN | SEL_OS | EV_INSNS
        mov     al, [r9]                                ; 3 of the handler, again
        mov     rcx, r8                                 ; 2
        mov     rsi, r9
        SAY_COUNTED "instructions, #PF"
;= instructions, #PF|6

        ; 1 not taken, 1 taken, 2 taken and one not, call and ret, indirect
        mov     r8, .to
        COUNT_OF "branches", SEL_EN | SEL_OS | EV_BRANCHES, call branches
;= branches|a
        COUNT_OF "taken branches", SEL_EN | SEL_OS | EV_TAKEN, call branches
;= taken branches|8
.to:
        ; INT n and IRETQ
        COUNT_OF "branches, int n", SEL_EN | SEL_OS | EV_BRANCHES, int 0x40
;= branches, int n|2
        COUNT_OF "taken branches, int n", SEL_EN | SEL_OS | EV_TAKEN, int 0x40
;=near taken branches, int n|0
;=!near taken branches, int n|2
        ; An exception is no instruction; AMD counts it.
        COUNT   SEL_EN | SEL_OS | EV_BRANCHES
        ud2
fault_2:
        SAY_COUNTED "branches, #UD"
;=!amd branches, #UD|1
;=amd branches, #UD|2

        ; To ring 3 and back: IRETQ leaves ring 0, INT leaves ring 3.
        COUNT_OF "branches, ring 0", SEL_EN | SEL_OS | EV_BRANCHES, call both_rings
;= branches, ring 0|3
        COUNT_OF "branches, ring 3", SEL_EN | SEL_USR | EV_BRANCHES, call both_rings
;= branches, ring 3|3
        COUNT_OF "branches, both rings", SEL_EN | SEL_USR | SEL_OS | EV_BRANCHES, call both_rings
;= branches, both rings|6
        COUNT_OF "instructions, ring 3", SEL_EN | SEL_USR | EV_INSNS, call both_rings
;= instructions, ring 3|4

        ; The PMI of a counter that overflows comes after that very branch.
        CHECK   "pmi, taken branches"
        LVT_PMI 0x50
        sti
        OVERFLOW_AFTER 3, EV_TAKEN
NAME a,         JUMP    b, c
        xor     eax, eax
        jnz     a
        jz      d
        nop
NAME d,         nop
        JUMP    e
        nop
        WRMSR   SEL0, 0
        cli
        SAY_PMI
;=!amd pmi, taken branches|1 d 10050
; (AMD's entry is not masked.)
;=amd pmi, taken branches|1 d 50
        CHECK   "counter after pmi"             ; e, and the IRETQ where far counts
        SAY_MSR CTR0
;=near counter after pmi|1
;=!near,!amd counter after pmi|2
;=amd counter after pmi|3
%ifdef GLOBAL_CTRL
        CHECK   "status", SAY_MSR STATUS
        WRMSR   STATUS_RESET, 1
        SAY_MSR STATUS
;=pmufreeze status|1 0
%endif

        ; Untaken branches count as well, and the PMI comes after them.
        CHECK   "pmi, branches"
        PMI_BY  0x50
        sti
        OVERFLOW_AFTER 2, EV_BRANCHES
        OVER_NOP jmp
        test    esp, esp
        jz      a
NAME g,         nop
        OVER_NOP jmp
        nop
        WRMSR   SEL0, 0
        cli
        SAY_PMI
;=!amd pmi, branches|1 g 10050
;=amd pmi, branches|1 g 50

        ; Instructions: the PMI comes soon after.
        CHECK   "pmi, instructions"
        PMI_BY  0x50
        sti
        mov     edi, 100
        OVERFLOW_AFTER 100, EV_INSNS
.many:  nop
        dec     edi
        jnz     .many
        WRMSR   SEL0, 0
        cli
        SAY_HEX [seen_count]
;= pmi, instructions|1

        ; Without INT there is none.
        CHECK   "no pmi"
        PMI_BY  0x50
        sti
        WRMSR   SEL0, 0
        WRMSR   CTR0, -1
        WRMSR   SEL0, SEL_EN | SEL_OS | EV_BRANCHES
        HOP
        nop
        WRMSR   SEL0, 0
        cli
        SAY_HEX [seen_count]
;= no pmi|0

        ; With NMI.
        CHECK   "pmi, nmi"
        PMI_BY  0x400
        OVERFLOW_AFTER 1, EV_BRANCHES
        JUMP    j
        nop
        WRMSR   SEL0, 0
        SAY_PMI
;=!amd pmi, nmi|1 j 10400
;=amd pmi, nmi|1 j 400

%ifdef FREEZE_CTR
        ; Both freezes: the newest record is the branch that overflowed, and the
        ; counter has stopped.
        CHECK   "freeze"
        WRMSR   STATUS_RESET, FREEZE_STATUS | 1
        WRMSR   GLOBAL_CTRL, 1
        LVT_PMI 0x10050
        WRMSR   SEL0, 0
        WRMSR   CTR0, -2
        LBR_ON
        WRMSR   SEL0, SEL_EN | SEL_OS | SEL_INT | EV_TAKEN
        WRMSR   DEBUGCTL, LBR_ON_BIT | 3 << 11
        jmp     k
NAME k,         jmp     l
NAME l,         jmp     m
NAME m,         jmp     n
NAME n,         RDMSR   DEBUGCTL, r14
        RDMSR   STATUS, r13
        RDMSR   GLOBAL_CTRL, r12
        WRMSR   DEBUGCTL, 0
        WRMSR   STATUS_RESET, FREEZE_STATUS | 1
        LBR_OFF
        WRMSR   SEL0, 0
        SAY_HEX r12, r13, r14
        SAY_MSR CTR0
;=v2,v3 freeze|0 1 1800 0
;=v4,zen4 freeze|1 c00000000000001 1801 0
;=arch freeze|1 c00000000000001 1800 0
        CHECK   "frozen lbr", SAY_LBR 1
;=pmufreeze frozen lbr|k>l
%endif

%ifdef FIXED
        CHECK   "fixed counters"
        WRMSR   GLOBAL_CTRL, 7 << 32
        WRMSR   0x38d, 0
        WRMSR   0x309, 0
        WRMSR   0x30a, 5
        WRMSR   0x38d, 0x021
        times   10 nop
        WRMSR   0x38d, 0                ; 4 before it retires
        SAY_MSR 0x309
        SAY_MSR 0x30a                   ; counts in ring 3 only
;=fixed fixed counters|e 5

        CHECK   "fixed pmi"
        PMI_BY  0x50
        sti
        CPUID   10                         ; 20 before it is 0, of its width
        shr     edx, 5
        movzx   ecx, dl
        neg     ecx
        mov     rax, -20
        shl     rax, cl
        shr     rax, cl
        mov     rdx, rax
        shr     rdx, 32
        mov     ecx, 0x309
        wrmsr
        WRMSR   0x38d, 9
        times   30 nop
        HOP     2
        WRMSR   0x38d, 0
        cli
        SAY_HEX [seen_count]
        SAY_MSR STATUS
        WRMSR   STATUS_RESET, 1 << 32
;=fixed fixed pmi|1 100000000
%endif

%ifdef GLOBAL_CTRL
        CHECK   "global ctrl"
        WRMSR   GLOBAL_CTRL, 0
  %rep 2                                ; off, and on
        COUNT   SEL_EN | SEL_OS | EV_INSNS
        nop
        COUNTED
        SAY_HEX r14
        WRMSR   GLOBAL_CTRL, 1
  %endrep
;=pmufreeze global ctrl|0 2
%endif

        ; RDPMC: the same value.
        CHECK   "rdpmc"
        WRMSR   CTR0, 0x12345
        xor     ecx, ecx
        rdpmc
        shl     rdx, 32
        or      rax, rdx
        call    say_hex
        mov     dword [faulted], 0
        mov     ecx, 40
        rdpmc
        SAY_HEX [faulted]
;= rdpmc|12345 1

        ; 32 bits and their sign on the old name of Intel's.
        CHECK   "width"
        WRMSR   CTR0, 0x80000000
        SAY_MSR CTR0
        WRMSR   CTR0, 0x123456789
        SAY_MSR CTR0
;=p6,pentium-m,v1,core2,penryn,bonnell,silvermont,knl width|ff80000000 23456789
;=nehalem,haswell,broadwell,goldmont,skylake,arch width|ffff80000000 23456789
;=amd width|80000000 123456789
        ret

branches:
        test    esp, esp
        jz      .never
        jmp     .a
.never: nop
.a:     mov     ecx, 3
.b:     loop    .b
        call    .c
        mov     rax, .d
        jmp     rax
.c:     ret
.d:     ret

both_rings:
        mov     rbx, rsp
        PUSH_USER user
        iretq
user:   jmp     .b
.b:     jz      .c
.c:     nop
        int     0x41
leave_user:
        FROM_USER rbx
        ret

software:
        iretq
undefined:
        add     qword [rsp], 2
        iretq
page_fault:
        add     rsp, 8
        add     qword [rsp], 3
        iretq
        TRY_SUBROUTINES
pmi:    PMI_SEEN
        iretq

        PMI_VARIABLES
