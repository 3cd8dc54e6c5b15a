; REP OUTS and REP INS: string instructions that access a port.
;
; The port is EDh, where no device answers (Linux uses it for its delays where 80h, the port
; of diagnostic cards, has another use).  Under a hypervisor each of these can leave the
; guest; even so, none is a branch.
%include "workload.inc"

WORKLOAD rep_io, "REP OUTS and REP INS on port EDh, which are no branches", RING0
        sub     rsp, byte 16
        mov     qword [rsp], 0
        mov     rsi, rsp
        mov     edx, 0xed
        mov     ecx, 3
        rep outsb
        mov     rdi, rsp
        mov     ecx, 3
        rep insb
        add     rsp, byte 16
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
