; The local APIC in x2APIC mode: how it is entered, its registers, what they refuse,
; and interrupts, those of the trace hardware among them.
; classes p6 core2 nehalem skylake alderlake skymont nocona zen4
; variants off= auto=bt-x2apic=auto on=bt-x2apic=on auto-icount=-icount+shift=0+-global+x86_64-cpu.bt-x2apic=auto
%include "guest.inc"

BASE    equ 0x1b                        ; IA32_APIC_BASE
EXTD    equ 1 << 10
EN      equ 1 << 11
ALONE   equ APIC | 1 << 8               ; the address, and BSP

%macro SAY_APIC 1-*                     ; registers in memory
  %rep %0
        SAY_DWORD [r15 + %1]
    %rotate 1
  %endrep
%endmacro

%macro SEND 1                           ; to the ICR; how many interrupts came
        WRMSR   0x830, %1
        call    say_interrupts
%endmacro
; The PMI counts from 0, by this entry of the LVT.
%macro PMI_BY 1
        mov     dword [seen_count], 0
        WRMSR   0x834, %1
%endmacro

main:
        SET_VECTOR 13, protection, 2, nmi, 0x40, interrupt, 0x50, pmi, 0x60, error
        mov     r15d, APIC

        ; CPUID: the feature, leaf 0BH, its ID
        CHECK   "cpuid"
        CPUID   1
        SAY_BIT ecx, 21
        bt      ecx, 21
        jnc     .base
        CPUID   0
        cmp     eax, 11
        SAY_IF  ae
        CPUID   11, 0
        SAY_HEX rbx, rdx
;=!@off cpuid|1 1 1 0
;=@off cpuid|0

.base:  CHECK   "base at reset", SAY_MSR BASE
;=@off,@auto base at reset|fee00900
;=@on base at reset|fee00d00

        ; Without x2APIC the bit is reserved, as others are, and outside of x2APIC
        ; mode its registers raise #GP.
        CHECK   "without"
        CPUID   1
        test    ecx, 1 << 21
        jnz     .with
        TRY_WRMSR BASE, ALONE | EN | EXTD
        SAY_MSR BASE
        TRY_RDMSR 0x802
        TRY_WRMSR 0x80b, 1
        TRY_WRMSR BASE, ALONE | EN | 1
        SAY_APIC 0x30
        ret
;=@off without|1 fee00900 1 1 1 50014
;=!@off without|
.with:
        ; From disabled, where "on" has to go first, and from xAPIC mode.
        CHECK   "from disabled: x2apic, extd alone"
        WRMSR   BASE, ALONE
        TRY_WRMSR BASE, ALONE | EN | EXTD, ALONE | EXTD
        SAY_MSR BASE
;=!@off from disabled: x2apic, extd alone|1 1 fee00100
        CHECK   "disabled: cpuid, in memory, msr", call say_cpuid_apic
        SAY_APIC 0x30
        TRY_RDMSR 0x803
;=!@off disabled: cpuid, in memory, msr|0 ffffffff 1
        CHECK   "from disabled: xapic", TRY_WRMSR BASE, ALONE | EN
        SAY_MSR BASE
        call    say_cpuid_apic
        SAY_APIC 0x30
;=!@off from disabled: xapic|0 fee00900 1 50014
        CHECK   "xapic: msr, extd alone, reserved", TRY_RDMSR 0x802
        TRY_WRMSR 0x80b, 0
        TRY_WRMSR BASE, ALONE | EXTD, ALONE | EN | 1, ALONE | EN | 1 << 9
        TRY_WRMSR BASE, ALONE | EN | 1 << 52
        SAY_MSR BASE
;=!@off xapic: msr, extd alone, reserved|1 1 1 1 1 1 fee00900

        ; The state of xAPIC mode is kept, except for the ID, the logical ID and the
        ; upper half of the ICR.
        CHECK   "to x2apic"
        mov     dword [r15 + 0x20], 0x55 << 24
        mov     dword [r15 + 0xd0], 0x77 << 24
        mov     dword [r15 + 0x310], 0x11 << 24
        mov     dword [r15 + 0xf0], 0x1ab
        LVT_PMI 0x1005a
        TRY_WRMSR BASE, ALONE | EN | EXTD
        SAY_MSR BASE, 0x802, 0x80d, 0x830, 0x80f, 0x834, 0x803
        call    say_cpuid_apic
