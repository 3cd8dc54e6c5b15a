; refused: label .a_label_of_many is longer than 15 characters
%include "workload.inc"

WORKLOAD bad, "must not be assembled"
        mov     ecx, 4
.a_label_of_many:   dec     ecx
.back:  jnz     .a_label_of_many
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .back,  .a_label_of_many, 3
        TAKEN   RET,   .done,  CALLER
END
