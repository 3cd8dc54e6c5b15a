; A guest that is saved to a file and loaded by another machine, with its hypervisor.
;
; ../test saves the machine when the guest has said "waiting", and sends an NMI, which is
; intercepted: the host's registers come back.  The variant "here" is not saved.
; classes phenom zen3 zen4
; variants here=wait saved=save
%include "guest.inc"
%include "svm.inc"

main:   SVM_ON
        VMCB_SETUP guest
        mov     dword [VMCB_INTERCEPT], 1 << 1          ; NMI
        mov     qword [VMCB_LBR_CTL], 1
        mov     qword [VMCB_DBGCTL], LBR
%ifdef EXTN
        mov     qword [VMCB_EXTN], 0x40
        mov     qword [VMCB_SELECT], 0x1f8              ; conditional branches only
%endif
        WRMSR   SEL0, 0
        WRMSR   CTR0, 0
        WRMSR   SEL0, SEL_EN | SEL_OS | EV_TAKEN | HOST_ONLY
        WRMSR   SEL0 + 1, SEL_EN | SEL_OS | EV_TAKEN | GUEST_ONLY
        WRMSR   DEBUGCTL, LBR
NAME h1,        JUMP    h2
        RUN
        RDMSR   DEBUGCTL, r14
        WRMSR   DEBUGCTL, 0
        WRMSR   SEL0, 0
        WRMSR   SEL0 + 1, 0
        CHECK   "exit, host, vmcb", SAY_HEX [VMCB_EXITCODE], r14
        SAY_PAIR 0x1db
        SAY_HEX [VMCB_DBGCTL]
        mov     rax, [VMCB_BR_FROM]
        mov     rdx, [VMCB_BR_TO]
        call    say_record
;= exit, host, vmcb|61 1 h1>h2 2 m1>m2
        CHECK   "taken branches of the host, many of the guest", SAY_MSR CTR0
        RDMSR   CTR0 + 1
        cmp     rax, 1000
        SAY_IF  a
;= taken branches of the host, many of the guest|1 1
%ifdef EXTN
        CHECK   "stack: host, vmcb", SAY_MSR EXTN
        SAY_HEX [VMCB_EXTN], [VMCB_SELECT]
        SAY_ADDRESS [VMCB_STACK]
%endif
;=zen4 stack: host, vmcb|0 40 1f8 c1
        ret

guest:
NAME m1,        JUMP    m2
        WRMSR   DEBUGCTL, BTF
        mov     ecx, 2000
.many:  loop    .many
        SAY     {10, "waiting|", 10}
        mov     ecx, 2
NAME c1
.wait:  loop    .wait                                   ; the last conditional branch
.on:    pause
        jmp     .on

        SVM_SUBROUTINES
