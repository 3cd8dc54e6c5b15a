; The guest of ./test: a workload under Processor Trace, whose output it prints.
;
; CONTROL are bits of IA32_RTIT_CTL; with RANGED a range is traced.
%include "guest.inc"
%include "pt.inc"

DEPTH_OF_CALLS  equ 70                  ; more than the 64 that a decoder remembers

%macro SAY_RANGE 3                      ; name, first address, address after it
        CHECK   %1
        SAY_HEX %2, %3
%endmacro

main:
        SET_VECTOR 6, undefined, 0x40, software, 0x41, leave_user, 0x50, hardware
        APIC_ON
        PT_TABLE 7
        PT_OUTPUT TABLE, 0
%ifdef RANGED
        WRMSR   RTIT_ADDR0_A, mix
        WRMSR   RTIT_ADDR0_A + 1, mix_end - 1
%endif
        WRMSR   RTIT_CTL, TRACE_EN | TO_TABLE | BRANCH_EN | (CONTROL)
begin:
        mov     r8d, 40
        call    many
        mov     ecx, DEPTH_OF_CALLS
        call    recurse
        call    .here                   ; a call of the next instruction
.here:  pop     rax
soft:   int     0x40
fault:  ud2
after_fault:
        mov     dword [r15 + APIC_ICR], 0x44050
        sti
        nop
        nop
        cli
        mov     rax, cr3
        mov     cr3, rax
        push    CODE32
        push    in32
        retfq
        bits    32
in32:   xor     eax, eax
        jnz     in32
        mov     ecx, 3
.loop:  loop    .loop
        call    .sub
        jmp     CODE64:.back
.sub:   ret
        bits    64
.back:  mov     rbp, rsp
        PUSH_USER user
        iretq
user:   mov     r8d, 100
        call    many
        int     0x41
back:   mov     ecx, RTIT_CTL
        xor     eax, eax
        xor     edx, edx
end:    wrmsr

        SAY_RANGE "all", begin, end
        SAY_RANGE "user", user, back - 2
        SAY_RANGE "mix", mix, mix_end
        CHECK   "events", SAY_HEX soft, fault
        SAY_HEX back - 2
        CHECK   "status", SAY_MSR RTIT_STATUS
        CHECK   "trace"
        PT_PACKETS
.byte:  movzx   eax, byte [r13]
        or      eax, 0x100              ; for a leading zero
        call    say_hex
        inc     r13
        cmp     r13, r12
        jb      .byte
        jmp     quit

; Calls mix r8 times.
many:   mov     r9d, 12345
.next:  call    mix
        dec     r8d
        jnz     .next
        ret

; Branches of all near kinds, as the pseudo-random r9 has it.
mix:    imul    r9d, r9d, 1103515245
        add     r9d, 12345
        mov     eax, r9d
        mov     ecx, 32
.bit:   shr     eax, 1
        jc      .one
        nop
.one:   loop    .bit
        mov     eax, r9d
        shr     eax, 29
        lea     rdx, [rel .table]
        jmp     [rdx + rax * 8]
.a:     call    leaf
        jmp     .end
.b:     lea     rax, [rel leaf]
        call    rax
.c:     jrcxz   .end
        nop
.d:     push    .end
        ret                             ; without a call
.e:     push    .f
        jmp     leaf
.f:     call    twice
.end:   ret
leaf:   test    r9d, 0x1000
        jz      .end
        ret
.end:   ret     0
twice:  call    leaf
        add     qword [rsp], 0
        call    leaf
        ret
        align   8
mix.table:
        dq      mix.a, mix.b, mix.c, mix.d, mix.e, mix.f, mix.end, mix.a
mix_end:

recurse:
        dec     ecx
        jz      .end
        call    recurse
.end:   ret

software:
        iretq
undefined:
        mov     qword [rsp], after_fault
        iretq
hardware:
        EOI
        iretq
leave_user:
        pop     rdx
        FROM_USER rbp
        jmp     rdx
