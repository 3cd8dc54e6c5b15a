; A retpoline: an indirect jump made of a CALL and a RET that does not return to it.
;
; The RET never uses the CALL's own return address, but the one that was written over it.  A
; tracer that pairs returns with calls, or drops a RET that it can predict, has the wrong
; target here.  The loop after the CALL runs only by speculation and must leave nothing
; (Intel, "Retpoline: A Branch Target Injection Mitigation").
%include "workload.inc"

WORKLOAD retpoline, "an indirect jump through CALL and RET; the loop after them is never run"
        lea     r11, [.target]
.call:  call    .set
.catch: pause
        lfence
        jmp     short .catch
.set:   mov     [rsp], r11
.ret:   ret
.target: nop
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   CALL,  .call,  .set
        TAKEN   RET,   .ret,   .target
        TAKEN   RET,   .done,  CALLER
END
