; The LBR stack: every kind of branch once, FROM and TO, in order.
;
; Each window has at most four branches, which Core 2 can hold; the one pair of
; AMD and P6 shows only the newest.  ../test shortens the lines "lbr ..."
; accordingly.
; classes lbr
; variants plain= plain-icount=-icount+shift=0
%include "guest.inc"

main:
        SET_VECTOR 0x40, software, 3, breakpoint, 6, undefined, 14, page_fault

        ; An untaken branch has no record, a jump to the next instruction has one.
        LBR_ON
        xor     eax, eax
        jnz     never
NAME jz_from,   jz      next
never:  nop
NAME next,      jmp     jmp_from
NAME jmp_from,  JUMP    jmp_to
        LBR_END "lbr jcc, jmp", 3
;= lbr jcc, jmp|jz_from>next next>jmp_from jmp_from>jmp_to

        ; Calls, returns, indirect jumps.
        mov     r8, icall_to
        LBR_ON
NAME call_from, call    call_to
NAME icall_from,        call    r8
NAME icall_back,        LBR_END "lbr call, ret", 4
;= lbr call, ret|call_from>call_to call_to>icall_from icall_from>icall_to icall_to>icall_back

        mov     rax, ijmp_to
        mov     [SPARE], rax
        LBR_ON
NAME ijmp_from, jmp     [SPARE]
        nop
NAME ijmp_to,   mov     ecx, 3
NAME loop_top,  nop
NAME loop_from, loop    loop_top
        xor     ecx, ecx
NAME jrcxz_from,        jrcxz   jrcxz_to
        nop
NAME jrcxz_to,  LBR_END "lbr jmp indirect, loop, jrcxz", 4
;= lbr jmp indirect, loop, jrcxz|ijmp_from>ijmp_to loop_from>loop_top loop_from>loop_top jrcxz_from>jrcxz_to

        ; A call of the next instruction is a call.
        LBR_ON
NAME zero_from, call    zero_to
NAME zero_to,   LBR_OFF
        pop     rax
        CHECK   "lbr call +0", SAY_LBR 1
;= lbr call +0|zero_from>zero_to

        ; INT n: FROM is the INT; IRETQ is a branch.
        LBR_ON
NAME int_from,  int     0x40
NAME int3_from, int3
NAME int3_back, LBR_END "lbr int n, int3, iretq", 4
;= lbr int n, int3, iretq|int_from>software software_iret>int3_from int3_from>breakpoint breakpoint_iret>int3_back

        ; Faults: FROM is the faulting instruction.
        mov     r9, 1 << 40                     ; not mapped
        LBR_ON
NAME ud_from,   ud2
NAME pf_from,   mov     al, [r9]
NAME pf_back,   LBR_END "lbr #UD, #PF", 4
;= lbr #UD, #PF|ud_from>undefined undefined_iret>pf_from pf_from>page_fault page_fault_iret>pf_back

        ; REP is no branch.
        mov     ecx, 5
        mov     rsi, SPARE
        mov     rdi, SPARE + 64
        LBR_ON
NAME rep_before,        jmp     rep_after
NAME rep_after, mov     ecx, 5
        mov     rsi, SPARE
        mov     rdi, SPARE + 64
        rep     movsb
        mov     ecx, 0
        rep     movsb
        mov     rax, cr3
        LBR_END "lbr rep", 1
;= lbr rep|rep_before>rep_after

        ; Far: lretq, and sysret/syscall by way of ring 3.
        WRMSR   0xc0000081, 0x0010000800000000  ; STAR: 08, 10; sysret 10+
        WRMSR   0xc0000082, syscall_to          ; LSTAR
        WRMSR   0xc0000084, 0x700               ; FMASK
        lea     rax, [far_to]
        push    CODE64
        push    rax
        mov     r11d, 2
        mov     rcx, user
        LBR_ON
NAME far_from,  o64     retf
        nop
NAME far_to,    mov     r11d, 2
        mov     rcx, user
NAME sysret_from,       o64     sysret
NAME user,      nop
NAME syscall_from,      syscall
NAME syscall_to,        LBR_END "lbr far ret, sysret, syscall", 3
;= lbr far ret, sysret, syscall|far_from>far_to sysret_from>user syscall_from>syscall_to

