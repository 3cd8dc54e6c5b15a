; Zen 4 fuses an ALU instruction with the conditional branch after it: FROM in the LBR
; stack of version 2 is the first of the two.
; classes zen4
; variants plain= plain-icount=-icount+shift=0 off=bt-fuse=off
%include "guest.inc"

; Records the branch, which is taken, after the instruction; prints FROM: "alu" for the
; instruction, "jcc" for the branch.
%macro FUSE 3+                          ; name, condition, instruction
        CHECK   %1
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
%%alu:  %3
%%jcc:  %2      %%to
        nop
%%to:   WRMSR   EXTN, 0
        mov     r8, %%alu
        mov     r9, %%jcc
        call    say_from
%endmacro

main:
        FUSE    "cmp", je, cmp eax, ecx
        FUSE    "cmp, near", je near, cmp eax, ecx
        FUSE    "cmp imm", jne, cmp eax, 2
        FUSE    "cmp imm8, rax", jne, cmp rax, 2
        FUSE    "cmp al", jne, cmp al, 2
        FUSE    "cmp load", jne, cmp edx, [rsi]
        FUSE    "cmp mem, reg", jne, cmp [rsi], edx
        FUSE    "test", jne, test eax, eax
        FUSE    "test imm", jne, test ebx, 1
        FUSE    "test mem", jne, test [rsi], eax
        FUSE    "add", jne, add eax, ecx
        FUSE    "sub", je, sub eax, ecx
        FUSE    "and", jne, and eax, ecx
        FUSE    "or", jne, or eax, ecx
        FUSE    "xor", je, xor eax, ecx
        FUSE    "inc", jne, inc eax
        FUSE    "dec", je, dec eax
        FUSE    "inc, carry", jnc, inc eax
        FUSE    "add load", jne, add eax, [rsi]
;=@plain cmp|alu
;=@plain cmp, near|alu
;=@plain cmp imm|alu
;=@plain cmp imm8, rax|alu
;=@plain cmp al|alu
;=@plain cmp load|alu
;=@plain cmp mem, reg|alu
;=@plain test|alu
;=@plain test imm|alu
;=@plain test mem|alu
;=@plain add|alu
;=@plain sub|alu
;=@plain and|alu
;=@plain or|alu
;=@plain xor|alu
;=@plain inc|alu
;=@plain dec|alu
;=@plain inc, carry|alu
;=@plain add load|alu
;=@off cmp|jcc
;=@off cmp, near|jcc
;=@off cmp imm|jcc
;=@off cmp imm8, rax|jcc
;=@off cmp al|jcc
;=@off cmp load|jcc
;=@off cmp mem, reg|jcc
;=@off test|jcc
;=@off test imm|jcc
;=@off test mem|jcc
;=@off add|jcc
;=@off sub|jcc
;=@off and|jcc
;=@off or|jcc
;=@off xor|jcc
;=@off inc|jcc
;=@off dec|jcc
;=@off inc, carry|jcc
;=@off add load|jcc

        ; Not fused: other instructions, an immediate with memory, RIP-relative, a
        ; result in memory, something between.
        FUSE    "adc", jne, adc eax, ecx
        FUSE    "sbb", je, sbb eax, ecx
        FUSE    "neg", jne, neg eax
        FUSE    "not", jne, not eax
        FUSE    "shl", jne, shl eax, 1
        FUSE    "bt", jc, bt eax, 0
        FUSE    "mov", jne, mov eax, 1
        FUSE    "cmp mem, imm", jne, cmp dword [rsi], 2
        FUSE    "test mem, imm", jne, test dword [rsi], 1
        FUSE    "cmp rip", jne, cmp eax, [rel main]
        FUSE    "add mem", jne, add [rsi], eax
        FUSE    "inc mem", jne, inc dword [rsi]
        FUSE    "jrcxz", jrcxz, dec ecx
;= adc|jcc
;= sbb|jcc
;= neg|jcc
;= not|jcc
;= shl|jcc
;= bt|jcc
;= mov|jcc
;= cmp mem, imm|jcc
;= test mem, imm|jcc
;= cmp rip|jcc
;= add mem|jcc
;= inc mem|jcc
;= jrcxz|jcc
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
        SAY     "alu"
        ret
.no_alu:
        cmp     rax, r9
        jne     .neither
        SAY     "jcc"
        ret
.neither:
        jmp     say_record
