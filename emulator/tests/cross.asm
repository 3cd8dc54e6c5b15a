; Instructions that cross a page, and
; others that QEMU begins twice: each counts once.  When the translator finds that one
; crosses, and it is not the first of its block, it undoes that instruction and
; ends the block before it.  QEMU begins an instruction again that stores into its own
; block, hits a data breakpoint, with -icount reaches a device in the middle of a block,
; or is atomic and not aligned on a machine with several processors.
; classes lbr
; variants plain= plain-icount=-icount+shift=0 plain-smp=-smp+2
%include "guest.inc"

FAR_TO  equ SPARE + 0x3000              ; 64 bits and CS

        section .table align=8 follows=.strings
table:
        section .text

; CROSS name, bytes in the first page, target, instruction
%macro CROSS 4+
        times   (4095 - (%2) - (($ - $$) & 4095)) & 4095 int3
%%in:   nop
%1:     %4
.next:  jmp     r13
        nop
.to:    jmp     r13
[section .table]
        dq      %%in, %1, %3
__?SECT?__
%endmacro

; Calls %2, which prints one result, for each instruction of the table.
%macro EACH 2                           ; name of the check, subroutine
        CHECK   %1
        mov     edi, table
%%next: mov     rbx, [rdi]
        mov     r11, [rdi + 16]
        mov     [FAR_TO], r11
        mov     word [FAR_TO + 8], CODE64
        call    %2
        add     edi, 24
        cmp     edi, table_end
        jb      %%next
%endmacro

%macro SAY_COUNTED 0                    ; includes one instruction of this macro
        COUNTED
        SAY_HEX r14
%endmacro

main:
        SET_VECTOR 1, debug, 0x40, software
        mov     r15d, APIC
        mov     r8, 1 << 32
        mov     r10d, FAR_TO
        mov     r13, do.back

; Three times each, including the rest of `do`: CALL, three times JMP, the
; instruction of the table, JMP and JNZ, and RET.
%ifndef NETBURST
        EACH    "branches", branches
;=pmu branches|e*31
        EACH    "taken branches", taken
;=pmu,!near taken branches|d*3 a*3 d a d a d*2 a d*18
;=near taken branches|d*3 a*3 d a d a d*2 a d*12 a*6
        EACH    "instructions", instructions
;=pmu instructions|2e*31
%endif

; Once each: how many of the records are of this instruction.
%if DEPTH > 1
        EACH    "lbr", lbr
;=!one lbr|1*3 0*3 1 0 1 0 1*2 0 1*18
%endif
%ifdef BTSD
        EACH    "bts", bts
;=ds bts|1*3 0*3 1 0 1 0 1*2 0 1*18
        EACH    "bts, all", bts_all
;=ds bts, all|5*3 4*3 5 4 5 4 5*2 4 5*18
%endif
        EACH    "single steps on branches", steps
;= single steps on branches|5*3 4*3 5 4 5 4 5*2 4 5*17 2

%ifndef NETBURST
        CHECK   "rep"
        mov     esi, SPARE
        mov     edi, SPARE + 64
        COUNT   SEL_EN | SEL_OS | EV_INSNS
        mov     ecx, 5
        jmp     rep_in                                  ; 3 there
rep_out:
        SAY_COUNTED
;=pmu rep|6
        CHECK   "store into its own block"
        COUNT   SEL_EN | SEL_OS | EV_INSNS
        mov     byte [.stored], 0x90
        nop
.stored:
        nop
        SAY_COUNTED
;=pmu store into its own block|4
        CHECK   "device"
        COUNT   SEL_EN | SEL_OS | EV_INSNS
        mov     eax, [r15 + 0x30]
        nop
        nop
        SAY_COUNTED
;=pmu device|4
        CHECK   "atomic"
        COUNT   SEL_EN | SEL_OS | EV_INSNS
        nop
        lock inc dword [SPARE + 1]
        nop
        SAY_COUNTED
;=pmu atomic|4
        CHECK   "data breakpoint"
        SET_VECTOR 1, data_breakpoint
        mov     dword [stops], 0
        mov     eax, SPARE
        mov     dr0, rax
        mov     eax, 1 << 16 | 2                        ; writes of a byte
        mov     dr7, rax
        COUNT   SEL_EN | SEL_OS | EV_INSNS
        mov     byte [SPARE], 0
        nop                                             ; two of the handler
        SAY_COUNTED
        xor     eax, eax
        mov     dr7, rax
        SAY_HEX [stops]
        SET_VECTOR 1, debug
;=pmu data breakpoint|5 1
%endif

; A VEX-prefixed first instruction of a block is not a branch, although the block
; before ended with one: neither at the end of a page nor in a single step.
        CPUID   7, 0
        bt      ebx, 3                                  ; BMI1
        jnc     .end
%ifndef NETBURST
        CHECK   "vex, branches"
        COUNT   SEL_EN | SEL_OS | EV_BRANCHES
        call    vex                                     ; CALL, JNZ, RET
        SAY_COUNTED
;=haswell,broadwell,skylake,arch,zen3,zen4 vex, branches|3
%endif
        CHECK   "vex, single steps on branches"
        mov     dword [stops], 0
        WRMSR   DEBUGCTL, BTF
        TF_ON
        test    esp, esp
        jz      .end
        andn    eax, ebx, ecx
        nop
        TF_OFF
        WRMSR   DEBUGCTL, 0
        SAY_HEX [stops]
