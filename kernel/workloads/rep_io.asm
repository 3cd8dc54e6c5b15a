; REP OUTS and REP INS: string instructions that talk to a port.
;
; The port is 80h, which diagnostic cards show and nothing else uses.  Under a
; hypervisor each of these can leave the guest: none is a branch all the same.
%include "workload.inc"

WORKLOAD rep_io, "REP OUTS and REP INS on port 80h, which are no branches", RING0
        sub     rsp, 16
        mov     qword [rsp], 0
        mov     rsi, rsp
        mov     edx, 0x80
        mov     ecx, 3
        rep outsb
        mov     rdi, rsp
        mov     ecx, 3
        rep insb
        add     rsp, 16
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
