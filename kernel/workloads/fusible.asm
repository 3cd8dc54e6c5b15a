; Comparisons and arithmetic, each directly followed by the conditional jump that it decides.
;
; Many processors fuse such a pair into one operation.  AMD's LBR stack of version 2 may
; then report the first instruction of the pair as FROM; every other recorder, and that
; stack too while DebugCtl.LBR is set, reports the jump (`fusible_nop` is the same
; code with nothing that can fuse).
%include "workload.inc"

WORKLOAD fusible, "ten compare-and-branch pairs that can fuse, taken"
        mov     eax, 5
        mov     edx, 3
        cmp     eax, edx
.cmp:   ja      short .two      ; 5 > 3
        nop
.two:   test    eax, eax
.test:  jnz     short .three    ; 5 is not 0
        nop
.three: dec     eax
.dec:   jnz     short .four     ; 4
        nop
.four:  inc     eax
.inc:   jnz     short .five     ; 5
        nop
.five:  add     eax, edx
.add:   jns     short .six      ; 8
        nop
.six:   sub     eax, byte 2
.sub:   jnz     short .seven    ; 6
        nop
.seven: and     eax, byte 2
.and:   jnz     short .eight    ; 2
        nop
.eight: or      eax, byte 1
.or:    jnz     short .nine     ; 3
        nop
.nine:  xor     eax, edx
.xor:   jz      short .loop     ; 3 xor 3 is 0
        nop
.loop:  mov     ecx, 3
.top:   cmp     ecx, byte 1
.once:  je      short .done     ; taken in the third round
        dec     ecx
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
