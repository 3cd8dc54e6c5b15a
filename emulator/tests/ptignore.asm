; Processor Trace: misbehaviour on purpose of filters, of time, and of the interrupt of a full
; region.
; classes pt
; variants none ignoreos=bt-pt-ignore-os=on ignorecr3=bt-pt-ignore-cr3=on ignorerange=bt-pt-ignore-range=on nocyc=bt-pt-no-cyc=on mtconce=bt-pt-mtc-once=on pmitwice=bt-pt-pmi-twice=on
%include "guest.inc"
%include "pt.inc"

main:
        SET_VECTOR 0x41, leave_user, 0x50, pmi
        APIC_ON
        COPY_TABLES

        ; CPL 3 alone, or all.  The bits read as they were written.
        PT_BEGIN USER, on1
        TO_USER rbp, user1
        xor     eax, eax
        OVER_NOP jz
NAME int1,      int     0x41
NAME back1,     RDMSR   RTIT_CTL
        mov     r8d, eax
        PT_END  off1, "pt cpl 3"
        and     r8d, OS | USER
        SAY_HEX r8
;=!@ignoreos pt cpl 3|psb cbr psbend mode:1 pge:user1 tnt:T fup:int1 pgd 8
;=@ignoreos pt cpl 3|psb pip:200000 cbr psbend mode:1 pge:on1 tip:user1 tnt:T fup:int1 tip:leave_user tip:back1 fup:off1 pgd 8

        ; CPL 0 alone.
        PT_BEGIN OS, on2
        TO_USER rbp, user2
        xor     eax, eax
        OVER_NOP jz
NAME int2,      int     0x41
NAME back2,     PT_END  off2, "pt cpl 0"
;=!@ignoreos pt cpl 0|psb pip:200000 cbr psbend mode:1 pge:on2 pgd pge:leave_user tip:back2 fup:off2 pgd
;=@ignoreos pt cpl 0|psb pip:200000 cbr psbend mode:1 pge:on2 tip:user2 tnt:T fup:int2 tip:leave_user tip:back2 fup:off2 pgd

        ; CR3: another one, and back.
        WRMSR   RTIT_CR3, TABLES
        mov     ebx, TABLES
        mov     ebp, TABLES2
        PT_BEGIN OS | CR3_FILTER, on3
        mov     cr3, rbp
        test    ebx, ebx
        jz      quit
        mov     cr3, rbx
NAME again3,    jz      quit
        PT_END  off3, "pt cr3 filter"
;=!@ignorecr3 pt cr3 filter|psb pip:200000 cbr psbend mode:1 pge:on3 pgd pip:200000 pge:again3 tnt:N fup:off3 pgd
;=@ignorecr3 pt cr3 filter|psb pip:200000 cbr psbend mode:1 pge:on3 pip:2c0000 tnt:N pip:200000 tnt:N fup:off3 pgd

%ifnidn CLASS, broadwell
        ; A range, and then one that stops the trace.
        RANGE   0, in4, in4_end
        PT_BEGIN OS | ADDR_CFG(0, FILTER), on4
        JUMP_RAX in4
        lea     rax, [rel out4]
        jmp     rax
in4_end:
        nop
NAME out4,      JUMP_RAX out4b
        PT_END  off4, "pt range"
;=pt,!broadwell,!@ignorerange pt range|psb pip:200000 cbr psbend mode:1 pge:in4 pgd:out4
;=pt,!broadwell,@ignorerange pt range|psb pip:200000 cbr psbend mode:1 pge:on4 tip:in4 tip:out4 tip:out4b fup:off4 pgd

        PT_BEGIN OS | ADDR_CFG(0, STOP), on5
        lea     rax, [rel in4]
        lea     rbx, [rel out5]
        mov     byte [in4], 0x90        ; JMP RBX, at the end of this range
        mov     dword [in4 + 1], 0x90e3ff90
        jmp     rax
        nop
NAME out5,      PT_END  off5, "pt stop"
;=pt,!broadwell,!@ignorerange pt stop|psb pip:200000 cbr psbend mode:1 pge:on5 pgd:in4 stop
;=pt,!broadwell,@ignorerange pt stop|psb pip:200000 cbr psbend mode:1 pge:on5 tip:in4 tip:out5 fup:off5 pgd

        ; CYC: the bit reads as it was written.
        PT_BEGIN OS | CYC_EN, on6
        lea     rax, [rel to6]          ; 7 bytes
        times 25 nop
        jmp     rax                     ; 32 / 4 + 1
NAME to6,       RDMSR   RTIT_CTL
        mov     r8d, eax
        PT_END  off6, "pt cyc"
        and     r8d, CYC_EN
        SAY_HEX r8
;=pt,!broadwell,!@nocyc pt cyc|psb pip:200000 cbr psbend mode:1 pge:on6 cyc:9 tip:to6 fup:off6 pgd 2
;=pt,!broadwell,@nocyc pt cyc|psb pip:200000 cbr psbend mode:1 pge:on6 tip:to6 fup:off6 pgd 2

        ; MTC: many, or one, each time that TraceEn is set.
%macro MTCS 2
        PT_BEGIN OS | MTC_EN, %1
        mov     ecx, 10000
%%long: dec     ecx
        jnz     %%long
        PT_OFF  %2
        call    count_mtcs
        mov     eax, 2
        cmp     ebx, 2
        cmova   ebx, eax
        SAY_HEX rbx
%endmacro
        CHECK   "pt mtc"
        MTCS    on7, off7
        MTCS    on8, off8
%endif
;=pt,!broadwell,!@mtconce pt mtc|2 2
;=pt,!broadwell,@mtconce pt mtc|1 1

        ; The interrupt of a full region: how many, with their status bit, and where the
        ; newest came: after four taken branches, of which the first is the handler's IRET.
        PT_TABLE 0, ENTRY_INT
        mov     dword [unmasks], 0x50
        LVT_PMI 0x50
        PT_NEARLY_FULL OS | BRANCH_EN
NAME first9,    JUMP    a9, b9, c9, d9
        mov     ecx, 100
.more:  loop    .more
        cli
        WRMSR   RTIT_CTL, 0
        CHECK   "pt pmi", call say_pmis
;=!@pmitwice pt pmi|1 1 first9
;=@pmitwice pt pmi|2 2 c9

        ; The entry stays masked, and the trace ends.  An interrupt that comes again is
        ; not lost.
        mov     dword [unmasks], 0x10050
        LVT_PMI 0x50
        PT_NEARLY_FULL OS | BRANCH_EN
NAME first10,   mov     ecx, 100
.masked:
        loop    .masked
        WRMSR   RTIT_CTL, 0
        LVT_PMI 0x50
        JUMP    a10, b10, c10, d10
        nop
        cli
        CHECK   "pt pmi, masked for long", call say_pmis
;=!@pmitwice pt pmi, masked for long|1 1 first10
;=@pmitwice pt pmi, masked for long|2 2 d10
        jmp     quit

NAME leave_user,        pop     rdx
        FROM_USER rbp
        jmp     rdx

say_pmis:
        SAY_HEX [seen_count], [with_status]
        SAY_ADDRESS [seen_rip]
        mov     dword [seen_count], 0
        mov     dword [with_status], 0
        ret

pmi:    PMI_SEEN
        SAVE    rax, rcx, rdx
        RDMSR   STATUS
        shr     rax, 55
        and     eax, 1
        add     [with_status], eax
        WRMSR   STATUS_RESET, 1 << 55
        mov     eax, [unmasks]
        LVT_PMI eax
        RESTORE rax, rcx, rdx
        iretq

        PMI_VARIABLES
        VARIABLES with_status, unmasks
