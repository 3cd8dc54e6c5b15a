; SVM: intercepts of MOV from control registers, each alone, and all but that.
; APM vol. 2, "Control-Register Access Intercepts" and "SVM Intercept Exit Codes".
; classes phenom zen3 zen4
; variants plain= plain-icount=-icount+shift=0
%include "guest.inc"
%include "svm.inc"

%macro TRY 2                            ; control register, name
        VMCB_SETUP read_cr%1
        mov     word [VMCB_CR_READS], 1 << %1
        RUN
        mov     r12, [VMCB_EXITCODE]
        mov     r13, [VMCB_RIP]
        VMCB_SETUP read_cr%1
        mov     word [VMCB_CR_READS], ~(1 << %1) & 0xffff
        RUN
        CHECK   %2, SAY_HEX r12
        SAY_ADDRESS r13
        SAY_HEX [VMCB_EXITCODE]         ; that of VMMCALL
%endmacro

main:
        SVM_ON
        TRY     0, "cr0: exit, at, exit with all others intercepted"
        TRY     2, "cr2: exit, at, exit with all others intercepted"
        TRY     3, "cr3: exit, at, exit with all others intercepted"
        TRY     4, "cr4: exit, at, exit with all others intercepted"
        TRY     8, "cr8: exit, at, exit with all others intercepted"
;= cr0: exit, at, exit with all others intercepted|0 read_cr0 81
;= cr2: exit, at, exit with all others intercepted|2 read_cr2 81
;= cr3: exit, at, exit with all others intercepted|3 read_cr3 81
;= cr4: exit, at, exit with all others intercepted|4 read_cr4 81
;= cr8: exit, at, exit with all others intercepted|8 read_cr8 81
        ret

%macro READ 1
NAME read_cr%1
        mov     rax, cr%1
        vmmcall
%endmacro
        READ    0
        READ    2
        READ    3
        READ    4
        READ    8

        SVM_SUBROUTINES
