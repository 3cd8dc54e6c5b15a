; Processor Trace: errata, each off until its property asks for it.
; libipt, intel-pt.h; SDM vol. 3C, "Internal Buffer Overflow"
; classes pt
; variants none psbfup=bt-pt-psb-fup=on psbcut=bt-pt-psb-cut=2 endcut=bt-pt-end-cut=2 pgdnoip=bt-pt-pgd-no-ip=on nlip=bt-pt-fup-nlip=on branchen=bt-pt-branch-en=on nocyc=bt-pt-psb-no-cyc=on badrange=bt-pt-bad-range=on ovf=bt-pt-overflow=2 alone=bt-pt-overflow=2+bt-pt-ovf-alone=on ovffup=bt-pt-overflow=2+bt-pt-ovf-fup=on ovfpgd=bt-pt-overflow=2+bt-pt-ovf-pgd=on silence=bt-pt-overflow=2+bt-pt-ovf-silence=on incyc=bt-pt-overflow=2+bt-pt-ovf-in-cyc=on
%include "guest.inc"
%include "pt.inc"

%ifidn CLASS, goldmont
  %assign LONG_TNT 1
%elifidn CLASS, skymont
  %assign LONG_TNT 1
%else
  %assign LONG_TNT 0
%endif

; Indirect jumps after 200 NOPs, so that each takes (7 + 200) / 4 + 1 = 34H cycles.
%macro SLOW_JUMP 1-*
  %rep %0
        lea     rax, [rel %1]
        times 200 nop
        jmp     rax
        nop
NAME %1
    %rotate 1
  %endrep
%endmacro

main:
        SET_VECTOR 13, protection, 0x40, software

        ; The PSB+ of the first TIP.PGE, and that of the second, which is cut, or the end of the second trace.  The next PSB
        ; comes at once, since its MODE.Exec was lost.
        PT_BEGIN OS, on1
        PT_END  off1, "pt start"
;=!@psbfup pt start|psb pip:200000 cbr psbend mode:1 pge:on1 fup:off1 pgd
;=@psbfup pt start|psb pip:200000 cbr mode:1 fup:on1 psbend pge:on1 fup:off1 pgd
        PT_BEGIN OS, on2
        PT_END  off2, "pt second start"
;=!@psbfup,!@psbcut,!@endcut pt second start|psb pip:200000 cbr psbend mode:1 pge:on2 fup:off2 pgd
;=@psbfup pt second start|psb pip:200000 cbr mode:1 fup:on2 psbend pge:on2 fup:off2 pgd
;=@endcut pt second start|psb pip:200000 cbr psbend mode:1 pge:on2
;=@psbcut pt second start|psb pip:200000 cbr ovf mode:1 pge:on2 psb pip:200000 cbr mode:1 fup:on2 psbend fup:off2 pgd

        ; An overflow at the second TIP loses four packets.
        PT_BEGIN OS, on3
%macro JUMPS_RAX 1-*
  %rep %0
        JUMP_RAX %1
    %rotate 1
  %endrep
%endmacro
        JUMPS_RAX a3, b3, c3, d3, e3, f3
        PT_END  off3, "pt overflow"
;=@none pt overflow|psb pip:200000 cbr psbend mode:1 pge:on3 tip:a3 tip:b3 tip:c3 tip:d3 tip:e3 tip:f3 fup:off3 pgd
;=@ovf,@ovffup,@ovfpgd,@incyc pt overflow|psb pip:200000 cbr psbend mode:1 pge:on3 tip:a3 ovf fup:e3 tip:f3 fup:off3 pgd
;=@alone pt overflow|psb pip:200000 cbr psbend mode:1 pge:on3 tip:a3 ovf tip:f3 fup:off3 pgd
;=@silence pt overflow|psb pip:200000 cbr psbend mode:1 pge:on3 tip:a3

        ; The trace ends during an overflow.  (The fourth packet; with silence, the third.)
        PT_BEGIN OS, on4
        JUMP_RAX a4
        PT_END  off4, "pt overflow at the end"
;=@none,@silence pt overflow at the end|psb pip:200000 cbr psbend mode:1 pge:on4 tip:a4 fup:off4 pgd
;=@ovf,@alone,@ovffup,@incyc pt overflow at the end|psb pip:200000 cbr psbend mode:1 pge:on4 ovf
;=@ovfpgd pt overflow at the end|psb pip:200000 cbr psbend mode:1 pge:on4 ovf pgd

%ifnidn CLASS, broadwell
        ; An overflow that loses TIP.PGD ends out of the range.  The sixth packet begins it.
        RANGE   0, in5, in5_end
        PT_BEGIN OS | ADDR_CFG(0, FILTER), on5
        jmp     in5
NAME out5,      lea     rax, [rel back5]
        jmp     rax
NAME in5,       JUMPS_RAX a5, b5, c5, d5
        lea     rax, [rel out5]
        jmp     rax
NAME back5,     PT_OFF  off5
in5_end:
        CHECK   "pt overflow out of a range", call say_pt
