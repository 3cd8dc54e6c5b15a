; Processor Trace: packets of time.
; SDM vol. 3C, "Timestamp Counter (TSC) Packet", "TSC/MTC Alignment (TMA) Packet", "Mini Time
; Counter (MTC) Packet", "Cycle Count Packet (CYC) Packet".
; classes pt
; variants plain icount=-icount+shift=0
%include "guest.inc"
%include "pt.inc"

%macro SAY_TSC 0                        ; to rax, 56 bits
        rdtsc
        shl     rdx, 32
        or      rax, rdx
        shl     rax, 8
        shr     rax, 8
%endmacro

main:
        ; TSC: after PSB, between two RDTSC.
        SAY_TSC
        mov     r8, rax
        PT_BEGIN OS | TSC_EN, on1
        PT_OFF  off1
        SAY_TSC
        mov     r9, rax
        CHECK   "pt tsc", call say_pt
        mov     rax, [TRACE + 17]
        shl     rax, 8
        shr     rax, 8
        cmp     rax, r8
        SAY_IF  a
        mov     rax, [TRACE + 17]
        shl     rax, 8
        shr     rax, 8
        cmp     rax, r9
        SAY_IF  b
;=pt pt tsc|psb tsc pip:200000 cbr psbend mode:1 pge:on1 fup:off1 pgd 1 1

%ifnidn CLASS, broadwell
        ; Without PSB as well, when the output goes on.
        PT_ON   OS | TSC_EN, on2
        PT_END  off2, "pt tsc without psb"
;=pt,!broadwell pt tsc without psb|psb tsc pip:200000 cbr psbend mode:1 pge:on1 fup:off1 pgd tsc cbr pge:on2 fup:off2 pgd

        ; TMA: 16 bits of the crystal clock, and the TSC since its tick.
        PT_BEGIN OS | TSC_EN | MTC_EN | 9 << 14, on3
        PT_OFF  off3
        mov     ebx, [TRACE + 17]       ; TSC
        mov     ecx, [TRACE + 26]       ; CTC, reserved, FC[7:0]
        mov     edx, ebx
        shr     edx, 6
        xor     edx, ecx
        movzx   edx, dx
        shr     ecx, 24
        and     ebx, 0x3f
        xor     ecx, ebx
        mov     r8d, ecx
        mov     r9d, edx
        CHECK   "pt tma"
        movzx   eax, word [TRACE + 24]
        call    say_hex
        SAY_HEX r8, r9
;=pt,!broadwell pt tma|7302 0 0

        ; MTC: its byte changes from packet to packet.
        PT_BEGIN OS | MTC_EN, on4
        COUNT_DOWN ecx, 100000
        PT_OFF  off4
        call    count_mtcs
        CHECK   "pt mtc"
        cmp     ebx, 1
        SAY_IF  a
        SAY_HEX rbp
;=pt,!broadwell pt mtc|1 0

        ; So it does where branches are about 256 periods of 64 instructions apart.
        PT_BEGIN OS | MTC_EN, on4b
        mov     edi, 600
apart4: mov     esi, SPARE
        mov     ecx, 256 * 64
        rep     lodsb
        dec     edi
        jnz     apart4
        PT_OFF  off4b
        call    count_mtcs
        CHECK   "pt mtc after pauses"
        cmp     ebx, 1
        SAY_IF  a
        SAY_HEX rbp
;=pt,!broadwell pt mtc after pauses|1 0

        ; CYC before each packet but PSB's, CBR and FUP.  Here a cycle is four bytes of code
        ; up to the branch, and one for the branch.
        PT_BEGIN OS | DIS_RETC | CYC_EN, on5
        lea     rax, [rel to5]          ; 7 bytes
        xor     ecx, ecx                ; 2
        times 23 nop
        jmp     rax                     ; 32 / 4 + 1 = 9
NAME to5,       jrcxz   .taken          ; 0 / 4 + 1
        nop
.taken: times 400 nop
        jrcxz   .taken2                 ; 400 / 4 + 1, in the same TNT packet
        nop
.taken2:
        times 8 nop
        lea     rax, [rel to5b]
        nop
        jmp     rax                     ; 101 + 16 / 4 + 1
NAME to5b,      PT_END  off5, "pt cyc"
;=pt,!broadwell pt cyc|psb pip:200000 cbr psbend mode:1 pge:on5 cyc:9 tip:to5 cyc:1 tnt:TT cyc:6a tip:to5b fup:off5 pgd

        ; A threshold of 16 cycles: the first of these packets has none.
        PT_BEGIN OS | CYC_EN | 5 << 19, on6
        lea     rax, [rel to6]
        times 25 nop
        jmp     rax                     ; 9
NAME to6,       lea     rax, [rel to6b]
        times 401 nop
        jmp     rax                     ; 408 / 4 + 1 = 103
NAME to6b,      PT_END  off6, "pt cyc threshold"
%endif
;=pt,!broadwell pt cyc threshold|psb pip:200000 cbr psbend mode:1 pge:on6 tip:to6 cyc:70 tip:to6b fup:off6 pgd

        ; TSC after a long time without a branch, which REP is not: where there is MTC, instead
        ; of one that does not tell how long it was.
%ifidn CLASS, broadwell
  %define WITH_MTC 0
%else
  %define WITH_MTC MTC_EN
%endif
        PT_BEGIN OS | TSC_EN | WITH_MTC, on7
        mov     esi, SPARE
        mov     ecx, 0x20000
        rep     lodsb
        JUMP    to7
        PT_END  off7, "pt tsc after a pause"
;=broadwell pt tsc after a pause|psb tsc pip:200000 cbr psbend mode:1 pge:on7 tsc fup:off7 pgd
;=pt,!broadwell pt tsc after a pause|psb tsc tma pip:200000 cbr psbend mode:1 pge:on7 tsc tma fup:off7 pgd
        jmp     quit
