; Processor Trace: filters by CR3 and by address, and TraceStop.
; SDM vol. 3C, "Trace Filtering" and "Packet Enable Control".
; classes pt
; variants plain icount=-icount+shift=0
%include "guest.inc"
%include "pt.inc"

%macro SAY_STOPPED 0                    ; Stopped, after the packets
        RDMSR   RTIT_STATUS
        shr     eax, 5
        and     eax, 1
        call    say_hex
%endmacro

main:
        SET_VECTOR 0x40, software
        COPY_TABLES

        ; CR3: MOV to another one ends the trace without an address, MOV back has PIP
        ; and TIP.PGE with the next instruction.
        WRMSR   RTIT_CR3, TABLES
        mov     ebx, TABLES
        mov     ebp, TABLES2
        PT_BEGIN OS | CR3_FILTER, on1
        test    ebx, ebx
        OVER_NOP jnz
        mov     cr3, rbp
        test    ebx, ebx
        jz      quit
        lea     rax, [rel .hidden]
        jmp     rax
.hidden:
        mov     cr3, rbx
NAME again1,    jz      quit
        PT_END  off1, "pt cr3 filter"
;=pt pt cr3 filter|psb pip:200000 cbr psbend mode:1 pge:on1 tnt:T pgd pip:200000 pge:again1 tnt:N fup:off1 pgd

        ; Bits 4:0 of CR3 do not matter, bit 12 does.
        mov     ebx, TABLES | 1 << 3
        PT_BEGIN OS | CR3_FILTER, on2
        mov     cr3, rbx
        PT_END  off2, "pt cr3 low bits"
;=pt pt cr3 low bits|psb pip:200000 cbr psbend mode:1 pge:on2 pip:200000 fup:off2 pgd
        mov     ebx, TABLES
        mov     cr3, rbx
        WRMSR   RTIT_CR3, TABLES | 0x1000
        PT_BEGIN OS | CR3_FILTER, on2b
        test    ebx, ebx
        jz      quit
        PT_END  off2b, "pt cr3 mismatch"
;=pt pt cr3 mismatch|psb cbr psbend
        ; CPL as well as CR3
        WRMSR   RTIT_CR3, TABLES
        PT_BEGIN USER | CR3_FILTER, on2c
        mov     cr3, rbx
        PT_END  off2c, "pt cr3 and cpl"
;=pt pt cr3 and cpl|psb cbr psbend

%ifnidn CLASS, broadwell
        ; A range: a branch into it or out of it toggles the trace.  One that leaves it has
        ; its target, but a conditional one has not; falling out of it is no branch.
        RANGE   0, in3, in3_end - 1
        PT_BEGIN OS | DIS_RETC | ADDR_CFG(0, FILTER), on3
        xor     eax, eax
        jnz     quit
        JUMP    in3
        OVER_NOP jz
        call    out3
NAME back3,     lea     rax, [rel out3b]
        jmp     rax
        nop
NAME in3c,      jz      out3c
        nop
NAME in3d,      jnz     quit
        nop
in3_end:
        jnz     quit
        jmp     out3d
        nop
NAME out3,      ret
NAME out3b,     jmp     in3c
        nop
NAME out3c,     jmp     in3d
        nop
NAME out3d,     PT_END  off3, "pt range"
;=pt,!broadwell pt range|psb pip:200000 cbr psbend mode:1 pge:in3 tnt:T pgd:out3 pge:back3 pgd:out3b pge:in3c pgd pge:in3d tnt:NN pgd:out3d

        ; Falling into a range does not begin the trace, nor does a branch to the byte after
        ; it; one to its only byte does.
        RANGE   0, in4, in4
        PT_BEGIN OS | ADDR_CFG(0, FILTER), on4
        OVER_NOP jmp
        nop
NAME in4,       nop
        PT_END  off4, "pt fall into a range"
;=pt,!broadwell pt fall into a range|psb pip:200000 cbr psbend
        RANGE   0, in5, in5
        PT_BEGIN OS | ADDR_CFG(0, FILTER), on5
        jmp     in5 + 1
NAME in5,       nop
        nop
        PT_END  off5, "pt one byte after a range"
;=pt,!broadwell pt one byte after a range|psb pip:200000 cbr psbend
        RANGE   0, in6, in6
        PT_BEGIN OS | ADDR_CFG(0, FILTER), on6
        JUMP    in6
        nop
        JUMP    to6
        PT_END  off6, "pt range of a byte"
