; main calls foo and bar, each through a thunk of one jump.
;
; This is the sample of a debugger's "trace and watch" command, in 27 instructions: main 17 (6
; up to and including the first call, 7 with a taken jne up to and including the second, 4 to
; its ret), foo 4, bar 4, the thunks 1 each.  The branches alone say how many instructions
; each function ran: between two of them the code runs straight.
%include "workload.inc"

WORKLOAD wt, "main calls foo and bar through jump thunks"
        push    rbx
        mov     ebx, 2
        mov     edi, ebx
        lea     esi, [rbx + 1]
        xor     eax, eax
.to_foo: call   .foo_thunk
.foo_n: add     ebx, eax        ; 8
        cmp     ebx, byte 2
.jne:   jne     short .unequal  ; taken
        nop                     ; not run
.unequal: mov   edi, ebx
        mov     esi, 3
        xor     eax, eax
.to_bar: call   .bar_thunk
.bar_n: sub     eax, ebx
        mov     edx, eax
        pop     rbx
.done:  ret

.foo_thunk: jmp short .foo
.bar_thunk: jmp short .bar

.foo:   mov     eax, edi
        add     eax, esi
        inc     eax
.foo_ret: ret                   ; 6

.bar:   mov     eax, edi
        imul    eax, esi
        dec     eax
.bar_ret: ret

EXPECT
        TAKEN   ICALL, CALLER,     .start
        TAKEN   CALL,  .to_foo,    .foo_thunk
        TAKEN   JMP,   .foo_thunk, .foo
        TAKEN   RET,   .foo_ret,   .foo_n
        TAKEN   JCC,   .jne,       .unequal
        TAKEN   CALL,  .to_bar,    .bar_thunk
        TAKEN   JMP,   .bar_thunk, .bar
        TAKEN   RET,   .bar_ret,   .bar_n
        TAKEN   RET,   .done,      CALLER
END