;=!@off to x2apic|0 fee00d00 0 1 0 1ab 1005a 50014 1

        CHECK   "x2apic: in memory"
        mov     dword [r15 + 0xf0], 0x1cd
        SAY_APIC 0x20
        SAY_MSR 0x80f
;=!@off x2apic: in memory|ffffffff 1ab
        CHECK   "from x2apic: xapic, extd alone, reserved, again"
        TRY_WRMSR BASE, ALONE | EN, ALONE | EXTD, ALONE | EN | EXTD | 2
        TRY_WRMSR BASE, ALONE | EN | EXTD
        SAY_MSR BASE
;=!@off from x2apic: xapic, extd alone, reserved, again|1 1 1 0 fee00d00
        CHECK   "through disabled: svr, lvt, id"
        WRMSR   BASE, ALONE
        WRMSR   BASE, ALONE | EN
        SAY_APIC 0xf0, 0x340, 0x20
;=!@off through disabled: svr, lvt, id|ff 10000 0

        ; The registers that exist.
        WRMSR   BASE, ALONE | EN | EXTD
        CHECK   "readable"
        mov     ebx, 0x7ff
.read:  mov     dword [faulted], 0
        mov     ecx, ebx
        rdmsr
        cmp     dword [faulted], 0
        jne     .no_read
        mov     eax, ebx
        call    say_hex
.no_read:
        inc     ebx
        cmp     ebx, 0x901
        jb      .read
;=!@off readable|7ff 802 803 808 80a 80d 80f 810 811 812 813 814 815 816 817 818 819 81a 81b 81c 81d 81e 81f 820 821 822 823 824 825 826 827 828 830 832 833 834 835 836 837 838 839 83e 900
        ; The registers that accept a 0, and which single bits.  (The ICR sends to
        ; EE, which does not exist.  SELF IPI does not get bits that make a vector.)
        CHECK   "writable"
        mov     ebx, 0x800
.write: mov     dword [faulted], 0
        WRMSR   ebx, 0
        cmp     dword [faulted], 0
        jne     .no_write
        call    say_bits
.no_write:
        WRMSR   0x838, 0
        WRMSR   0x808, 0
        WRMSR   0x80f, 0x1ff
        WRMSR   0x832, 0x10000
        inc     ebx
        cmp     ebx, 0x900
        jb      .write
;=!@off writable|808:ff 80b:0 80f:1ff 828:0 830:ffffffff000ccfff 832:310ff 833:117ff 834:117ff 835:1f7ff 836:1f7ff 837:110ff 838:ffffffff 83e:b 83f:f

        ; Read-only bits of the LVT are not stored.
        CHECK   "lvt status"
        WRMSR   0x835, 0x15700
        SAY_MSR 0x835
        WRMSR   0x835, 0x10000
;=!@off lvt status|10700

        ; While software disables the APIC, the LVT is masked and stays so.
        CHECK   "software disabled"
        WRMSR   0x834, 0x50
        WRMSR   0x80f, 0xff
        SAY_MSR 0x834
        WRMSR   0x834, 0x51
        SAY_MSR 0x834
        WRMSR   0x80f, 0x1ff
        SAY_MSR 0x834
        WRMSR   0x834, 0x50
        SAY_MSR 0x834
        WRMSR   0x834, 0x10000
;=!@off software disabled|10050 10051 10051 50

        ; Illegal vectors: ESR shows them after the next write, and one interrupt comes
        ; until then.
        CHECK   "errors"
        WRMSR   0x828, 0
        WRMSR   0x828, 0
        WRMSR   0x837, 0x60
        sti
        WRMSR   0x830, 0x40005
        WRMSR   0x830, 0x4010f          ; lowest priority
        SAY_MSR 0x828
        WRMSR   0x828, 0
        SAY_MSR 0x828
        WRMSR   0x83f, 15
        WRMSR   0x828, 0
        SAY_MSR 0x828
        WRMSR   0x828, 0
        SAY_MSR 0x828
        cli
        SAY_HEX [errors]
        WRMSR   0x837, 0x10000
