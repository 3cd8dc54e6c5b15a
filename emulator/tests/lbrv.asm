; LBR virtualisation of SVM: whose DebugCtl, last branch, last interrupt and LBR stack
; VMRUN and #VMEXIT load and save.
; APM vol. 2, "Hardware Acceleration for LBR Virtualization".
; classes phenom zen3 zen4
; variants plain= plain-icount=-icount+shift=0 off=lbrv=off
%include "guest.inc"
%include "svm.inc"

; DebugCtl, last branch and last interrupt as somebody saw them: five quadwords.
AT_ENTRY equ SPARE + 0x1000             ; the guest, at its first instruction
IN_HOST  equ SPARE + 0x1040             ; the host, after #VMEXIT
IN_DB    equ SPARE + 0x1080             ; the #DB handler, DebugCtl alone
STOPS    equ SPARE + 0x10c0             ; how many #DB the host had
STOPPED  equ SPARE + 0x10c8             ; and where the last was
VMMCALLS equ SPARE + 0x10d0             ; not 0: the #DB handler does VMMCALL

; Without a branch, so that LBR can be on.
%macro SEE 1
  %assign see_i 0
  %rep 5
        %if see_i == 0
        mov     ecx, DEBUGCTL
        %else
        mov     ecx, 0x1da + see_i
        %endif
        rdmsr
        mov     [%1 + 8 * see_i], eax
        mov     [%1 + 8 * see_i + 4], edx
    %assign see_i see_i + 1
  %endrep
%endmacro

%macro SAY_SEEN 1
        mov     ebx, %1
        call    say_seen
%endmacro
%macro SAY_VMCB 0
        SAY_SEEN VMCB_DBGCTL
%endmacro

; Runs the guest; in the host LBR is off after it.  The check prints what the host saw, and
; what is in the VMCB then.
%macro RUN_AND_SEE 0
        RUN
        SEE     IN_HOST
        WRMSR   DEBUGCTL, 0
%endmacro
%macro SAY_HOST_AND_VMCB 0
        SAY_SEEN IN_HOST
        SAY_VMCB
%endmacro

; DebugCtl of the guest; its records in the VMCB are made up.
%macro GUEST_LBR 2                      ; where it starts, DebugCtl
        VMCB_SETUP %1
        mov     qword [VMCB_LBR_CTL], 1
        mov     qword [VMCB_DBGCTL], %2
        mov     qword [VMCB_BR_FROM], 0x1111
        mov     qword [VMCB_BR_TO], 0x2222
        mov     qword [VMCB_INT_FROM], 0x3333
        mov     qword [VMCB_INT_TO], 0x4444
%endmacro

main:
        SET_VECTOR 0x40, software, 1, debug
        SVM_ON

        CHECK   "cpuid 8000000a edx"
        CPUID   0x8000000a
        and     edx, 2
        SAY_HEX rdx
;=!@off cpuid 8000000a edx|2
;=@off cpuid 8000000a edx|0

        ; Each has its own, and the host's LBR goes on afterwards.
        GUEST_LBR entry, LBR
        call    host_lbr
        WRMSR   DEBUGCTL, LBR
NAME h1,        JUMP    h2
        RUN
        SEE     IN_HOST
NAME h3,        JUMP    h4
        WRMSR   DEBUGCTL, 0
        CHECK   "swapped: guest at entry", SAY_SEEN AT_ENTRY
        CHECK   "swapped: host after", SAY_SEEN IN_HOST
        SAY_PAIR 0x1db
        CHECK   "swapped: vmcb", SAY_VMCB
;=!@off swapped: guest at entry|1 ?1111>?2222 ?3333>?4444
;=!@off swapped: host after|1 h1>h2 i0>i1 h3>h4
;=!@off swapped: vmcb|1 software>g3 g1>g2
;=@off swapped: guest at entry|1 h1>h2 i0>i1
;=@off swapped: host after|1 software>g3 g1>g2 h3>h4
;=@off swapped: vmcb|1 ?1111>?2222 ?3333>?4444

        ; LBR_CTL = 0: all is shared, and the VMCB is not touched.
        GUEST_LBR entry, 0
        mov     qword [VMCB_LBR_CTL], 0
        call    host_lbr
        WRMSR   DEBUGCTL, LBR
NAME s1,        JUMP    s2
        RUN_AND_SEE
        CHECK   "shared: guest at entry", SAY_SEEN AT_ENTRY
        CHECK   "shared: host after", SAY_SEEN IN_HOST
        CHECK   "shared: vmcb", SAY_VMCB
;= shared: guest at entry|1 s1>s2 i0>i1
;= shared: host after|1 software>g3 g1>g2
;= shared: vmcb|0 ?1111>?2222 ?3333>?4444

        ; The guest turns LBR on while the host has it off.
        GUEST_LBR turn_on, 0
        call    host_lbr
        RUN_AND_SEE
        CHECK   "guest turns it on: host, vmcb", SAY_HOST_AND_VMCB
