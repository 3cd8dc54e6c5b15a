; JRCXZ and JECXZ, the jumps that test a register and no flag.
;
; The prefix 67h turns the first into the second (SDM vol. 2, "Jcc"): if only the upper half of
; RCX is set, JECXZ is taken and JRCXZ is not.
%include "workload.inc"

WORKLOAD jrcxz, "JRCXZ and JECXZ, taken and not"
        xor     ecx, ecx
.r_zero: jrcxz  .e_zero         ; taken
        nop
.e_zero: jecxz  .half           ; taken
        nop
.half:  mov     rcx, 0x100000000
.r_half: jrcxz  .never          ; not taken
.e_half: jecxz  .one            ; taken
        nop
.one:   mov     ecx, 1
.r_one: jrcxz   .never          ; not taken
.e_one: jecxz   .never          ; not taken
        nop
.never: nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER,  .start
        TAKEN   JCC,   .r_zero, .e_zero
        TAKEN   JCC,   .e_zero, .half
        TAKEN   JCC,   .e_half, .one
        TAKEN   RET,   .done,   CALLER
END