;=!@off errors|0 20 20 0 2

        ; SELF IPI: at the next instruction, and by its own registers.
        CHECK   "self ipi, isr, then"
        sti
        nop
        WRMSR   0x83f, 0x40
NAME after_self,        nop
        cli
        call    say_interrupts
        SAY_ADDRESS [seen_rip]
        SAY_HEX [seen_isr]
        SAY_MSR 0x812
;=!@off self ipi, isr, then|1 after_self 1 0

        ; A held interrupt is in IRR, below TPR, which is CR8 as well.
        CHECK   "irr, tpr, cr8"
        WRMSR   0x808, 0x47
        SAY_HEX cr8
        WRMSR   0x83f, 0x40
        SAY_MSR 0x822, 0x80a
        sti
        nop
        cli
        call    say_interrupts
        mov     eax, 3
        mov     cr8, rax
        SAY_MSR 0x808
        sti
        nop
        cli
        call    say_interrupts
        WRMSR   0x808, 0
;=!@off irr, tpr, cr8|4 1 47 0 30 1

        ; ICR: by ID, by cluster, to all; what it reads.
        CHECK   "icr"
        sti
        SEND    0x40
        SEND    1 << 32 | 0x840
        SEND    0xffffffff << 32 | 0x40
        SEND    0xffffffff << 32 | 0x840
        SEND    7 << 32 | 0x44040       ; self
        SEND    0x80040                 ; all
        SEND    1 << 32 | 0x940         ; lowest priority
        SAY_MSR 0x830
;=!@off icr|1 1 1 1 1 1 1 100000940
        CHECK   "icr to others"
        SEND    1 << 32 | 0x40
        SEND    0xff << 32 | 0x40       ; no broadcast here
        SEND    0x100 << 32 | 0x40
        SEND    2 << 32 | 0x840
        SEND    0x10001 << 32 | 0x840   ; cluster 1
        SEND    0xc0040                 ; all but self
;=!@off icr to others|0 0 0 0 0 0
        CHECK   "icr, nmi"
        cli
        WRMSR   0x830, 0x400
        SAY_HEX [nmis]
        WRMSR   0x830, 0x40400
        SAY_HEX [nmis]
;=!@off icr, nmi|1 2

        ; The timer, once and periodic.
        CHECK   "timer"
        WRMSR   0x83e, 0xb
        WRMSR   0x832, 0x40
        WRMSR   0x838, 20000
        call    wait_interrupt
        call    say_interrupts
        SAY_MSR 0x839
        WRMSR   0x832, 0x20040
        WRMSR   0x838, 20000
        call    wait_interrupt
        call    wait_interrupt
        RDMSR   0x839
        cmp     eax, 20001
        SAY_IF  b
        WRMSR   0x832, 0x10000
        WRMSR   0x838, 0
        mov     dword [interrupts], 0
;=!@off timer|1 0 1

%ifndef NETBURST
        ; The PMI of a counter comes after that branch, and masks its entry.
        PMI_BY  0x50
        sti
        OVERFLOW_AFTER 2, EV_TAKEN
NAME a,         JUMP    b, c, d
        WRMSR   SEL0, 0
        cli
        CHECK   "pmi of a counter", SAY_PMI
;=!@off,!amd,!nocona pmi of a counter|1 c 10050
;=!@off,amd pmi of a counter|1 c 50
        PMI_BY  0x400
        OVERFLOW_AFTER 2, EV_TAKEN
NAME e,         JUMP    f, g, h
        WRMSR   SEL0, 0
        CHECK   "pmi of a counter, nmi", SAY_PMI
