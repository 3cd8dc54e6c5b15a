; Eight interrupts of the local APIC's timer, each in a repeated instruction.
;
; self_ipi.asm explains what an interrupt strikes; the same holds for one from outside.  The
; timer is the kernel's watchdog: there is none while this runs, so each round ends by itself
; if its interrupt does not come.
%include "workload.inc"

WORKLOAD timer, "interrupts of the APIC's timer in a loop", RING0 | APIC
        APIC_BEGIN
        mov     r9, [rdi + ENV_MEMORY]
        APIC_WRITE APIC_LVT_TIMER, IRQ  ; once for each count
        APIC_WRITE APIC_TIMER_DIVIDE, DIVIDE_BY_1
        mov     r10d, 8
.top:   mov     rsi, r9
        APIC_WRITE_LAST APIC_TIMER_COUNT, 1
.rep:   rep lodsb
        dec     r10d
.back:  jnz     short .top      ; taken while r10d is 7 down to 1
.done:  ret

.stub:  APIC_WRITE APIC_EOI, 0
        mov     ecx, 1
.iret:  iretq

STUB IRQ, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        REPEAT  7
        TAKEN   EXC,   .rep,   .stub
        TAKEN   IRET,  .iret,  .rep
        TAKEN   JCC,   .back,  .top
        END_REPEAT
        TAKEN   EXC,   .rep,   .stub
        TAKEN   IRET,  .iret,  .rep
        TAKEN   RET,   .done,  CALLER
END
