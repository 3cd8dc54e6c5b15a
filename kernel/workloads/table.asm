; A jump table: one indirect jump with four targets, in the order 2, 0, 3, 1.
;
; This is how compilers write a switch.  The entries are distances from the table, because an
; address in read-only memory would have to be relocated.  The cases run in another order than
; they have in memory.
%include "workload.inc"

WORKLOAD table, "a jump table: one jump, four targets"
        mov     esi, 0x01030002         ; which case next, lowest byte first
        mov     ecx, 4
        lea     rdx, [.table]
.next:  movzx   eax, sil
        movsxd  rax, dword [rdx + rax*4]
        add     rax, rdx
.jump:  jmp     rax
        nop
.case0: add     edi, byte 1
.end0:  jmp     short .join
.case1: add     edi, byte 2
.end1:  jmp     short .join
.case2: add     edi, byte 4
.end2:  jmp     short .join
.case3: add     edi, byte 8             ; falls through
.join:  shr     esi, 8
        dec     ecx
.back:  jnz     short .next
.done:  ret

        align   4, nop
.table: dd      .case0 - .table, .case1 - .table, .case2 - .table, .case3 - .table

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   IJMP,  .jump,  .case2
        TAKEN   JMP,   .end2,  .join
        TAKEN   JCC,   .back,  .next
        TAKEN   IJMP,  .jump,  .case0
        TAKEN   JMP,   .end0,  .join
        TAKEN   JCC,   .back,  .next
        TAKEN   IJMP,  .jump,  .case3
        TAKEN   JCC,   .back,  .next
        TAKEN   IJMP,  .jump,  .case1
        TAKEN   JMP,   .end1,  .join
        TAKEN   RET,   .done,  CALLER
END
