; Exceptions in handlers of exceptions.
;
; The handler of INT 48 takes a page fault, its handler an invalid opcode, and the handler of
; that a division by zero.  None of them is a double fault, because each comes after the one
; before was delivered (SDM vol. 3A, "Interrupt 8: Double Fault Exception").  Four IRETQs
; lead out again, one by one.
%include "workload.inc"

WORKLOAD exc_nested, "#PF in a handler, #UD in its handler, #DE in that one's", RING0
.int:   int     48
.next:  nop
.done:  ret

.outer: mov     edi, 16         ; in the first page, which nobody maps
.load:  mov     eax, [rdi]
.iret:  iretq

.pf:    nop
.ud2:   ud2
        nop
.behind: mov    rdi, rsp        ; memory that is there
        pop     rax             ; the error code
.pf_iret: iretq

.ud:    mov     eax, 42
        xor     edx, edx
        xor     ecx, ecx
.div:   div     ecx
        lea     rax, [.behind]
        mov     [rsp], rax      ; the RIP to return to
.ud_iret: iretq

.de:    mov     ecx, 6
.de_iret: iretq

STUB 48, .outer
STUB 14, .pf
STUB 6, .ud
STUB 0, .de
EXPECT
        TAKEN   ICALL, CALLER,   .start
        TAKEN   INT,   .int,     .outer
        TAKEN   EXC,   .load,    .pf
        TAKEN   EXC,   .ud2,     .ud
        TAKEN   EXC,   .div,     .de
        TAKEN   IRET,  .de_iret, .div
        TAKEN   IRET,  .ud_iret, .behind
        TAKEN   IRET,  .pf_iret, .load
        TAKEN   IRET,  .iret,    .next
        TAKEN   RET,   .done,    CALLER
END
