; SYSCALL from ring 3 and SYSRET back, three times.
;
; IA32_FMASK is 0 here, so TF is 1 at the end of both, and a stepper stops right after each:
; at IA32_LSTAR, and at .after.  SYSRET loads the flags from R11, TF among them.
%include "workload.inc"

WORKLOAD ring3_sys, "SYSCALL from ring 3 and SYSRET back, three times", RING0
        mov     rbx, rsp
        mov     ebp, 3
        FRAME_RING3 .user
.iret:  iretq
.user:  nop
.top:   syscall
.after: dec     ebp
.again: jnz     short .top      ; taken while ebp is 2, 1
.last:  syscall
.end_user:

.entry: test    ebp, ebp
.home:  jz      short .back     ; taken when ebp is 0
.sysret:
        o64 sysret
.back:  mov     rsp, rbx
.done:  ret

STUB SYSCALL, .entry
PART .user, .end_user, RING3
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   IRET,  .iret,  .user
        REPEAT  2
        TAKEN   FAR,   .top,   .entry
        TAKEN   FAR,   .sysret, .after
        TAKEN   JCC,   .again, .top
        END_REPEAT
        TAKEN   FAR,   .top,   .entry
        TAKEN   FAR,   .sysret, .after
        TAKEN   FAR,   .last,  .entry
        TAKEN   JCC,   .home,  .back
        TAKEN   RET,   .done,  CALLER
END
