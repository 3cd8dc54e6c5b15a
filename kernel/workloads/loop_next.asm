; LOOP, LOOPE, LOOPNE, JRCXZ and JECXZ to the next instruction, taken and not.
;
; The flags alone do not say which are taken: the count decides, in RCX or, with the prefix
; 67h, in ECX.
%include "workload.inc"

WORKLOAD loop_next, "LOOP and JRCXZ families to the next instruction"
        mov     ecx, 2
.loop:  loop    .loop_n         ; rcx 1: taken
.loop_n: loop   .zero           ; rcx 0: not taken
.zero:  mov     ecx, 5
        cmp     ecx, byte 5     ; ZF=1
.e_z:   loope   .ne_z           ; taken
.ne_z:  loopne  .nz             ; not taken
.nz:    cmp     ecx, byte 100   ; ZF=0
.e_nz:  loope   .ne_nz          ; not taken
.ne_nz: loopne  .last           ; taken
.last:  mov     ecx, 1
        cmp     ecx, byte 1     ; ZF=1
.e_1:   loope   .wide           ; rcx 0: not taken
.wide:  mov     rcx, 0x100000001
.loop_w: loop   .a32_w          ; rcx 100000000h: taken
.a32_w: mov     rcx, 0x100000001
.a32_n: a32 loop .r_zero        ; ecx 0: not taken, and rcx is 0 now
.r_zero: jrcxz  .e_zero         ; taken
.e_zero: jecxz  .half           ; taken
.half:  mov     rcx, 0x100000000
.r_half: jrcxz  .e_half         ; not taken
.e_half: jecxz  .one            ; taken
.one:   mov     ecx, 1
.r_one: jrcxz   .e_one          ; not taken
.e_one: jecxz   .done           ; not taken
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER,  .start
        TAKEN   JCC,   .loop,   .loop_n
        TAKEN   JCC,   .e_z,    .ne_z
        TAKEN   JCC,   .ne_nz,  .last
        TAKEN   JCC,   .loop_w, .a32_w
        TAKEN   JCC,   .r_zero, .e_zero
        TAKEN   JCC,   .e_zero, .half
        TAKEN   JCC,   .e_half, .one
        TAKEN   RET,   .done,   CALLER
END
