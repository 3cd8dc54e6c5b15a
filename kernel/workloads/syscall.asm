; SYSCALL in ring 0, and back by a jump.
;
; It goes where IA32_LSTAR says, with the return address in RCX and the flags in R11;
; here IA32_FMASK is 0, so TF stays (SDM vol. 2B, "SYSCALL").  If TF is 1 at the end of
; SYSCALL, #DB comes before any instruction at IA32_LSTAR (kvm-unit-tests, x86/syscall.c).
; Without that stop, `step` would take the SYSCALL for a branch to .next.  SYSRET would leave
; ring 0.
%include "workload.inc"

WORKLOAD syscall, "SYSCALL in ring 0", RING0
        nop
.syscall:
        syscall
.next:  nop
.done:  ret

.entry: nop
.back:  jmp     rcx

STUB SYSCALL, .entry
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   FAR,   .syscall, .entry
        TAKEN   IJMP,  .back,  .next
        TAKEN   RET,   .done,  CALLER
END
