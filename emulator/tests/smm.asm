; System management mode: what the hardware does in it, and afterwards.
;
; The guest asks for SMIs by its APIC.
; firmware
; classes ds
%include "guest.inc"
%include "smram.inc"

FREEZE_SMM equ 1 << 14
SMI_COUNT equ 0x34

; An SMI.  QEMU takes it where a block of code ends, which a write of CR0 does.
%macro SMI 0
        mov     dword [r15 + APIC_ICR], 0x40200
        mov     rax, cr0
        mov     cr0, rax
%endmacro

; A label in the handler: its address there, and with an "_ip" the offset in CS, which
; is what some classes record.
%macro NAME_IN_SMRAM 1
%1:
        NAME_ADDRESS %1, SMRAM + 0x8000 + %1 - handler
        NAME_ADDRESS %1_ip, 0x8000 + %1 - handler
%endmacro

main:
        SET_VECTOR 13, protection
        APIC_ON
        SMI_HANDLER

        RDMSR   SMI_COUNT, [smis]
        CHECK   "the handler ran"
        SMI
        SAY_HEX [count]
;= the handler ran|1

        ; Without the bit the handler is recorded like any other code, except by
        ; architectural LBR.  (The records of SMI and RSM themselves are not modelled.)
        LBR_ON
NAME t1,        JUMP    t2
        SMI
NAME t3,        JUMP    t4
        RDMSR   DEBUGCTL, r14
        LBR_OFF
        CHECK   "open, debugctl inside, after", SAY_DWORD [inside]
        SAY_HEX r14
;=!arch open, debugctl inside, after|1 1
;=arch open, debugctl inside, after|0 0
        CHECK   "open, records", SAY_LBR 3
;=!arch,!offset open, records|t1>t2 h1>h2 t3>t4
;=offset open, records|t1>t2 h1_ip>h2_ip t3>t4
;=arch open, records|?0>?0 t1>t2 t3>t4

        ; Without the bit DEBUGCTL is not switched: what the handler writes stays.
        mov     dword [added], BTF
        LBR_ON
        SMI
        RDMSR   DEBUGCTL, r14
        WRMSR   DEBUGCTL, 0
        LBR_OFF
        mov     dword [added], 0
        CHECK   "open, debugctl after the handler wrote it", SAY_HEX r14
;=!arch open, debugctl after the handler wrote it|3
;=arch open, debugctl after the handler wrote it|2

        ; With it the handler sees everything off, counters included, and everything
        ; is on again afterwards: all counters.
        WRMSR   DEBUGCTL, FREEZE_SMM    ; faults or is ignored where there is no such bit
        RDMSR   DEBUGCTL
        bt      eax, 14
        jnc     in_memory
%ifdef GLOBAL_CTRL
        WRMSR   GLOBAL_CTRL, 1
%endif
        call    lbr_clear
%ifdef ARCH
        LBR_ENABLE
%endif
        WRMSR   DEBUGCTL, LBR | BTF | FREEZE_SMM
NAME s1,        JUMP    s2
        SMI
NAME s3,        JUMP    s4
        RDMSR   DEBUGCTL, r14
        WRMSR   DEBUGCTL, 0
        LBR_OFF
        CHECK   "frozen, debugctl inside, after", SAY_DWORD [inside]
        SAY_HEX r14
;=smm,!arch frozen, debugctl inside, after|4000 4003
;=arch frozen, debugctl inside, after|4000 4002
        CHECK   "frozen, records", SAY_LBR 3
;=smm frozen, records|?0>?0 s1>s2 s3>s4
%ifdef GLOBAL_CTRL
        CHECK   "frozen, counters inside, after", SAY_DWORD [inside + 4]
        SAY_MSR GLOBAL_CTRL
;=silvermont,knl,penryn frozen, counters inside, after|0 700000003
;=nehalem frozen, counters inside, after|0 7000000ff
;=haswell,broadwell,goldmont,skylake frozen, counters inside, after|0 70000000f
;=alderlake frozen, counters inside, after|0 f0000003f
;=skymont frozen, counters inside, after|0 77000000ff
%endif

        ; With it DEBUGCTL is switched.
        mov     dword [added], BTF
        WRMSR   DEBUGCTL, LBR | FREEZE_SMM
        SMI
        RDMSR   DEBUGCTL, r14
        WRMSR   DEBUGCTL, 0
        mov     dword [added], 0
        CHECK   "frozen, debugctl after the handler wrote it", SAY_HEX r14
;=smm,!arch frozen, debugctl after the handler wrote it|4001
;=arch frozen, debugctl after the handler wrote it|4000

        ; Records in memory stop in either case.
in_memory:
        DS_CLEAR
        DS_SETUP 64, 65
        WRMSR   DEBUGCTL, TR | BTS
NAME b1,        JUMP    b2
        SMI
NAME b3,        JUMP    b4
        WRMSR   DEBUGCTL, 0
        CHECK   "records in memory", SAY_BUFFER 3
;= records in memory|b1>b2 b3>b4 ?0>?0
        CHECK   "the handler ran each time", SAY_HEX [count]
;=smm the handler ran each time|6
;=!smm the handler ran each time|4

        ; MSR_SMI_COUNT counts them, and cannot be written.
        CHECK   "smi_count: faults, more than at the start, write faults"
        mov     dword [faults], 0
        xor     eax, eax
        mov     ecx, SMI_COUNT
        rdmsr
        sub     eax, [smis]
        mov     r14d, eax
        SAY_HEX [faults]
        cmp     dword [faults], 0
        jne     .absent
        SAY_HEX r14
        WRMSR   SMI_COUNT, 0
        SAY_HEX [faults]
        RDMSR   SMI_COUNT
        sub     eax, [smis]
        call    say_hex
.absent:
;=smi smi_count: faults, more than at the start, write faults|0 6 1 6
;=!smi smi_count: faults, more than at the start, write faults|1
        ret

        SMI_SUBROUTINES

protection:
        inc     dword [faults]
        SKIP_MSR_ACCESS

        bits    16
handler:
        xor     bx, bx
        mov     ds, bx
NAME_IN_SMRAM h1
        jmp     short h2
        nop
NAME_IN_SMRAM h2
        mov     ecx, DEBUGCTL
        rdmsr
        mov     [dword inside], eax
        or      eax, [dword added]
        wrmsr
%ifdef GLOBAL_CTRL
        mov     ecx, GLOBAL_CTRL
        rdmsr
        mov     [dword inside + 4], eax
%endif
        inc     dword [dword count]
        rsm
handler_end:
        bits    64
count:  dd      0
inside: dd      0, 0
added:  dd      0                       ; to DEBUGCTL, by the handler
        VARIABLES smis, faults
