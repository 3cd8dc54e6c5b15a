; A million branches.
;
; One instruction that goes to itself, so that stepping stops once for each and not
; twice.  Rings must wrap, buffers overflow, counters hold more than 16 bits, and the
; log must stay short; and FROM equal to TO is no reason to drop a record.
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
