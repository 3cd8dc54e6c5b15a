; An interrupt that the processor sends to itself.
;
; An interrupt strikes between two instructions, and FROM is the address of the one that would
; have been next (SDM vol. 3C, "Control Flow Information Packets": FUP payload by event).
; Nobody promises how late it comes, so it strikes one long instruction: REP admits interrupts
; between its rounds and is then itself the next instruction (SDM vol. 2B,
; "REP/REPE/REPZ/REPNE/REPNZ").  The handler leaves it one round to do.  If no interrupt
; comes, REP ends by itself and the trace has no entry.
%include "workload.inc"

WORKLOAD self_ipi, "an interrupt of the own making, in a repeated instruction", RING0 | APIC
        APIC_BEGIN
        mov     rsi, [rdi + ENV_MEMORY]
        APIC_WRITE_LAST APIC_ICR, ICR_SELF | IRQ
.rep:   rep lodsb
.done:  ret

.stub:  APIC_WRITE APIC_EOI, 0
        mov     ecx, 1
.iret:  iretq

STUB IRQ, .stub
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   EXC,   .rep,   .stub
        TAKEN   IRET,  .iret,  .rep
        TAKEN   RET,   .done,  CALLER
END
