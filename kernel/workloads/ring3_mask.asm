; SYSCALL that clears TF by IA32_FMASK, and SYSRET that loads it again.
;
; Operating systems do this, so that their entry is not stepped.  For both instructions TF at
; their end decides, not at their beginning: SYSCALL does not trap, and SYSRET traps at once,
; before the next instruction, unlike IRETQ (AMD64 APM vol. 2, "Single Stepping";
; kvm-unit-tests, x86/syscall.c).  A stepper goes from the SYSCALL directly to that stop.
; Bochs deviates: TF at their beginning decides there, as it does for IRETQ (cpu/event.cc,
; seen on 2.7 and 3.0), which common/facts/platform.c knows.
%include "workload.inc"

WORKLOAD ring3_mask, "SYSCALL that clears TF, and SYSRET that sets it", RING0
        mov     rbx, rsp
        FRAME_RING3 .user
.iret:  iretq
.user:  nop
.first: syscall
.next:  jmp     short .second   ; seen: there was a stop before it
.second:
        syscall
.after: nop
.int:   int     48
.end_user:

.entry: nop                     ; so a stop here, as Bochs has one, is at no branch
.call:  call    .callee
.sysret:
        o64 sysret
.callee:
        nop
.ret:   ret
.stub:  FRAME_RING0 .back
.leave: iretq
.back:  nop
.done:  ret

STUB SYSCALL_TF, .entry
STUB 48, .stub
PART .user, .end_user, RING3
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   IRET,  .iret,  .user
        TF      MASKED, .first, .entry
        TAKEN   FAR,   .first, .entry
        TAKEN   CALL,  .call,  .callee
        TAKEN   RET,   .ret,   .sysret
        TF      LOADED, .sysret, .next
        TAKEN   FAR,   .sysret, .next
        TAKEN   JMP,   .next,  .second
        TF      MASKED, .second, .entry
        TAKEN   FAR,   .second, .entry
        TAKEN   CALL,  .call,  .callee
        TAKEN   RET,   .ret,   .sysret
        TF      LOADED, .sysret, .after
        TAKEN   FAR,   .sysret, .after
        TAKEN   INT,   .int,   .stub
        TAKEN   IRET,  .leave, .back
        TAKEN   RET,   .done,  CALLER
END
