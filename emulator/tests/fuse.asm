; Zen 4 fuses an ALU instruction with the conditional branch after it: FROM in the LBR
; stack of version 2 is the first of the two.
; classes zen4
; variants plain= plain-icount=-icount+shift=0 off=bt-fuse=off
%include "guest.inc"

; Records the branch, which is taken, after the instruction; prints FROM: "alu" for the
; instruction, "jcc" for the branch.
%macro FUSE 2+                          ; condition, instruction
        call    lbr_clear
        mov     esi, SPARE
        mov     eax, 1
        mov     ebx, 1
        mov     dword [rsi], 1
        WRMSR   EXTN, 0x40
        mov     eax, 1
        xor     edx, edx
        cmp     al, dl                  ; sets flags, but is not the instruction before Jcc
        mov     ecx, 1
%%alu:  %2
%%jcc:  %1      %%to
        nop
%%to:   WRMSR   EXTN, 0
        mov     r8, %%alu
        mov     r9, %%jcc
        call    say_from
%endmacro

main:   CHECK   "fused"
        FUSE    je, cmp eax, ecx
        FUSE    je near, cmp eax, ecx
        FUSE    jne, cmp eax, 2
        FUSE    jne, cmp rax, 2
        FUSE    jne, cmp al, 2
        FUSE    jne, cmp edx, [rsi]
        FUSE    jne, cmp [rsi], edx
        FUSE    jne, test eax, eax
        FUSE    jne, test ebx, 1
        FUSE    jne, test [rsi], eax
        FUSE    jne, add eax, ecx
        FUSE    je, sub eax, ecx
        FUSE    jne, and eax, ecx
        FUSE    jne, or eax, ecx
        FUSE    je, xor eax, ecx
        FUSE    jne, inc eax
        FUSE    je, dec eax
        FUSE    jnc, inc eax
        FUSE    jne, add eax, [rsi]
;=@plain fused|alu*19
;=@off fused|jcc*19

        ; Not fused: other instructions, an immediate with memory, RIP-relative, a
        ; result in memory, something between.
        CHECK   "not fused"
        FUSE    jne, adc eax, ecx
        FUSE    je, sbb eax, ecx
        FUSE    jne, neg eax
        FUSE    jne, not eax
        FUSE    jne, shl eax, 1
        FUSE    jc, bt eax, 0
        FUSE    jne, mov eax, 1
        FUSE    jne, cmp dword [rsi], 2
        FUSE    jne, test dword [rsi], 1
        FUSE    jne, cmp eax, [rel main]
        FUSE    jne, add [rsi], eax
        FUSE    jne, inc dword [rsi]
        FUSE    jrcxz, dec ecx
;= not fused|jcc*13
        CHECK   "a nop between"
        STACK_ON
        test    esp, esp
        nop
NAME apart,     jnz     apart_to
        nop
NAME apart_to,  WRMSR   EXTN, 0
        SAY_LBR 1
;= a nop between|apart>apart_to
        CHECK   "jumped to"
        STACK_ON
        test    esp, esp
NAME jump,      jmp     jumped
        cmp     esp, esp
NAME jumped,    jnz     jumped_to
        nop
NAME jumped_to, WRMSR   EXTN, 0
        SAY_LBR 2
;= jumped to|jump>jumped jumped>jumped_to

        ; The second of two branches after the instruction is not fused.
        CHECK   "not taken, then taken"
        STACK_ON
NAME two,       test    esp, esp
        jz      two_to
NAME second,    jnz     two_to
        nop
NAME two_to,    WRMSR   EXTN, 0
        SAY_LBR 1
;= not taken, then taken|second>two_to

        ; A loop: each of its records.
        CHECK   "loop"
        call    lbr_clear
        mov     ebp, 3
        WRMSR   EXTN, 0x40
NAME top,       nop
NAME count,     dec     ebp
NAME back,      jnz     top
        WRMSR   EXTN, 0
        SAY_LBR 2
;=@plain loop|count>top count>top
;=@off loop|back>top back>top

        ; Not while DebugCtl.LBR is set: the stack, the pair, and the last interrupt.
        CHECK   "with the pair"
        SET_VECTOR 0x40, software
        STACK_ON
        WRMSR   DEBUGCTL, LBR
        test    esp, esp
NAME pair,      jnz     pair_to
        nop
NAME pair_to,   int     0x40
        WRMSR   EXTN, 0
        WRMSR   DEBUGCTL, 0
        READ_RECORD 3
        call    say_record
        SAY_PAIR 0x1dd
;= with the pair|pair>pair_to pair>pair_to
        ret

software:
        iretq

; Is FROM of the newest r8, or r9?
say_from:
        READ_RECORD 1
        cmp     rax, r8
        jne     .no_alu
        SAY     "alu "
        ret
.no_alu:
        cmp     rax, r9
        jne     .neither
        SAY     "jcc "
        ret
.neither:
        jmp     say_record
