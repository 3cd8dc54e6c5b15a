; AMD's branch sampling: after a counter overflows, the next 16 taken branches are
; recorded, and only then the interrupt comes.
; classes zen3
; variants plain= plain-icount=-icount+shift=0 tos=bt-miscount-tos=on
%include "guest.inc"

EXTN    equ 0xc000010f
ENTRY   equ 0xc0010300                  ; FROM and TO alternate

main:
        SET_VECTOR 0x50, pmi, 13, protection
        APIC_ON
        CHECK   "cpuid 80000008"
        CPUID   0x80000008
        and     ebx, 0x80000000
        SAY_HEX rbx
;= cpuid 80000008|80000000
        CHECK   "at reset, without the ones, with another bit", SAY_MSR EXTN
        mov     ebp, 1
        WRMSR   EXTN, 0
        SAY_HEX rbp
        mov     ebp, 1
        WRMSR   EXTN, 0x58
        SAY_HEX rbp
;=!@tos at reset, without the ones, with another bit|18 0 0
;=@tos at reset, without the ones, with another bit|10018 0 0
        CHECK   "all bits of an entry"
        WRMSR   ENTRY + 31, -2
        SAY_MSR ENTRY + 31
;= all bits of an entry|fffffffffffffffe

        LVT_PMI 0x50
        WRMSR   SEL0, 0
        WRMSR   CTR0, -2
        WRMSR   EXTN, 0x18 | 1 << 2
        sti
        WRMSR   SEL0, SEL_EN | SEL_OS | SEL_INT | EV_TAKEN
%assign n 0
%rep 24
  %assign next n + 1
NAME b%[n]
        jmp     b%[next]
        nop
  %assign n next
%endrep
NAME b24,       WRMSR   SEL0, 0
        cli
        CHECK   "pmi at, debugextnctl then", SAY_ADDRESS [seen_rip]
        SAY_HEX [seen_extn]
;=!@tos pmi at, debugextnctl then|b18 38
;=@tos pmi at, debugextnctl then|b18 10038
        CHECK   "records"
        xor     ebp, ebp
.next:  mov     ecx, ENTRY + 1
        lea     ecx, [ecx + ebp * 2]
        RDMSR
        push    rax
        mov     ecx, ENTRY
        lea     ecx, [ecx + ebp * 2]
        RDMSR
        pop     rdx
        call    say_record
        inc     ebp
        cmp     ebp, 16
        jb      .next
;= records|b2>b3 b3>b4 b4>b5 b5>b6 b6>b7 b7>b8 b8>b9 b9>b10 b10>b11 b11>b12 b12>b13 b13>b14 b14>b15 b15>b16 b16>b17 b17>b18

        ; Sampling is turned off while the interrupt is held.
        WRMSR   CTR0, -1
        WRMSR   EXTN, 0x18 | 1 << 2
        sti
        WRMSR   SEL0, SEL_EN | SEL_OS | SEL_INT | EV_TAKEN
        HOP     3
        WRMSR   SEL0, 0
        WRMSR   EXTN, 0x18 | 1 << 5 | 2 << 16
NAME released,  nop
        cli
        CHECK   "released", SAY_ADDRESS [seen_rip]
        SAY_HEX [seen_extn]
;=!@tos released|released 20038
;=@tos released|released 30038

        ; Another counter's interrupt is not held.
        WRMSR   CTR0, -1
        WRMSR   EXTN, 0x18 | 1 << 2 | 1 << 24
        sti
        WRMSR   SEL0, SEL_EN | SEL_OS | SEL_INT | EV_TAKEN
        JUMP    other
        nop
        WRMSR   SEL0, 0
        cli
        CHECK   "another counter", SAY_ADDRESS [seen_rip]
;= another counter|other
        ret

pmi:    PMI_SEEN
        SAVE    rax, rcx, rdx
        RDMSR   EXTN, [seen_extn]
        RESTORE rax, rcx, rdx
        iretq
protection:
        xor     ebp, ebp
        SKIP_MSR_ACCESS

        PMI_VARIABLES
        VARIABLES seen_extn
