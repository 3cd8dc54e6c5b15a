; The code of `fusible` with a NOP between each pair, which keeps it from fusing.
;
; Here every recorder must report the conditional jump itself as FROM.  A tool that always
; moves FROM to the next branch passes `fusible` and fails here.
%include "workload.inc"

WORKLOAD fusible_nop, "the same pairs, kept from fusing by a NOP"
        mov     eax, 5
        mov     edx, 3
        cmp     eax, edx
        nop                     ; keeps the two apart
.cmp:   ja      short .two      ; 5 > 3
        nop
.two:   test    eax, eax
        nop                     ; keeps the two apart
.test:  jnz     short .three    ; 5 is not 0
        nop
.three: dec     eax
        nop                     ; keeps the two apart
.dec:   jnz     short .four     ; 4
        nop
.four:  inc     eax
        nop                     ; keeps the two apart
.inc:   jnz     short .five     ; 5
        nop
.five:  add     eax, edx
        nop                     ; keeps the two apart
.add:   jns     short .six      ; 8
        nop
.six:   sub     eax, byte 2
        nop                     ; keeps the two apart
.sub:   jnz     short .seven    ; 6
        nop
.seven: and     eax, byte 2
        nop                     ; keeps the two apart
.and:   jnz     short .eight    ; 2
        nop
.eight: or      eax, byte 1
        nop                     ; keeps the two apart
.or:    jnz     short .nine     ; 3
        nop
.nine:  xor     eax, edx
        nop                     ; keeps the two apart
.xor:   jz      short .loop     ; 3 xor 3 is 0
        nop
.loop:  mov     ecx, 3
.top:   cmp     ecx, byte 1
        nop                     ; keeps the two apart
.once:  je      short .done     ; taken in the third round
        dec     ecx
        nop                     ; keeps the two apart
.back:  jnz     short .top      ; taken twice
        nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .cmp,   .two
        TAKEN   JCC,   .test,  .three
        TAKEN   JCC,   .dec,   .four
        TAKEN   JCC,   .inc,   .five
        TAKEN   JCC,   .add,   .six
        TAKEN   JCC,   .sub,   .seven
        TAKEN   JCC,   .and,   .eight
        TAKEN   JCC,   .or,    .nine
        TAKEN   JCC,   .xor,   .loop
        TAKEN   JCC,   .back,  .top, 2
        TAKEN   JCC,   .once,  .done
        TAKEN   RET,   .done,  CALLER
END