;=!@off guest turns it on: host, vmcb|0 software>i2 i0>i1 1 t1>t2 ?3333>?4444
;=@off guest turns it on: host, vmcb|1 t1>t2 i0>i1 0 ?1111>?2222 ?3333>?4444

        ; Reserved bits of DBGCTL.
        GUEST_LBR leave, -1
        RUN
        CHECK   "all bits of dbgctl: host, vmcb", SAY_MSR DEBUGCTL
        SAY_HEX [VMCB_DBGCTL]
;=!@off,phenom,zen3 all bits of dbgctl: host, vmcb|0 3f
;=!@off,zen4 all bits of dbgctl: host, vmcb|0 1803
;=@off all bits of dbgctl: host, vmcb|0 ffffffffffffffff

        ; VMRUN is refused: nothing is swapped.
        GUEST_LBR leave, -1
        mov     dword [VMCB_ASID], 0
        call    host_lbr
        RUN
        SEE     IN_HOST
        CHECK   "refused: exit, host, vmcb", SAY_HEX [VMCB_EXITCODE]
        SAY_HOST_AND_VMCB
;= refused: exit, host, vmcb|ffffffffffffffff 0 software>i2 i0>i1 ffffffffffffffff ?1111>?2222 ?3333>?4444

        ; An interrupt that VMRUN injects is the guest's.
        GUEST_LBR leave, LBR
        mov     dword [VMCB_EVENTINJ], 1 << 31 | 0x40
        call    host_lbr
        RUN_AND_SEE
        CHECK   "injected interrupt: host, vmcb", SAY_HOST_AND_VMCB
;=!@off injected interrupt: host, vmcb|0 software>i2 i0>i1 1 software>leave ?1111>?2222
;=@off injected interrupt: host, vmcb|0 software>i2 i0>i1 1 ?1111>?2222 ?3333>?4444

        ; BTF of the guest: #DB of its first taken branch is intercepted.  It was not
        ; delivered, so it has cleared nothing.
        GUEST_LBR stepped, LBR | BTF
        mov     dword [VMCB_EXCEPTIONS], 1 << 1
        mov     qword [VMCB_RFLAGS], 2 | TF
        call    host_lbr
        RUN_AND_SEE
        CHECK   "#db intercepted: exit, rip, dr6, host, vmcb", call say_exit
        SAY_HOST_AND_VMCB
;=!@off #db intercepted: exit, rip, dr6, host, vmcb|41 b2 4000 0 software>i2 i0>i1 3 b1>b2 ?3333>?4444
;=@off #db intercepted: exit, rip, dr6, host, vmcb|41 b1 4000 0 software>i2 i0>i1 3 ?1111>?2222 ?3333>?4444

        ; The hypervisor passes it on: now it is delivered, and clears LBR and BTF.
        mov     dword [VMCB_EXCEPTIONS], 0
        mov     dword [VMCB_EVENTINJ], 1 << 31 | 3 << 8 | 1
        mov     qword [VMMCALLS], 1
        RUN
        SEE     IN_HOST
        CHECK   "#db injected: in it, host, vmcb", SAY_HEX [IN_DB]
        SAY_HOST_AND_VMCB
;=!@off #db injected: in it, host, vmcb|0 0 software>i2 i0>i1 0 b1>b2 ?3333>?4444
;=@off #db injected: in it, host, vmcb|0 0 software>i2 i0>i1 3 ?1111>?2222 ?3333>?4444

        ; #VMEXIT in the guest's own #DB handler, while the host has LBR on.
        GUEST_LBR stepped, LBR | BTF
        mov     qword [VMCB_RFLAGS], 2 | TF
        call    host_lbr
        WRMSR   DEBUGCTL, LBR
NAME d1,        JUMP    d2
        RUN_AND_SEE
        CHECK   "exit in #db: in it, host, vmcb", SAY_HEX [IN_DB]
        SAY_HOST_AND_VMCB
        mov     qword [VMMCALLS], 0
;=!@off exit in #db: in it, host, vmcb|0 1 d1>d2 i0>i1 0 b1>b2 ?3333>?4444
;=@off exit in #db: in it, host, vmcb|0 0 d1>d2 i0>i1 3 ?1111>?2222 ?3333>?4444

        ; The host steps: over VMRUN as over one instruction, and with BTF not at all,
        ; since it is no branch.  The guest does not have the host's BTF.
        GUEST_LBR entry, 0
        mov     qword [STOPS], 0
        mov     eax, VMCB
        TF_ON
        vmrun
NAME v1,        nop
        CHECK   "host steps over vmrun: stops, at, guest at entry", SAY_HEX [STOPS]
        SAY_ADDRESS [STOPPED]
        SAY_HEX [AT_ENTRY]
