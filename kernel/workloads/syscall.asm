; SYSCALL in ring 0, and back by a jump.
;
; It goes where IA32_LSTAR says, with the return address in RCX and the flags in R11;
; here IA32_FMASK is 0, so TF stays and who steps sees it like another branch (SDM vol.
; 2B, "SYSCALL").  SYSRET would leave ring 0.
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