;=pt,!broadwell pt range of a byte|psb pip:200000 cbr psbend mode:1 pge:in6 pgd:to6

        ; Two ranges, of which one is enough.
        RANGE   0, in7, in7_end
        RANGE   1, in7b, in7b_end
        PT_BEGIN OS | ADDR_CFG(0, FILTER) | ADDR_CFG(1, FILTER), on7
        JUMP    in7
        lea     rax, [rel in7b]
        jmp     rax
in7_end:
        nop
NAME in7b,      jmp     to7
in7b_end:
        nop
NAME to7,       PT_END  off7, "pt two ranges"
;=pt,!broadwell pt two ranges|psb pip:200000 cbr psbend mode:1 pge:in7 tip:in7b pgd:to7

        ; An interrupt out of a range has FUP and the handler, IRET goes back.
        RANGE   0, in8, in8_end
        PT_BEGIN OS | ADDR_CFG(0, FILTER), on8
        JUMP    in8
        nop
NAME int8,      int     0x40
NAME back8,     jmp     to8
in8_end:
        nop
NAME to8,       PT_END  off8, "pt interrupt out of a range"
;=pt,!broadwell pt interrupt out of a range|psb pip:200000 cbr psbend mode:1 pge:in8 fup:int8 pgd:software pge:back8 pgd:to8

        ; FilterEn in IA32_RTIT_STATUS, outside and inside.
        RANGE   0, in9, in9_end
        PT_BEGIN OS | ADDR_CFG(0, FILTER), on9
        RDMSR   RTIT_STATUS
        mov     r8d, eax
        JUMP    in9
        RDMSR   RTIT_STATUS
        mov     r9d, eax
in9_end:
        PT_OFF  off9
        CHECK   "pt filter enable"
        and     r8d, 7
        and     r9d, 7
        SAY_HEX r8, r9
;=pt,!broadwell pt filter enable|6 7

        ; TraceStop: a jump into the range ends the trace, with a packet, for good.
        RANGE   0, stop10, stop10_end
        PT_BEGIN OS | ADDR_CFG(0, STOP), on10
        OVER_NOP jmp
        nop
        JUMP    stop10
        jmp     to10
stop10_end:
        nop
NAME to10,      JUMP    to10b
        PT_END  off10, "pt stop"
        SAY_STOPPED
;=pt,!broadwell pt stop|psb pip:200000 cbr psbend mode:1 pge:on10 pgd:stop10 stop 1

        ; A conditional branch, without target; to fall into the range does not stop.
        RANGE   0, stop11, stop11_end
        PT_BEGIN OS | ADDR_CFG(0, STOP), on11
        xor     eax, eax
        jnz     quit
NAME stop11,    jz      stop11_end
        nop
NAME stop11_end,        nop
        PT_END  off11, "pt conditional stop"
        SAY_STOPPED
;=pt,!broadwell pt conditional stop|psb pip:200000 cbr psbend mode:1 pge:on11 tnt:N pgd stop 1

        ; One range filters, the other stops, also while nothing is traced.
        RANGE   0, in12, in12_end
        RANGE   1, stop12, stop12_end
        PT_BEGIN OS | ADDR_CFG(0, FILTER) | ADDR_CFG(1, STOP), on12
        JUMP    in12
        jmp     out12
in12_end:
        nop
NAME out12,     JUMP    stop12
        jmp     in12b
stop12_end:
        nop
NAME in12b,     PT_END  off12, "pt filter and stop"
        SAY_STOPPED
;=pt,!broadwell pt filter and stop|psb pip:200000 cbr psbend mode:1 pge:in12 pgd:out12 stop 1

        ; WRMSR in the range itself.
        RANGE   0, stop13, stop13_end
        PT_FRESH 4
        WRMSR   RTIT_CTL, TRACE_EN | TO_TABLE | BRANCH_EN | OS | ADDR_CFG(0, STOP)
NAME stop13,    nop
        nop
stop13_end:
        nop
        PT_END  off13, "pt stop at once"
        SAY_STOPPED
;=pt,!broadwell pt stop at once|psb pip:200000 cbr psbend stop 1

        ; Out of context there is no stop.
        RANGE   0, stop14, stop14_end
        PT_BEGIN USER | ADDR_CFG(0, STOP), on14
        JUMP    stop14
        nop
stop14_end:
        nop
        PT_END  off14, "pt stop out of context"
        SAY_STOPPED
;=pt,!broadwell pt stop out of context|psb cbr psbend 0
%endif
        jmp     quit

NAME software,  iretq
