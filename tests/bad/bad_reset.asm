; Resets the machine by the chipset's reset register, as a machine check or a power
; supply may do it: nothing of the run is written down.
%include "workload.inc"

WORKLOAD bad_reset, "OUT to the reset register, CF9h"
        mov     edx, 0xcf9
        mov     al, 6                   ; full reset
        out     dx, al
.again: jmp     .again
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JMP,   .again, .again, 3
        TAKEN   RET,   .done,  CALLER
END
