; A million branches.
;
; One instruction jumps to itself, so that stepping stops once for each branch, not twice.
; Rings must wrap, buffers overflow, counters need more than 16 bits, and the log must stay
; short.  A record in which FROM equals TO must not be dropped.
%include "workload.inc"

WORKLOAD million, "LOOP to itself, taken a million times"
        mov     ecx, 1000001
.top:   loop    .top            ; taken while rcx, once less, is 1000000 down to 1
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   JCC,   .top,   .top, 1000000
        TAKEN   RET,   .done,  CALLER
END