;=haswell,broadwell,skylake,arch,zen3,zen4 vex, single steps on branches|0
.end:   ret

; Jumps to rbx, ebp times, with RCX not 0, ECX = 0 and ZF set.  RET, a far RET and
; IRETQ find r11 on the stack.
do:     mov     r12, rsp
.again: push    DATA
        push    r12
        pushfq
        push    CODE64
        push    r11
        mov     rcx, r8
        xor     eax, eax
        jmp     rbx
.back:  mov     rsp, r12
        dec     ebp
        jnz     .again
        ret

%ifndef NETBURST
; Three times each, while one event is counted.
%macro COUNTED_DO 2                     ; subroutine, event
%1:     mov     ebp, 3
        COUNT   SEL_EN | SEL_OS | %2
        call    do
        SAY_COUNTED
        ret
%endmacro
        COUNTED_DO branches, EV_BRANCHES
        COUNTED_DO taken, EV_TAKEN
        COUNTED_DO instructions, EV_INSNS
%endif

%if DEPTH > 1
lbr:    SAVE    rbx, rdi
        LBR_ON
        RESTORE rbx, rdi
        mov     ebp, 1
        call    do
        LBR_OFF
        push    rdi
        mov     rsi, [rdi + 8]
        mov     ebx, 4
        xor     ebp, ebp
.next:  call    read_record
        cmp     rax, rsi
        jne     .other
        cmp     rdx, r11
        jne     .other
        inc     ebp
.other: dec     ebx
        jnz     .next
        pop     rdi
        SAY_HEX rbp
        ret
%endif

%ifdef BTSD
bts:    call    bts_do
        mov     edx, BUFFER
        xor     ebp, ebp
.next:  cmp     rdx, [AREA + 8]
        jae     .end
        mov     rax, [rdi + 8]
        cmp     [rdx], rax
        jne     .other
        cmp     [rdx + 8], r11
        jne     .other
        inc     ebp
.other: add     edx, 24
        jmp     .next
.end:   SAY_HEX rbp
        ret
bts_all:
        call    bts_do
        call    bts_records
        jmp     say_hex
bts_do: DS_SETUP 16, 17
        mov     ebp, 1
        WRMSR   DEBUGCTL, TR | BTS
        call    do
        WRMSR   DEBUGCTL, 0
        ret
%endif

; Delivery of INT n clears TF, so only the two branches before it stop.
steps:  mov     dword [stops], 0
        mov     ebp, 1
        WRMSR   DEBUGCTL, BTF
        mov     dword [rearm], BTF
        TF_ON
        call    do
        TF_OFF
        mov     dword [rearm], 0
        WRMSR   DEBUGCTL, 0
        SAY_HEX [stops]
        ret

debug:  SAVE    rax, rcx, rdx
        inc     dword [stops]
        WRMSR   DEBUGCTL, [rearm]                       ; #DB has cleared it
        RESTORE rax, rcx, rdx
        iretq
data_breakpoint:
        inc     dword [stops]
        iretq
software:
        jmp     r13
        VARIABLES stops, rearm

; CALL of it, a branch that is not taken, RET
        times   (4096 - 9 - (($ - $$) & 4095)) & 4095 int3
vex:    test    esp, esp
        jz      vex
        andn    eax, ebx, ecx                           ; 5 bytes, the last of the page
        ret

%ifndef NETBURST
        times   (4094 - (($ - $$) & 4095)) & 4095 int3
rep_in: nop
        rep movsb
        jmp     rep_out
%endif

        CROSS   jz1, 1, .to, jz strict near .to
        CROSS   jz2, 2, .to, jz strict near .to
        CROSS   jz5, 5, .to, jz strict near .to
        CROSS   jnz1, 1, .to, jnz strict near .to
        CROSS   jnz2, 2, .to, jnz strict near .to
        CROSS   jnz5, 5, .to, jnz strict near .to
        CROSS   jz_short, 1, .to, jz short .to
        CROSS   jnz_short, 1, .to, jnz short .to
        CROSS   loop_rcx, 1, .to, loop .to
        CROSS   loopne_rcx, 1, .to, loopne .to
        CROSS   jecxz1, 1, .to, jecxz .to
        CROSS   jecxz2, 2, .to, jecxz .to
        CROSS   jrcxz1, 1, .to, jrcxz .to
        CROSS   jmp1, 1, .to, jmp strict near .to
        CROSS   jmp4, 4, .to, jmp strict near .to
        CROSS   jmp_short, 1, .to, jmp short .to
        CROSS   call1, 1, .to, call .to
        CROSS   call4, 4, .to, call .to
        CROSS   call_next, 2, .next, call .next
        CROSS   ret1, 1, .to, ret 8
        CROSS   ret2, 2, .to, ret 8
        CROSS   rep_ret, 1, .to, rep ret
        CROSS   jmp_r11, 1, .to, jmp r11
        CROSS   jmp_r11_2, 2, .to, jmp r11
        CROSS   call_r11, 2, .to, call r11
        CROSS   jmp_far, 2, .to, o64 jmp far [r10]
        CROSS   call_far, 1, .to, o64 call far [r10]
        CROSS   call_far_2, 2, .to, o64 call far [r10]
        CROSS   ret_far, 1, .to, o64 retf
        CROSS   iret_64, 1, .to, iretq
        CROSS   int_40, 1, software, int 0x40
        section .table
table_end:
