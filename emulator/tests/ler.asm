; The last exception record: the branch before the last event.
; classes lbr
%include "guest.inc"

%ifdef ARCH
  %define FILTER
  %define ONLY_JMP      1 << 17 | 7
  %define ONLY_RING0    0x7f0003
  %define ONLY_RING3    0x7f0005
%elifdef SELECT
  %ifdef INTEL
    %define FILTER
    %define ONLY_JMP    0x17c
    %define ONLY_RING0  2
    %define ONLY_RING3  1
  %endif
%endif

main:
        SET_VECTOR 0x40, software
  %ifdef FILTER
        SET_VECTOR 0x41, leave_user
  %endif
        SET_VECTOR 6, undefined, 1, debug, 18, machine_check

        CHECK   "ler at start", SAY_PAIR LER_FROM
;= ler at start|?0>?0

        LBR_ON
NAME before,    JUMP    fault
        ud2
NAME later,     jmp     still
NAME still,     LBR_OFF
        CHECK   "ler by #UD", SAY_PAIR LER_FROM
;= ler by #UD|before>fault

        LBR_ON
NAME before_int,        JUMP    int
        int     0x40
        LBR_OFF
        CHECK   "ler by int n", SAY_PAIR LER_FROM
;= ler by int n|before_int>int

        ; Not by #DB.
        LBR_ON
        TF_ON
        nop
        TF_OFF
        LBR_OFF
        CHECK   "ler by #DB", SAY_PAIR LER_FROM
;= ler by #DB|before_int>int

        ; Not when LBR is off.
        ud2
later_off:
        CHECK   "ler when off", SAY_PAIR LER_FROM
;= ler when off|before_int>int

%ifdef FILTER
        ; Not by an event that a filter drops, by its kind or by the ring that it
        ; enters.  The pair of AMD has no filter.
        LBR_ON
NAME known,     jmp     known_int
NAME known_int, int     0x40
        LBR_OFF

        CHECK   "ler by a dropped kind"
        mov     r14, ONLY_JMP
        call    filtered
        int     0x40
        call    unfiltered
        SAY_PAIR LER_FROM
;=select,!amd ler by a dropped kind|known>known_int
        CHECK   "ler by an event from ring 3, ring 3 only"
        mov     r14, ONLY_RING3
        call    from_ring3
        SAY_PAIR LER_FROM
;=select,!amd ler by an event from ring 3, ring 3 only|known>known_int
        CHECK   "ler by an event from ring 3, ring 0 only"
        mov     r14, ONLY_RING0
        call    from_ring3
        SAY_PAIR LER_FROM
;=select,!amd ler by an event from ring 3, ring 0 only|in_ring0>to_user
%endif

%ifdef ARCH
        ; INFO is that of the record, cycles included: 8 bytes / 4 + 1.
        CHECK   "ler info"
        LBR_ON
        HOP
        times   8 nop
        HOP
        int     0x40
        LBR_OFF
        RDMSR   0x1e0
  %ifdef INFO_COUNTERS
        mov     rcx, ~(0xff << 32)
        and     rax, rcx
  %endif
        call    say_hex
;=arch ler info|1200000000000003
%endif
        ret

%ifdef FILTER
filtered:                               ; r14: the filter
        LBR_ENABLE_FILTERED r14, r14
        HOP
        ret
unfiltered:
        LBR_OFF_UNFILTERED
        ret

from_ring3:                             ; r14: the filter
        mov     rbp, rsp
        PUSH_USER user
        call    filtered
NAME in_ring0,  jmp     to_user
NAME to_user,   iretq
NAME user,      jmp     .b
.b:     int     0x41
leave_user:
        FROM_USER rbp
        call    unfiltered
        ret
%endif

NAME software,  iretq
NAME undefined, mov     rax, [rsp]
        mov     rbx, later
        mov     rcx, later_off
        mov     rdx, fault
        cmp     rax, rdx
        cmovne  rbx, rcx
        mov     [rsp], rbx
NAME undefined_iret,    iretq
debug:  iretq
machine_check:
        iretq
