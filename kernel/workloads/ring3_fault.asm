; Faults in ring 3: a forbidden instruction is skipped, a missing page is tried again.
;
; The handlers run in ring 0 and resume in ring 3, one after the instruction that faulted and
; one at it.  FROM of both records is that instruction, in ring 3.
%include "workload.inc"

WORKLOAD ring3_fault, "#GP and #PF in ring 3: passed over, and tried again", RING0
        mov     rbx, rsp
        mov     rbp, [rdi + ENV_USER_STACK]
        FRAME_RING3 .user
        mov     edi, 16         ; in the first page, which nobody maps
.iret:  iretq
.user:  nop
.cli:   cli                     ; for ring 0 only
.after: nop
.load:  mov     eax, [rdi]
.int:   int     48
.end_user:

.gp:    pop     rax             ; the error code
        inc     qword [rsp]     ; after CLI, which has one byte
.over:  iretq
.pf:    lea     rdi, [rbp - 8]  ; memory that is there
        pop     rax
.retry: iretq
.stub:  FRAME_RING0 .back
.leave: iretq
.back:  nop
.done:  ret

STUB 13, .gp
STUB 14, .pf
STUB 48, .stub
PART .user, .end_user, RING3
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   IRET,  .iret,  .user
        TAKEN   EXC,   .cli,   .gp
        TAKEN   IRET,  .over,  .after
        TAKEN   EXC,   .load,  .pf
        TAKEN   IRET,  .retry, .load
        TAKEN   INT,   .int,   .stub
        TAKEN   IRET,  .leave, .back
        TAKEN   RET,   .done,  CALLER
END
