; A jump into the middle of an instruction that has already run.
;
; The same bytes are the constant of a MOV and, read from the second byte on, a jump.  A tool
; that decodes the code from its beginning, and not from where the processor was, misses the
; branch.
%include "workload.inc"

WORKLOAD overlap, "a jump into the middle of an instruction"
        nop
        db      0xb8            ; MOV EAX, and the next four bytes
.inside: jmp    short .done     ; two of them, read from here
        nop
        nop
.back:  jmp     short .inside
        nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER,  .start
        TAKEN   JMP,   .back,   .inside
        TAKEN   JMP,   .inside, .done
        TAKEN   RET,   .done,   CALLER
END