;= host steps over vmrun: stops, at, guest at entry|1 v1 0

        GUEST_LBR entry, 0
        mov     qword [STOPS], 0
        WRMSR   DEBUGCTL, BTF
        mov     eax, VMCB
        TF_ON
        vmrun
        nop
NAME v2,        JUMP    v3
        nop
        CHECK   "and with btf", SAY_HEX [STOPS]
        SAY_ADDRESS [STOPPED]
        SAY_HEX [AT_ENTRY]
;=!@off and with btf|1 v3 0
;=@off and with btf|1 v3 2

%ifdef EXTN
        ; The stack of version 2: the host's enable bit comes back, its records and
        ; its filter do not.
        GUEST_LBR branch, 0
        mov     qword [VMCB_EXTN], 0x40
        mov     qword [VMCB_STACK], 0x1111
        mov     rax, 0x8000000000002222
        mov     [VMCB_STACK + 8], rax
        mov     qword [VMCB_SELECT], 4
        STACK_ON
NAME q1,        JUMP    q2
        RUN
        RDMSR   EXTN, r14
        WRMSR   EXTN, 0
        RDMSR   SELECT, r15
        WRMSR   SELECT, 0
        CHECK   "stack: host's enable, filter, records", SAY_HEX r14, r15
        SAY_LBR 3
        CHECK   "stack: vmcb", SAY_HEX [VMCB_EXTN], [VMCB_SELECT]
        mov     ebx, VMCB_STACK
        call    say_stack
        mov     ebx, VMCB_STACK + 16
        call    say_stack
        SAY_HEX [VMCB_STACK + 0xf0]
;=zen4,!@off stack: host's enable, filter, records|40 4 ?0>?0 ?1111>?2222 b1>b2
;=zen4,!@off stack: vmcb|40 4 b1>b2 2 ?1111>?2222 2 0
;=zen4,@off stack: host's enable, filter, records|40 0 ?0>?0 q1>q2 b1>b2
;=zen4,@off stack: vmcb|40 4 ?1111>?2222 2 ?0>?0 0 0

        ; #DB in the guest clears the guest's enable bit, and not the host's.
        GUEST_LBR stepped, BTF
        mov     qword [VMCB_EXTN], 0x40
        mov     qword [VMCB_RFLAGS], 2 | TF
        mov     qword [VMMCALLS], 1
        WRMSR   EXTN, 0x40
        RUN
        RDMSR   EXTN, r14
        WRMSR   EXTN, 0
        CHECK   "stack, exit in #db: host, vmcb", SAY_HEX r14, [VMCB_EXTN]
;=zen4,!@off stack, exit in #db: host, vmcb|40 0
;=zen4,@off stack, exit in #db: host, vmcb|0 40
        mov     qword [VMMCALLS], 0
%endif
        ret

; ---- guests -----------------------------------------------------------------
entry:  SEE     AT_ENTRY
NAME g1,        JUMP    g2
        int     0x40
NAME g3,        vmmcall

turn_on:
        WRMSR   DEBUGCTL, LBR
NAME t1,        JUMP    t2
        vmmcall

stepped:
        nop
branch:
NAME b1,        JUMP    b2
        vmmcall

NAME leave,     vmmcall

; ---- the host's ---------------------------------------------------------------
; Leaves software>i2 as last branch, i0>i1 as last interrupt, and LBR off.
host_lbr:
        WRMSR   DEBUGCTL, LBR
NAME i0,        JUMP    i1
        int     0x40
NAME i2,        WRMSR   DEBUGCTL, 0
        ret

; rbx: DebugCtl, last branch and last interrupt
say_seen:
        SAY_HEX [rbx]
        mov     rax, [rbx + 8]
        mov     rdx, [rbx + 16]
        call    say_record
        mov     rax, [rbx + 24]
        mov     rdx, [rbx + 32]
        jmp     say_record

say_exit:                               ; exit code, RIP, BS and B0 to B3 of DR6
        SAY_HEX [VMCB_EXITCODE]
        SAY_ADDRESS [VMCB_RIP]
        mov     rax, [VMCB_DR6]
        and     eax, 0x400f
        jmp     say_hex

; rbx: FROM and TO of an entry of the stack, whose flags follow
say_stack:
        mov     rax, [rbx]
        mov     rdx, [rbx + 8]
        shl     rdx, 7
        sar     rdx, 7
        call    say_record
        mov     rax, [rbx + 8]
        shr     rax, 62
        jmp     say_hex

        SVM_SUBROUTINES

NAME software,  iretq

debug:  SAVE    rax, rcx, rdx
        RDMSR   DEBUGCTL, [IN_DB]
        cmp     qword [VMMCALLS], 0
        je      .host
        vmmcall
.host:  inc     qword [STOPS]
        mov     rax, [rsp + 24]
        mov     [STOPPED], rax
        and     qword [rsp + 40], ~(TF)
        RESTORE rax, rcx, rdx
        iretq