;=pt,!broadwell,@none pt overflow out of a range|psb pip:200000 cbr psbend mode:1 pge:in5 tip:a5 tip:b5 tip:c5 tip:d5 pgd:out5 pge:back5 fup:off5 pgd
;=pt,!broadwell,@ovf,@ovfpgd,@incyc pt overflow out of a range|psb pip:200000 cbr psbend mode:1 pge:in5 tip:a5 ovf pge:back5 fup:off5 pgd
;=pt,!broadwell,@ovffup pt overflow out of a range|psb pip:200000 cbr psbend mode:1 pge:in5 tip:a5 ovf fup:out5 pge:back5 fup:off5 pgd
;=pt,!broadwell,@alone pt overflow out of a range|psb pip:200000 cbr psbend mode:1 pge:in5 tip:a5 ovf fup:off5 pgd
;=pt,!broadwell,@silence pt overflow out of a range|psb pip:200000 cbr psbend mode:1 pge:in5

        ; OVF instead of the rest of a CYC: of 4 * 34H cycles the first byte is 87H, and the
        ; two bytes of OVF after it look like its end and like another CYC.
        PT_BEGIN OS | CYC_EN, on6
        SLOW_JUMP a6, b6, c6, d6, e6, f6
        PT_END  off6, "pt overflow in cyc"
;=pt,!broadwell,@ovf pt overflow in cyc|psb pip:200000 cbr psbend mode:1 pge:on6 cyc:34 tip:a6 cyc:d0 ovf fup:e6 cyc:34 tip:f6 fup:off6 pgd
;=pt,!broadwell,@incyc pt overflow in cyc|psb pip:200000 cbr psbend mode:1 pge:on6 cyc:34 tip:a6 cyc:30 cyc:1e fup:e6 cyc:34 tip:f6 fup:off6 pgd

        ; Direct and indirect branches out of a range.
        RANGE   0, in7, in7_end - 1
        PT_BEGIN OS | ADDR_CFG(0, FILTER), on7
        JUMP    in7
        jmp     out7
in7_end:
NAME out7,      PT_END  off7, "pt out of a range"
;=pt,!broadwell,@none,@nlip pt out of a range|psb pip:200000 cbr psbend mode:1 pge:in7 pgd:out7
;=pt,!broadwell,@pgdnoip pt out of a range|psb pip:200000 cbr psbend mode:1 pge:in7 pgd
        RANGE   0, in8, in8_end - 1
        PT_BEGIN OS | ADDR_CFG(0, FILTER), on8
        JUMP    in8
        lea     rax, [rel out8]
        jmp     rax
in8_end:
NAME out8,      PT_END  off8, "pt indirectly out of a range"
;=pt,!broadwell,@none,@pgdnoip pt indirectly out of a range|psb pip:200000 cbr psbend mode:1 pge:in8 pgd:out8

  %ifn LONG_TNT
        ; Before the second PSB: how many short TNT packets have no CYC before them.
        PT_BEGIN OS | CYC_EN, on9
        mov     ecx, 9000
.cyc:   loop    .cyc
        PT_OFF  off9
        PT_PACKETS
        mov     r13d, TRACE + 37        ; after TIP.PGE, see the guest ptret
        xor     ebx, ebx
.byte:  cmp     r13, r12
        jae     .psb                    ; an overflow has lost it
        movzx   eax, byte [r13]
        inc     r13
        cmp     al, 2
        je      .psb
        inc     ebx
        test    al, 1
        jz      .byte
        sub     ebx, 2
        jmp     .byte
.psb:   CHECK   "pt tnt without cyc", SAY_HEX rbx
;=skylake,alderlake,@none pt tnt without cyc|0
;=skylake,alderlake,@nocyc pt tnt without cyc|1

        ; A single range of 8 KiB: PSB comes after 2 KiB, and after 4 KiB.
        PT_OUTPUT TRACE, 0x1fff
        WRMSR   RTIT_CTL, TRACE_EN | BRANCH_EN | OS
        mov     ecx, 27000
.range: loop    .range
        WRMSR   RTIT_CTL, 0
        CHECK   "pt psb in a single range"
        movzx   eax, word [TRACE + 0x800]
        call    say_hex
        movzx   eax, word [TRACE + 0x1000]
        call    say_hex
;=skylake,alderlake,@none pt psb in a single range|8202 8202
;=skylake,alderlake,@badrange pt psb in a single range|8202 82fd
  %endif
%endif

        ; INT n: FUP with its own address, or with the next one.
        PT_BEGIN OS, on10
        nop
NAME int10,     int     0x40
NAME next10,    PT_END  off10, "pt int n"
;=@none,@pgdnoip pt int n|psb pip:200000 cbr psbend mode:1 pge:on10 fup:int10 tip:software tip:next10 fup:off10 pgd
;=@nlip pt int n|psb pip:200000 cbr psbend mode:1 pge:on10 fup:next10 tip:software tip:next10 fup:off10 pgd

        PT_FRESH 4
        CHECK   "pt without BranchEn faults", TRY_WRMSR RTIT_CTL, TRACE_EN | TO_TABLE | OS
        WRMSR   RTIT_CTL, 0
;=!@branchen pt without BranchEn faults|0
;=@branchen pt without BranchEn faults|1
        jmp     quit

NAME software,  iretq
        TRY_SUBROUTINES