%ifdef INTEL
  %ifndef OFF                                   ; the QEMU compared with is AMD's
        ; SYSENTER and SYSEXIT: to ring 3 and back.
        WRMSR   0x174, CODE64                   ; IA32_SYSENTER_CS, _ESP, _EIP
        mov     rbx, rsp
        WRMSR   0x175, rbx
        WRMSR   0x176, sysenter_to
        mov     rbp, sysexit_to
        LBR_ON
        mov     rdx, rbp
        mov     ecx, STACK3
NAME sysexit_from,      o64     sysexit
NAME sysexit_to,        nop
NAME sysenter_from,     sysenter
NAME sysenter_to,       LBR_END "lbr sysexit, sysenter", 2
;=intel lbr sysexit, sysenter|sysexit_from>sysexit_to sysenter_from>sysenter_to
  %endif
%endif

        ; The ring: more branches than entries.
        LBR_ON
%ifdef TOS
        RDMSR   TOS, r12                        ; not 0 where it cannot be written
%endif
        mov     edi, 40
NAME ring_top,  dec     edi
NAME ring_from, jnz     ring_top
NAME ring_out,  jmp     ring_end
NAME ring_end,  LBR_END "lbr ring", DEPTH
;= lbr ring|ring_from>ring_top*31 ring_out>ring_end

%ifdef TOS
        ; 40 taken branches further: 40 modulo the depth.
        CHECK   "tos"
        RDMSR   TOS
        sub     eax, r12d
        and     eax, DEPTH - 1
        call    say_hex
;=d4,d8 tos|0
;=d16,d32,!arch,!zen4 tos|8
%endif

        ; A hardware interrupt: FROM is the next instruction.
        SET_VECTOR 0x50, external
        APIC_ON
        LBR_ON
        mov     eax, 0x50                       ; to self, by the ICR
        or      eax, 0x44000
        mov     [r15 + APIC_ICR], eax
NAME before_sti,        sti
        nop
NAME irq_from,  nop
        cli
NAME irq_end,   LBR_END "lbr interrupt", 2
;= lbr interrupt|irq_from>external external_iret>irq_from

        ; INFO: not mispredicted, type of branch.
%ifdef INFO0
        LBR_ON
        HOP
        call    call_to
        mov     rax, .two
        jmp     rax
.two:   int     0x40
        LBR_OFF
        CHECK   "info without cycles"
        mov     ebx, 6
        xor     r12d, r12d
.info:  READ_INFO
        mov     ax, 0
  %ifdef INFO_COUNTERS
        movzx   ecx, dl                         ; they may have any value
        or      r12d, ecx
        mov     dl, 0
  %endif
        shl     rdx, 32
        or      rax, rdx
        call    say_hex
        dec     ebx
        jnz     .info
  %ifdef INFO_COUNTERS
        CHECK   "counters in info"
        test    r12d, r12d
        SAY_IF  nz
  %endif
;=skymont counters in info|1
;=skylake info without cycles|0 0 0 0 0 0
;=arch info without cycles|1200000000000000 1400000000000000 1500000000000000 1100000000000000 1800000000000000 1800000000000000
%endif

        ; 1DB and 1DC hold the newest pair where dumps have them.
%ifdef PAIR
        LBR_ON
NAME pair_from, jmp     pair_to
NAME pair_to,   LBR_OFF
        CHECK   "last branch pair"
        RDMSR   0x1dc
        push    rax
        RDMSR   0x1db
        pop     rdx
  %ifdef CYCLES_IN_TO
        shl     rdx, 16
        sar     rdx, 16
  %endif
        call    say_record
;=pair last branch pair|pair_from>pair_to
%endif
        ret

NAME call_to,   ret
NAME icall_to,  ret     0
NAME software,  nop
NAME software_iret,     iretq
NAME breakpoint,        nop
NAME breakpoint_iret,   iretq
NAME undefined, mov     qword [rsp], pf_from
NAME undefined_iret,    iretq
NAME page_fault,        add     rsp, 8
        mov     qword [rsp], pf_back
NAME page_fault_iret,   iretq
NAME external,  EOI
NAME external_iret,     iretq
