; The event that counts inserts into the LBR stack, and the other addresses that the
; counters' registers have in version 6 of performance monitoring.
; classes skymont alderlake
; variants plain= plain-icount=-icount+shift=0 denied=bt-set-0a-ebx=0x1000 drop=bt-drop=2 copies=bt-double-newest=1+bt-predictor=on
%include "guest.inc"

INSERTS equ 0x1e4

; r14: IA32_LBR_CTL, r13: event select.
%macro SHOW 3                           ; name, filter, selector
        mov     r14, %2
        mov     r13, %3
        call    workload
        CHECK   %1, SAY_HEX r12
%endmacro

main:
        SET_VECTOR 0x40, software, 0x41, leave_user, 0x50, pmi, 13, protection
        APIC_ON

        ; JZ, CALL, RET, JMP, INT, IRETQ; then IRETQ to ring 3, JMP, INT to ring 0.
        SHOW    "all", 0x7f0007, SEL_EN | SEL_OS | SEL_USR | INSERTS
;=@plain,skymont all|9
;=@plain,alderlake/@denied,skymont all|0
; (A record that is lost is still counted.)
;=@drop,skymont all|9
        SHOW    "taken branches", 0x7f0007, SEL_EN | SEL_OS | SEL_USR | EV_TAKEN
;=@plain taken branches|5
        SHOW    "jcc", 0x10007, SEL_EN | SEL_OS | SEL_USR | INSERTS
;=@plain,skymont jcc|1
        SHOW    "no type", 7, SEL_EN | SEL_OS | SEL_USR | INSERTS
;=@plain,skymont no type|0
        SHOW    "off", 0x7f0006, SEL_EN | SEL_OS | SEL_USR | INSERTS
;=@plain,skymont off|0
        SHOW    "entering ring 0", 0x7f0007, SEL_EN | SEL_OS | INSERTS
;=@plain,skymont entering ring 0|7
        SHOW    "entering ring 3", 0x7f0007, SEL_EN | SEL_USR | INSERTS
;=@plain,skymont entering ring 3|2
        SHOW    "ring 3 recorded, both counted", 0x7f0005, SEL_EN | SEL_OS | SEL_USR | INSERTS
;=@plain,skymont ring 3 recorded, both counted|2
        ; Returns take records away, and far branches have none.
        SHOW    "call stack", 0x38000f, SEL_EN | SEL_OS | SEL_USR | INSERTS
;=@plain,skymont call stack|1
        SHOW    "second unit mask", 0x7f0007, SEL_EN | SEL_OS | 1 << 40 | INSERTS
;=@plain,skymont second unit mask|0

        ; An overflow has its PMI at the branch that was recorded.
        CHECK   "pmi"
        LVT_PMI 0x50
        sti
        WRMSR   SEL0, 0
        WRMSR   CTR0, -2
        WRMSR   LBR_CTL, 0x20007        ; JMP
        WRMSR   SEL0, SEL_EN | SEL_OS | SEL_INT | INSERTS
        call    leaf
        OVER_NOP jmp
        call    leaf
        JUMP    b
        nop
        WRMSR   SEL0, 0
        WRMSR   LBR_CTL, 0
        cli
        SAY_HEX [seen_count]
        SAY_ADDRESS [seen_rip]
;=@plain,skymont pmi|1 b
;=@plain,alderlake pmi|0 ?0

        ; A copy that a stop adds is not an insert.
        WRMSR   CTR0, 0
        WRMSR   SEL0, SEL_EN | SEL_OS | INSERTS
%rep 8
        WRMSR   LBR_CTL, 0x7f0007
        jmp     short $ + 2
        WRMSR   LBR_CTL, 0
%endrep
        WRMSR   SEL0, 0
        RDMSR   CTR0, r14
        READ_RECORD 2
        mov     r13, rax
        READ_RECORD 1
        sub     r13, rax
        CHECK   "eight stops, the newest two are alike", SAY_HEX r14
        test    r13, r13
        SAY_IF  z
;=@plain,skymont eight stops, the newest two are alike|8 0
;=@plain,alderlake eight stops, the newest two are alike|0 0
;=@copies,skymont eight stops, the newest two are alike|8 1
;=@copies,alderlake eight stops, the newest two are alike|0 1

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
.end:   ret

; Returns in r12 what the counter counted.
workload:
        WRMSR   SEL0, 0
        WRMSR   CTR0, 0
        WRMSR   LBR_DEPTH, DEPTH
        mov     rbp, rsp
        PUSH_USER user
        WRMSR   LBR_CTL, r14
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
        WRMSR   LBR_CTL, 0
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
