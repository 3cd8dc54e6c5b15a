; refused: kind JNZ is not one of JCC JMP IJMP CALL ICALL RET INT EXC IRET FAR
%include "workload.inc"

WORKLOAD bad, "must not be assembled"
        mov     ecx, 4
.top:   dec     ecx
.back:  jnz     .top
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JNZ,   .back,  .top, 3
        TAKEN   RET,   .done,  CALLER
END
