; Processor Trace: CPUID, registers, and where the output goes.
; SDM vol. 3C, "Intel Processor Trace".
; classes pt
; variants plain icount=-icount+shift=0
%include "guest.inc"
%include "pt.inc"

OTHER   equ 0x2a0000                    ; a second table of regions


main:
        SET_VECTOR 13, protection, 0x50, pmi
        APIC_ON

        ; CPUID.7:EBX[25], the highest leaf is 14H at least, and the leaf.
        CHECK   "pt cpuid"
        CPUID   7, 0
        SAY_BIT ebx, 25
        CPUID   0
        cmp     eax, 0x14
        SAY_IF  ae
        CPUID   0x14, 0
        SAY_HEX rax, rbx, rcx
        CPUID   0x14, 1
        SAY_HEX rax, rbx
;=broadwell pt cpuid|1 1 0 1 1 0 0
;=skylake pt cpuid|1 1 1 f 7 2490002 3f3fff
;=goldmont pt cpuid|1 1 1 f 80000007 2490002 3f3fff
;=alderlake pt cpuid|1 1 1 f 7 2490002 3f003f
;=skymont pt cpuid|1 1 1 f 80000007 2490002 3f003f

        ; CPUID.15H: the time-stamp counter has 64 ticks for one of the crystal clock, by
        ; which MTC counts; the rate of that is not told.
%ifnidn CLASS, broadwell
        CHECK   "pt cpuid 15"
        CPUID   0
        cmp     eax, 0x15
        SAY_IF  ae
        CPUID   0x15
        SAY_HEX rax, rbx, rcx, rdx
%endif
;=pt,!broadwell pt cpuid 15|1 1 40 0 0

        ; "At Reset": all 0, but LowerMask reads 7FH.
        CHECK   "pt reset", SAY_MSR RTIT_CTL, RTIT_STATUS, RTIT_BASE, RTIT_MASK, RTIT_CR3
;=pt pt reset|0 0 0 7f 0

        ; Ranges: two pairs, or none.
        CHECK   "pt range registers"
        TRY_RDMSR RTIT_ADDR0_A, RTIT_ADDR0_A + 3, RTIT_ADDR0_A + 4
;=pt,!broadwell pt range registers|0 0 1
;=broadwell pt range registers|1 1 1

        ; Bits of IA32_RTIT_CTL without their bit of CPUID: 0 CYCEn, CR3Filter, ToPA,
        ; MTCEn, PTWEn, FabricEn, a range, a reserved one.
        CHECK   "pt ctl bits"
        TRY_WRMSR RTIT_CTL, CYC_EN, CR3_FILTER, TO_TABLE, MTC_EN, 1 << 12, 1 << 6
        TRY_WRMSR RTIT_CTL, ADDR_CFG(0, FILTER), 1 << 18
        TRY_WRMSR RTIT_CTL, OS | USER | TSC_EN | DIS_RETC | BRANCH_EN
        SAY_MSR RTIT_CTL
;=pt,!broadwell pt ctl bits|0 0 0 0 1 1 0 1 0 2c0c
;=broadwell pt ctl bits|1 0 0 1 1 1 1 1 0 2c0c

        ; Encodings: MTCFreq 3 and 1, CycThresh 5 and 14, PSBFreq 5 and 6, ADDR0_CFG 2
        ; and 3, ADDR2_CFG.
        CHECK   "pt ctl encodings"
        TRY_WRMSR RTIT_CTL, 3 << 14, 1 << 14, 5 << 19, 14 << 19, 5 << 24, 6 << 24
        TRY_WRMSR RTIT_CTL, ADDR_CFG(0, STOP), ADDR_CFG(0, 3), ADDR_CFG(2, FILTER)
;=pt,!broadwell pt ctl encodings|0 1 0 1 0 1 0 1 1
;=broadwell pt ctl encodings|1 1 1 1 1 1 1 1 1

        ; CycThresh 6 to 13: Skylake has them.
        CHECK   "pt cycle threshold", TRY_WRMSR RTIT_CTL, 13 << 19
