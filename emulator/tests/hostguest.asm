; Counters of the guest or the host alone: bits 40 and 41 of an event selector.
; APM vol. 2, "Host/Guest Only Bits".
; classes phenom zen3 zen4
; variants plain= plain-icount=-icount+shift=0
%include "guest.inc"
%include "svm.inc"

; Name, bits: what is counted with EFER.SVME clear (ten NOPs and a MOV), in a host (the
; same), and from a host that runs a guest (one MOV, VMRUN and a MOV; five NOPs).
%macro TRY 2
        RDMSR   EFER
        and     eax, ~SVME
        WRMSR   EFER, rax
        COUNT   SEL_EN | SEL_OS | EV_INSNS | (%2)
        times   10 nop
        COUNTED r12
        SVM_ON
        COUNT   SEL_EN | SEL_OS | EV_INSNS | (%2)
        times   10 nop
        COUNTED r13
        VMCB_SETUP five_nops
        COUNT   SEL_EN | SEL_OS | EV_INSNS | (%2)
        RUN
        COUNTED r14
        stgi
        CHECK   %1, SAY_HEX r12, r13, r14
%endmacro

main:
        TRY     "none of the bits: no svme, host, with guest", 0
        TRY     "guest: no svme, host, with guest", GUEST_ONLY
        TRY     "host: no svme, host, with guest", HOST_ONLY
        TRY     "both bits: no svme, host, with guest", GUEST_ONLY | HOST_ONLY
;= none of the bits: no svme, host, with guest|b b 8
;=!phenom guest: no svme, host, with guest|b 0 5
;=phenom guest: no svme, host, with guest|0 0 5
;=!phenom host: no svme, host, with guest|b b 3
;=phenom host: no svme, host, with guest|0 b 3
;=!phenom both bits: no svme, host, with guest|b b 8
;=phenom both bits: no svme, host, with guest|0 b 8

        ; EFER.SVME while the counter runs: the MOV that reads it counts as well.
        COUNT   SEL_EN | SEL_OS | EV_INSNS | GUEST_ONLY
        times   10 nop
        VMCB_SETUP five_nops
        RUN
        RUN
        stgi
        COUNTED r14
        CHECK   "two guests, one of them at its end", SAY_HEX r14
;= two guests, one of them at its end|5

        ; Taken branches of the guest overflow there: its NMI is intercepted.
        APIC_ON
        LVT_PMI 0x400
        VMCB_SETUP branches
        mov     dword [VMCB_INTERCEPT], 1 << 1
        WRMSR   CTR0, -2
        WRMSR   SEL0, SEL_EN | SEL_OS | SEL_INT | EV_TAKEN | GUEST_ONLY
        HOP     2
        RUN
        WRMSR   SEL0, 0
        CHECK   "overflow in the guest: exit, rip", SAY_HEX [VMCB_EXITCODE]
        SAY_ADDRESS [VMCB_RIP]
;= overflow in the guest: exit, rip|61 n2
        ret

five_nops:
        times   5 nop
        vmmcall

branches:
        JUMP    n1, n2, n3
        vmmcall

        SVM_SUBROUTINES
