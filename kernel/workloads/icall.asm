; CALL through a register and through memory.
;
; The filters of the LBR treat indirect calls as a class of their own, to which the window's
; own call belongs.
%include "workload.inc"

WORKLOAD icall, "indirect calls through registers and memory"
        lea     rax, [.f]
.rax:   call    rax
.rax_n: lea     r9, [.f]
.r9:    call    r9              ; 41 FF D1
.r9_n:  push    r9
.mem:   call    [rsp]
.mem_n: lea     rbx, [rsp - 128]
.disp:  call    [rbx + 128]
.disp_n: pop    r9
.done:  ret

.f:     nop
.f_ret: ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   ICALL, .rax,   .f
        TAKEN   RET,   .f_ret, .rax_n
        TAKEN   ICALL, .r9,    .f
        TAKEN   RET,   .f_ret, .r9_n
        TAKEN   ICALL, .mem,   .f
        TAKEN   RET,   .f_ret, .mem_n
        TAKEN   ICALL, .disp,  .f
        TAKEN   RET,   .f_ret, .disp_n
        TAKEN   RET,   .done,  CALLER
END
