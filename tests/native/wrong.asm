; Workloads whose expectation is wrong: tests/native/wrong.expected says what is found of each.
%include "workload.inc"

%macro WRONG 1-2+ 0
WORKLOAD %1, "wrong on purpose", %2
%endmacro

; kernel/workloads/loop.asm up to its first row.
%macro LOOP 1
WORKLOAD %1, "wrong on purpose"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
%endmacro

%macro RETURNS 0
        TAKEN   RET,   .done,  CALLER
END
%endmacro

; Nothing but the call and the return.
%macro NOTHING 0
EXPECT
        TAKEN   ICALL, CALLER, .start
        RETURNS
%endmacro

; The branch is taken three times, and four are expected.
LOOP count_too_high
        TAKEN   JCC,   .back,  .top, 4
        RETURNS

; The branch is taken three times, and two are expected.
LOOP count_too_low
        TAKEN   JCC,   .back,  .top, 2
        RETURNS

; The trap comes after the instruction that follows POPF, not one later.
WRONG db_late, RING0
        pushfq
        or      dword [rsp], 0x100
        popfq
.one:   nop
.two:   nop
.done:  ret

.stub:  and     dword [rsp + 16], ~0x100
.iret:  iretq

STUB 1, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   DB,    .two,   .stub
        TAKEN   IRET,  .iret,  .done
        RETURNS

; It never ends.
WRONG endless
        nop
.self:  jmp     .self
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JMP,   .self,  .self, 3
        RETURNS

; An interrupt strikes before the instruction that is next, not at the one that sent it.
WRONG irq_early, RING0 | APIC
        mov     r8, [rdi + ENV_APIC]
.send:  mov     dword [r8 + APIC_ICR], ICR_SELF | IRQ
.next:  nop
.done:  ret

.stub:  mov     dword [r8 + APIC_EOI], 0
.iret:  iretq

STUB IRQ, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   EXC,   .send,  .stub
        TAKEN   IRET,  .iret,  .next
        RETURNS

; An interrupt that nobody takes.
WRONG irq_no_stub, RING0 | APIC
        mov     r8, [rdi + ENV_APIC]
        mov     dword [r8 + APIC_ICR], ICR_SELF | IRQ
.next:  nop
.done:  ret
        NOTHING

; Without an end of interrupt the next one does not come.
WRONG irq_twice, RING0 | APIC
        mov     r8, [rdi + ENV_APIC]
        mov     dword [r8 + APIC_ICR], ICR_SELF | IRQ
.first: nop
        mov     dword [r8 + APIC_ICR], ICR_SELF | IRQ
.then:  nop
.done:  ret

.stub:  nop
.iret:  iretq

STUB IRQ, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   EXC,   .first, .stub
        TAKEN   IRET,  .iret,  .first
        TAKEN   EXC,   .then,  .stub
        TAKEN   IRET,  .iret,  .then
        RETURNS

; A taken jump to the next instruction, not expected.
WRONG next_missed
        cmp     eax, eax
.je:    je      .next
.next:  nop
.done:  ret
        NOTHING

; A jump to the next instruction, expected although not taken.
WRONG next_not_taken
        cmp     eax, eax
.jne:   jne     .next
.next:  nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .jne,   .next
        RETURNS

; An exception, and no stub for it.
WRONG no_stub
        nop
.ud:    ud2
.done:  ret
        NOTHING

; A far jump from 32 bits to 64, to code that PART says has 32.
WRONG part_compat, RING0 | LOW
        FRAME_RING3 .user, COMPAT3
        lea     esi, [.wide]
.iret:  iretq
bits 32
.user:  push    CODE3
        push    esi
.far:   jmp     far [esp]
bits 64
.wide:  nop
.int:   int     48
.end_user:
.stub:  FRAME_RING0 .done
.leave: iretq
.done:  ret

STUB 48, .stub
PART .user, .end_user, RING3 | COMPAT
        NOTHING

; IRETQ goes to ring 3, and no PART says so.
WRONG part_missing, RING0
        FRAME_RING3 .user
.iret:  iretq
.user:  nop
.int:   int     48
.stub:  FRAME_RING0 .done
.leave: iretq
.done:  ret

STUB 48, .stub
        NOTHING

; A ring-3 process gets no further than WBINVD, and that is no agreement.
WRONG privileged
        wbinvd
.done:  ret
        NOTHING

; The last row is missing.
LOOP return_missing
        TAKEN   JCC,   .back,  .top, 3
END

; CLI in ring 3, which only ring 0 may do: nobody passes over it there.
WRONG ring0_only, RING0
        mov     rbx, rsp
        FRAME_RING3 .user
.iret:  iretq
.user:  cli
.int:   int     48
.end_user:
.stub:  FRAME_RING0 .done
.leave: iretq
.done:  ret

STUB 48, .stub
PART .user, .end_user, RING3
        NOTHING

; The branch has no row at all.
LOOP row_missing
        RETURNS

; It returns twice.
LOOP row_too_many
        TAKEN   JCC,   .back,  .top, 3
        TAKEN   RET,   .done,  CALLER
        RETURNS

; POPF clears TF for a jump, and no row says so.
WRONG tf_missing
        pushfq
        pop     r8
        mov     r9, r8
        and     r9d, ~0x100
        push    r9
        popfq
.jmp:   jmp     .over
.over:  push    r8
        popfq
        nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JMP,   .jmp,   .over
        RETURNS

; A load of SS holds the step back; it does not clear TF.
WRONG tf_wrong
        mov     eax, ss
.load:  mov     ss, eax
.next:  nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TF      CLEARED, .load, .next
        RETURNS

; It takes something from the stack that is not its own.
WRONG unbalanced
        pop     rdx
        pop     rax
        push    rdx
.done:  ret
        NOTHING

; A group that repeats once too often.
LOOP wrong_group
        REPEAT  4
        TAKEN   JCC,   .back,  .top
        END_REPEAT
        RETURNS

; The right ends, but it is no JMP.
LOOP wrong_kind
        TAKEN   JMP,   .back,  .top, 3
        RETURNS

; The wrong label as source.
LOOP wrong_source
        TAKEN   JCC,   .done,  .top, 3
        RETURNS

; The wrong label as target.
LOOP wrong_target
        TAKEN   JCC,   .back,  .start, 3
        RETURNS

; Not the 27 instructions that wt has.
WRONG wt
        nop
.done:  ret
        NOTHING
