; Single steps of REP: one iteration each; on Knights Landing up to 64 while the count is
; above 16, and REP INS in one step by a property.
; classes knl nehalem
; variants none= io=bt-rep-io-once=on on=bt-rep-64=on on-icount=bt-rep-64=on+-icount+shift=0 on-seed=bt-rep-64=on+bt-seed=7 silicon=bt-silicon=on+bt-smi=0 without=bt-silicon=on+bt-smi=0+bt-rep-64=off
%include "guest.inc"
%include "silicon.inc"

SOURCE  equ SPARE + 0x1000
TARGET  equ SPARE + 0x4000

; Steps through one string instruction.
%macro STEP_REP 2+                      ; RCX, instruction
        mov     rcx, %1
        mov     rdi, TARGET
        mov     rsi, SOURCE
        mov     r12, rcx                ; RCX before the step
        mov     r13, %%rep
        mov     r15, %%end
        mov     qword [steps], 0
        mov     qword [wrong], 0
        TALLY_CLEAR
        TF_ON
%%rep:  %2
%%end:  TF_OFF
        sete    [zero]
        cld
%endmacro
; And prints what is left of RCX, how many steps were wrong, and whether there were as many
; steps as iterations.
%macro CHECK_REP 4+                     ; name, RCX, iterations, instruction
        STEP_REP %2, %4
        CHECK   %1, SAY_HEX rcx, [wrong]
        SAY_WITHIN [steps], %3, %3
%endmacro

main:
        SET_VECTOR 1, debug
        mov     rdi, SOURCE
        mov     ecx, 0x1000
        mov     al, 0xa5
        rep     stosb

        STEP_REP 16, rep stosb
        CHECK   "rep, 16", SAY_HEX [steps], rcx
;= rep, 16|10 0
        STEP_REP 0, rep stosb
        CHECK   "rep, 0", SAY_HEX [steps], rcx
;= rep, 0|1 0

        ; Then how many steps, the most iterations and the least while the count was above 16,
        ; where it ended, and whether all was copied.
        CHECK_REP "rep, 1000", 1000, 1000, rep movsb
        SAY_WITHIN [steps], 20, 70
        SAY_WITHIN [tally_most], 45, 64
        SAY_WITHIN [tally_least], 1, 20
        sub     rdi, TARGET
        SAY_HEX rdi
        mov     rdi, TARGET
        mov     rsi, SOURCE
        mov     ecx, 1000
        repe    cmpsb
        SAY_IF  e
;=@none,@io,@without/nehalem,@silicon rep, 1000|0 0 1 0 0 1 3e8 1
;=@on/knl,@silicon rep, 1000|0 0 0 1 1 1 3e8 1

        mov     edx, 0x80
        STEP_REP 20, rep insb
        CHECK   "rep ins", SAY_HEX [steps], rcx
        sub     rdi, TARGET
        SAY_HEX rdi
;=@none,@without/nehalem,@silicon rep ins|14 0 14
;=@io rep ins|1 0 14

        ; Backwards, eight bytes each; and with a count in ECX, whatever RCX is.
        std
        CHECK_REP "rep stosq, backwards", 200, 200, rep stosq
        sub     rdi, TARGET - 200 * 8
        SAY_HEX rdi
;=@none,@without/nehalem,@silicon rep stosq, backwards|0 0 1 0
;=@on/knl,@silicon rep stosq, backwards|0 0 0 0
        STEP_REP {1 << 32 | 10}, a32 rep lodsb
        CHECK   "rep, ECX of 10", SAY_HEX [steps], rcx
;= rep, ECX of 10|a 0

        ; It ends by ZF, in the middle of a step too: 200 bytes of which the 40th differs.
        mov     rdi, TARGET
        mov     ecx, 200
        mov     al, 0xa5
        rep     stosb
        mov     byte [TARGET + 39], 0
        CHECK_REP "repe", 200, 40, repe cmpsb
        SAY_HEX [zero]
;=@none,@without/nehalem,@silicon repe|a0 0 1 0
;=@on/knl,@silicon repe|a0 0 0 0
        xor     eax, eax
        CHECK_REP "repne", 200, 40, repne scasb
        SAY_HEX [zero]
;=@none,@without/nehalem,@silicon repne|a0 0 1 1
;=@on/knl,@silicon repne|a0 0 0 1

        ; 20, again and again: some are one step, and none has an iteration too many.
        xor     r14d, r14d
        xor     r8d, r8d
        mov     ebp, 50
again:  STEP_REP 20, rep stosb
        cmp     rdi, TARGET + 20
        jne     .wrong
        test    rcx, rcx
        jz      .right
.wrong: inc     r8d
.right: cmp     qword [steps], 1
        jne     .more
        inc     r14d
.more:  dec     ebp
        jnz     again
        CHECK   "rep, 20", SAY_HEX r8
        SAY_WITHIN r14, 0, 0
        SAY_WITHIN r14, 20, 48
;=@none,@without/nehalem,@silicon rep, 20|0 1 0
;=@on/knl,@silicon rep, 20|0 0 1

        ; Without TF, and with BTF, nothing changes.
        mov     ecx, 1000
        mov     rdi, TARGET
        rep     stosb
        CHECK   "no TF", SAY_HEX rcx
        sub     rdi, TARGET
        SAY_HEX rdi
;= no TF|0 3e8
        WRMSR   DEBUGCTL, BTF
        STEP_REP 1000, rep stosb
        WRMSR   DEBUGCTL, 0
        CHECK   "btf", SAY_HEX [steps]
;= btf|0
        ret

; [steps] counts the steps of the instruction.  The tally has the iterations of those that
; began with a count above 16, and [wrong] is how many others had more than one.
debug:  push    rax
        cmp     [rsp + 8], r13
        je      .step
        cmp     [rsp + 8], r15
        jne     .end
.step:  inc     qword [steps]
        mov     rax, r12
        sub     rax, rcx
        cmp     r12, 16
        jbe     .single
        call    tally
        jmp     .next
.single:
        cmp     rax, 1
        jbe     .next
        inc     qword [wrong]
.next:  mov     r12, rcx
.end:   pop     rax
        iretq

        VARIABLES steps, wrong, zero
