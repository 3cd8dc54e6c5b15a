; Processor Trace: regions that fill up.
; SDM vol. 3C, "Table of Physical Addresses (ToPA)" and "Single Range Output".
; classes pt
; variants plain icount=-icount+shift=0
%include "guest.inc"
%include "pt.inc"

FAR_TRACE equ 0x2a0000                  ; a second region
OTHER   equ 0x2b0000                    ; a second table

; Packets: each round has 4 bytes, a TNT packet of one branch and a TIP.
%macro TIPS 1
        mov     ebx, %1
        lea     rdx, [rel %%to]
%%next: jmp     rdx
        nop
%%to:   dec     ebx
        jnz     %%next
%endmacro

%macro SAY_PMIS 0                       ; how many; the status from bit 55 on, and clears it
        SAY_HEX [pmis]
        RDMSR   STATUS
        shr     rax, 55
        call    say_hex
        WRMSR   STATUS_RESET, 1 << 55
%endmacro

main:
        SET_VECTOR 13, protection, 0x50, pmi
        APIC_ON
        LVT_PMI 0x50

%ifnidn CLASS, broadwell
        ; A table of two regions and another table, back to the first: packets go on in
        ; the next region, in the middle of one if need be.
        CHECK   "pt two regions"
        CLEAR   FAR_TRACE, 0x1000 / 8
        mov     qword [TABLE], TRACE
        mov     qword [TABLE + 8], OTHER | ENTRY_END
        mov     qword [OTHER], FAR_TRACE
        mov     qword [OTHER + 8], TABLE | ENTRY_END
        PT_OUTPUT TABLE, 0xfff00000000
        WRMSR   RTIT_CTL, TRACE_EN | TO_TABLE
        HOP
        WRMSR   RTIT_CTL, 0
        mov     al, [TRACE + 0xfff]
        movzx   eax, al
        call    say_hex
        SAY_DWORD [FAR_TRACE]
        SAY_OUTPUT
%endif
;=pt,!broadwell pt two regions|2 2820282 2b0000 150000007f 0

        ; STOP: the output ends with the region, whose offset is then its size.
        CHECK   "pt stop"
        CLEAR   FAR_TRACE, 0x1000 / 8
        PT_TABLE 0, ENTRY_STOP
        mov     byte [TRACE + 0x1000], 0
        PT_OUTPUT TABLE, 0xffe00000000
        WRMSR   RTIT_CTL, TRACE_EN | TO_TABLE | OS | BRANCH_EN
        TIPS    100
        RDMSR   RTIT_STATUS
        mov     ebp, eax
        WRMSR   RTIT_CTL, 0
        mov     eax, ebp
        and     eax, 0x34
        call    say_hex
        movzx   eax, word [TRACE + 0xffe]
        call    say_hex
        movzx   eax, byte [TRACE + 0x1000]
        call    say_hex
        SAY_OUTPUT
;=pt pt stop|20 8202 0 260000 10000000007f 20

        ; Software that wants to go on clears Stopped and moves the offset.
        CHECK   "pt stopped stays"
        WRMSR   RTIT_MASK, 0
        WRMSR   RTIT_CTL, TRACE_EN | TO_TABLE | OS | BRANCH_EN
        TIPS    2
        WRMSR   RTIT_CTL, 0
        SAY_OUTPUT
;=pt pt stopped stays|260000 7f 20

        ; INT: GLOBAL_STATUS[55] and an interrupt, and the output goes on.
        CHECK   "pt int"
        mov     dword [pmis], 0
        PT_TABLE 0, ENTRY_INT
        PT_NEARLY_FULL 0
        HOP
        nop
        HOP
        cli
        WRMSR   RTIT_CTL, 0
        SAY_PMIS
        SAY_MSR STATUS
        SAY_OUTPUT
;=pt pt int|1 1 0 260000 60000007f 0

        ; A masked one is not delivered, and its status bit is set all the same.
        CHECK   "pt int masked"
        mov     dword [pmis], 0
        LVT_PMI 0x10050
        PT_NEARLY_FULL 0
        HOP
        cli
        WRMSR   RTIT_CTL, 0
        SAY_PMIS
;=pt pt int masked|0 1

%ifnidn CLASS, broadwell
        ; A single range of 256 bytes begins again where it ends.
        CHECK   "pt single range"
        PT_OUTPUT TRACE, 0xf800000080
        WRMSR   RTIT_CTL, TRACE_EN
        HOP
        WRMSR   RTIT_CTL, 0
        SAY_HEX [TRACE + 0xf8], [TRACE]
        SAY_OUTPUT
        ; Its mask is not a row of ones, the base is not clear there, the offset is
        ; larger.
        CHECK   "pt single range errors"
        mov     r12d, TRACE
        mov     r13d, 0x100
        call    try_single
        mov     r12d, TRACE + 0x80
        mov     r13d, 0x80
        call    try_single
        mov     r12d, TRACE
        mov     r13, 0x10000000080
        call    try_single
        mov     r13, 0xff00000080
        call    try_single
%endif
;=pt,!broadwell pt single range|8202820282028202 8202820282028202 280000 e000000ff 0
;=pt,!broadwell pt single range errors|10 10 10 0

        ; PSB: after 2 KiB of packets.  The first group has 30 bytes, MODE.Exec and TIP.PGE
        ; 7, the first TIP 3: 2 KiB end with a TIP.
        CHECK   "pt psb period"
        PT_FRESH 4
        WRMSR   RTIT_CTL, TRACE_EN | TO_TABLE | OS | BRANCH_EN | DIS_RETC
        TIPS    1000
        WRMSR   RTIT_CTL, 0
        call    say_psbs
;=pt pt psb period|0 800

        ; A period of 4 KiB.
        CHECK   "pt psb period 4"
        PT_FRESH 4
%ifnidn CLASS, broadwell
        WRMSR   RTIT_CTL, TRACE_EN | TO_TABLE | OS | BRANCH_EN | DIS_RETC | 1 << 24
        TIPS    2000
        WRMSR   RTIT_CTL, 0
        call    say_psbs
%endif
;=pt,!broadwell pt psb period 4|0 1000
;=broadwell pt psb period 4|
        jmp     quit

; The status with a single range at r12, OUTPUT_MASK_PTRS r13.
try_single:
        PT_OUTPUT r12, r13
        WRMSR   RTIT_CTL, TRACE_EN
        RDMSR   RTIT_STATUS
        and     eax, 0x30
        push    rax
        WRMSR   RTIT_CTL, 0
        pop     rax
        jmp     say_hex

; Where PSBs are, up to the output.
say_psbs:
        RDMSR   RTIT_MASK
        shr     rax, 32
        lea     r12, [rax + TRACE - 15]
        mov     r13d, TRACE
        mov     r14, 0x8202820282028202
.next:  cmp     [r13], r14
        jne     .none
        cmp     [r13 + 8], r14
        jne     .none
        lea     rax, [r13 - TRACE]
        call    say_hex
        add     r13, 15
.none:  inc     r13
        cmp     r13, r12
        jb      .next
        ret

protection:
        SKIP_MSR_ACCESS

pmi:    inc     dword [pmis]
        EOI
        iretq

pmis:   dd      0
