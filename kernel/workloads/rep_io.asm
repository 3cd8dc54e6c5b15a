; REP OUTS and REP INS: string instructions that talk to a port.
;
; The port is EDh, one that nothing answers at (Linux takes it for its delays where 80h,
; the port of diagnostic cards, has another use).  Under a hypervisor each of these can
; leave the guest: none is a branch all the same.
%include "workload.inc"

WORKLOAD rep_io, "REP OUTS and REP INS on port EDh, which are no branches", RING0
        sub     rsp, 16
        mov     qword [rsp], 0
        mov     rsi, rsp
        mov     edx, 0xed
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