;=skylake,goldmont pt cycle threshold|0
;=broadwell,alderlake,skymont pt cycle threshold|1

        ; Without ToPA output goes to a single range, where there is one.
        CHECK   "pt single range"
        PT_OUTPUT TRACE, 0xfff
        TRY_WRMSR RTIT_CTL, TRACE_EN
        WRMSR   RTIT_CTL, 0
;=pt,!broadwell pt single range|0
;=broadwell pt single range|1

        ; OUTPUT_BASE: bits 6:0, and above MAXPHYADDR; bits 11:7 may be set.
        CHECK   "pt output base", TRY_WRMSR RTIT_BASE, TABLE | 0x40, 1 << 52, TABLE | 0x80
        SAY_MSR RTIT_BASE
;=pt pt output base|1 1 0 260080
        CHECK   "pt output mask", TRY_WRMSR RTIT_MASK, 0x0000012300000480
        SAY_MSR RTIT_MASK
;=pt pt output mask|0 123000004ff
        CHECK   "pt cr3", TRY_WRMSR RTIT_CR3, 0x10, -0x20
        SAY_MSR RTIT_CR3
;=pt pt cr3|1 0 ffffffffffffffe0
%ifnidn CLASS, broadwell
        CHECK   "pt range addresses", TRY_WRMSR RTIT_ADDR0_A, 1 << 47
        TRY_WRMSR RTIT_ADDR0_A + 1, -(1 << 47)
        SAY_MSR RTIT_ADDR0_A + 1
%endif
;=pt,!broadwell pt range addresses|1 0 ffff800000000000

        ; IA32_RTIT_STATUS: the enables are read-only, other bits reserved, and so is
        ; PacketByteCnt where PSBFreq is.
        CHECK   "pt status", TRY_WRMSR RTIT_STATUS, 0x37
        SAY_MSR RTIT_STATUS
        TRY_WRMSR RTIT_STATUS, 0x8, 1 << 49, 1 << 48, 0
;=pt,!broadwell pt status|0 30 1 1 0 0
;=broadwell pt status|0 30 1 1 1 0

        ; While TraceEn = 1: the same CTL may be written, a change not unless it clears
        ; TraceEn; the other registers cannot.
        CHECK   "pt while on"
        PT_FRESH 0
        TRY_WRMSR RTIT_CTL, TRACE_EN | TO_TABLE, TRACE_EN | TO_TABLE
        TRY_WRMSR RTIT_CTL, TRACE_EN | TO_TABLE | OS
        TRY_WRMSR RTIT_BASE, TABLE
        TRY_WRMSR RTIT_MASK, 0
        TRY_WRMSR RTIT_STATUS, 0
        TRY_WRMSR RTIT_CR3, 0
        TRY_WRMSR RTIT_CTL, OS
        SAY_MSR RTIT_CTL
;=pt pt while on|0 0 1 1 1 1 1 0 4

        ; TriggerEn, ContextEn and FilterEn while it is on, and after.
        CHECK   "pt enables"
        PT_FRESH 0
        WRMSR   RTIT_CTL, TRACE_EN | TO_TABLE | OS
        HOP
        RDMSR   RTIT_STATUS
        mov     ebx, eax
        WRMSR   RTIT_CTL, 0
        RDMSR   RTIT_STATUS
        mov     ebp, eax
        SAY_HEX rbx, rbp
;=pt pt enables|7 0

        ; A PSB of 16 bytes, CBR, PSBEND, where it begins.
        CHECK   "pt psb"
        PT_FRESH 0
        WRMSR   RTIT_CTL, TRACE_EN | TO_TABLE
        HOP
        WRMSR   RTIT_CTL, 0
        SAY_HEX [TRACE], [TRACE + 8]
        mov     eax, [TRACE + 16]
        and     eax, 0xff00ffff         ; the ratio is the processor's
        call    say_hex
        movzx   eax, word [TRACE + 20]
        call    say_hex
        SAY_OUTPUT