;=!@off,!amd,!nocona pmi of a counter, nmi|1 g 10400
;=!@off,amd pmi of a counter, nmi|1 g 400
        PMI_BY  0x10050
        sti
        OVERFLOW_AFTER 1, EV_TAKEN
        HOP
        WRMSR   SEL0, 0
        cli
        CHECK   "pmi of a counter, masked", SAY_HEX [seen_count]
;=!@off,!nocona pmi of a counter, masked|0
%endif

%ifdef BTSD
        ; The PMI of BTS, with its own record.
        call    setup
        PMI_BY  0x50
        sti
        WRMSR   DEBUGCTL, TR | BTS | BTINT
NAME i,         JUMP    j, k, l
        WRMSR   DEBUGCTL, 0
        cli
        CHECK   "pmi of bts", SAY_PMI
;=!@off,ds pmi of bts|1 k 10050
        CHECK   "records", SAY_BUFFER 5
;=!@off,ds records|i>j j>k k>pmi pmi_iret>k k>l
        call    setup
        PMI_BY  0x400
        WRMSR   DEBUGCTL, TR | BTS | BTINT
NAME m,         JUMP    n, o
        nop
        WRMSR   DEBUGCTL, 0
        CHECK   "pmi of bts, nmi", SAY_PMI
;=!@off,ds pmi of bts, nmi|1 o 10400
%endif
        ret

%ifdef BTSD
setup:
        DS_CLEAR
        DS_SETUP 64, 2
        ret
%endif

say_interrupts:
        nop
        SAY_HEX [interrupts]
        mov     dword [interrupts], 0
        ret

; Waits for one more interrupt; sets IF.
wait_interrupt:
        mov     ebx, [interrupts]
.wait:  cli
        cmp     ebx, [interrupts]
        jne     .end
        sti
        hlt
        jmp     .wait
.end:   sti
        ret

; ebx: MSR
say_bits:
        mov     rax, rbx
        call    say_digits
        mov     al, ':'
        out     0xe9, al
        xor     r12d, r12d              ; bit
        xor     r13d, r13d              ; bits that it accepted
.bit:   mov     ecx, r12d
        mov     eax, 1
        shl     rax, cl
        mov     rsi, rax
        xor     edi, edi
        mov     dword [faulted], 0
        cmp     ebx, 0x830
        jne     .self
        mov     edi, 0xee
        cmp     ecx, 32
        jb      .go
        xor     edi, edi
        jmp     .go
.self:  cmp     ebx, 0x83f
        jne     .go
        lea     eax, [rcx - 4]
        cmp     eax, 4
        jb      .next
.go:    mov     ecx, ebx
        mov     rdx, rsi
        shr     rdx, 32
        or      edx, edi
        mov     eax, esi
        wrmsr
        cmp     dword [faulted], 0
        jne     .next
        or      r13, rsi
.next:  inc     r12d
        cmp     r12d, 64
        jb      .bit
        SAY_HEX r13
        ret

say_cpuid_apic:
        CPUID   1
        shr     edx, 9
        and     edx, 1
        mov     eax, edx
        jmp     say_hex

        TRY_SUBROUTINES
nmi:    SAVE    rax, rcx, rdx
        inc     dword [nmis]
        RDMSR   0x834
        test    eax, 0x400
        jnz     pmi_seen
        RESTORE rax, rcx, rdx
        iretq

interrupt:
        SAVE    rax, rcx, rdx
        inc     dword [interrupts]
        mov     rax, [rsp + 24]
        mov     [seen_rip], rax
        RDMSR   0x812, [seen_isr]
        jmp     ended

error:  SAVE    rax, rcx, rdx
        inc     dword [errors]
        jmp     ended

NAME pmi,       SAVE    rax, rcx, rdx
pmi_seen:
        inc     dword [seen_count]
        RDMSR   0x834, [seen_lvt]
        mov     rax, [rsp + 24]
        mov     [seen_rip], rax
        mov     qword [AREA + 24], -1   ; no more
ended:  WRMSR   0x80b, 0
        RESTORE rax, rcx, rdx
NAME pmi_iret,  iretq
        PMI_VARIABLES
        VARIABLES interrupts, errors, nmis, seen_isr
