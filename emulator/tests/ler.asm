; The last exception record: the branch before the last event.
; classes lbr
%include "guest.inc"

%macro SAY_LER 0
        RDMSR   LER_FROM + 1
        push    rax
        RDMSR   LER_FROM
        pop     rdx
        call    say_record
%endmacro

main:
        SET_VECTOR 0x40, software
        SET_VECTOR 6, undefined
        SET_VECTOR 1, debug
        SET_VECTOR 18, machine_check

        CHECK   "ler at start"
        SAY_LER
;= ler at start|?0>?0

        LBR_ON
NAME before
        jmp     fault
        nop
NAME fault
        ud2
NAME later
        jmp     still
NAME still
        LBR_OFF
        CHECK   "ler by #UD"
        SAY_LER
;= ler by #UD|before>fault

        LBR_ON
NAME before_int
        jmp     int
        nop
NAME int
        int     0x40
        LBR_OFF
        CHECK   "ler by int n"
        SAY_LER
;= ler by int n|before_int>int

        ; Not by #DB.
        LBR_ON
        pushfq
        or      qword [rsp], TF
        popfq
        nop
        pushfq
        and     qword [rsp], ~(TF)
        popfq
        LBR_OFF
        CHECK   "ler by #DB"
        SAY_LER
;= ler by #DB|before_int>int

        ; Not when LBR is off.
        ud2
later_off:
        CHECK   "ler when off"
        SAY_LER
;= ler when off|before_int>int

%ifdef ARCH
        ; INFO is that of the record, its cycles too: 8 bytes, a quarter and one.
        CHECK   "ler info"
        LBR_ON
        jmp     .apart
.apart: times   8 nop
        jmp     .fault
.fault: int     0x40
        LBR_OFF
        RDMSR   0x1e0
        call    say_hex
;=alderlake ler info|1200000000000003
%endif
        ret

NAME software
        iretq
NAME undefined
        mov     rax, [rsp]
        mov     rbx, later
        mov     rcx, later_off
        mov     rdx, fault
        cmp     rax, rdx
        cmovne  rbx, rcx
        mov     [rsp], rbx
NAME undefined_iret
        iretq
debug:  iretq
machine_check:
        iretq