;=pt pt psb|8202820282028202 8202820282028202 302 2302 260000 160000007f 0

        ; PacketByteCnt: with bytes since the last PSB there is no other.
        CHECK   "pt byte count"
        RDMSR   RTIT_STATUS
        shr     rax, 32
        call    say_hex
        WRMSR   RTIT_CTL, TRACE_EN | TO_TABLE
        HOP
        WRMSR   RTIT_CTL, 0
        SAY_OUTPUT
;=pt,!broadwell pt byte count|16 260000 1a0000007f 0
;=broadwell pt byte count|0 260000 2c0000007f 0

        ; Errors of the table: its address, reserved bits, an address above MAXPHYADDR,
        ; one that its size does not divide, END first, END with INT, a bad offset.
        CHECK   "pt table errors"
%macro TRY_TABLE 1-3 TABLE, 0           ; first entry; where the table is, and the offset
        mov     r13, %1
        mov     r12d, %2
        mov     r14d, %3
        call    try_table
%endmacro
        TRY_TABLE TRACE, TABLE + 0x80
        TRY_TABLE TRACE | 1 << 1
        TRY_TABLE TRACE | 1 << 10
        TRY_TABLE TRACE | 1 << 52
        TRY_TABLE TRACE + 0x1000 | SIZE(1)
        TRY_TABLE TABLE | ENTRY_END
        TRY_TABLE TRACE
        TRY_TABLE TRACE, TABLE, 0x1000
;=pt pt table errors|10 10 10 10 10 10 0 10

        ; The local APIC is not memory.
        CHECK   "pt output to a device", TRY_TABLE APIC
;=pt pt output to a device|10

        ; While Error is set, the trace cannot begin.
        CHECK   "pt error stays"
        PT_FRESH 0
        WRMSR   RTIT_STATUS, 0x10
        WRMSR   RTIT_CTL, TRACE_EN | TO_TABLE
        HOP
        RDMSR   RTIT_STATUS
        mov     ebx, eax
        WRMSR   RTIT_CTL, 0
        SAY_HEX rbx
        SAY_OUTPUT
        WRMSR   RTIT_STATUS, 0
;=pt pt error stays|10 260000 7f 10

%ifidn CLASS, broadwell
        ; One entry, then END, which leads to this table.
        CHECK   "pt one entry"
        mov     r12d, TABLE
        mov     r13d, TRACE
        mov     qword [TABLE + 8], TRACE + 0x1000
        call    try_second
        mov     qword [TABLE + 8], OTHER | ENTRY_END
        call    try_second
        mov     qword [TABLE + 8], TABLE | ENTRY_END
        call    try_second
%endif
;=broadwell pt one entry|10 10 0
        jmp     quit

; The status, with a table at r12 whose first entry is r13, and offset r14.
try_table:
        mov     [r12], r13
        mov     qword [r12 + 8], TABLE | ENTRY_END
        mov     rax, r14
        shl     rax, 32
try:    push    rax
        WRMSR   RTIT_CTL, 0
        WRMSR   RTIT_STATUS, 0
        WRMSR   RTIT_BASE, r12
        pop     rax
        mov     rdx, rax
        shr     rdx, 32
        mov     ecx, RTIT_MASK
        wrmsr
        WRMSR   RTIT_CTL, TRACE_EN | TO_TABLE
        HOP
        RDMSR   RTIT_STATUS
        and     eax, 0x30
        push    rax
        WRMSR   RTIT_CTL, 0
        WRMSR   RTIT_STATUS, 0
        pop     rax
        jmp     say_hex
try_second:                             ; likewise, at the second entry
        mov     eax, 1 << 7
        jmp     try

        TRY_SUBROUTINES

pmi:    EOI
        iretq

