; Processor Trace: an overflow, and misbehaviour on purpose.
; SDM vol. 3C, "Internal Buffer Overflow"
; classes pt
; variants none nopt=bt-no-pt=on overflow=bt-pt-overflow=2 noovf=bt-pt-overflow=2+bt-pt-no-ovf=on droptnt=bt-pt-drop-tnt=3 wrongtip=bt-pt-wrong-tip=2 wrongret=bt-pt-wrong-ret=on
%include "guest.inc"
%include "pt.inc"

main:
        SET_VECTOR 13, protection

        ; CPUID and registers, without the facility.
        CHECK   "pt there"
        CPUID   7, 0
        shr     ebx, 25
        and     ebx, 1
        mov     ebp, ebx
        SAY_HEX rbx
        CPUID   0
        xor     ecx, ecx
        cmp     eax, 0x14
        jb      .no_leaf
        CPUID   0x14, 0
.no_leaf:
        SAY_HEX rcx
        TRY_RDMSR RTIT_CTL, RTIT_CR3
        test    ebp, ebp
        jz      quit
;=@nopt pt there|0 0 1 1
;=broadwell,!@nopt pt there|1 1 0 0
;=skylake,alderlake,!@nopt pt there|1 7 0 0
;=goldmont,skymont,!@nopt pt there|1 80000007 0 0

        ; Indirect jumps, to names whose next byte has one as well.  An overflow loses the
        ; second TIP and three more.
%macro JUMP_INDIRECT 1-*
  %rep %0
        lea     rax, [rel %1]
        jmp     rax
        nop
NAME %1,        nop
NAME %1_1,      nop
    %rotate 1
  %endrep
%endmacro
        PT_BEGIN OS, on1
        JUMP_INDIRECT a, b, c, d, e, f
        PT_END  off1, "pt tips"
;=@none,@droptnt,@wrongret pt tips|psb pip:200000 cbr psbend mode:1 pge:on1 tip:a tip:b tip:c tip:d tip:e tip:f fup:off1 pgd
;=@wrongtip pt tips|psb pip:200000 cbr psbend mode:1 pge:on1 tip:a tip:b_1 tip:c tip:d_1 tip:e tip:f_1 fup:off1 pgd
;=@overflow pt tips|psb pip:200000 cbr psbend mode:1 pge:on1 tip:a ovf fup:e tip:f fup:off1 pgd
;=@noovf pt tips|psb pip:200000 cbr psbend mode:1 pge:on1 tip:a tip:f fup:off1 pgd

        ; An overflow ends with the trace at the latest, after its last packets.
        ; (The packets of before count: here the first is the fourth.)
        PT_BEGIN OS, on2
        call    call2
        jmp     end2
call2:  JUMP_RAX sub2
        ret
end2:   PT_OFF  off2
        CHECK   "pt overflow at the end", call say_pt
;=@none,@wrongtip,@droptnt,@wrongret pt overflow at the end|psb pip:200000 cbr psbend mode:1 pge:on2 tip:sub2 tnt:T fup:off2 pgd
;=@overflow pt overflow at the end|psb pip:200000 cbr psbend mode:1 pge:on2 ovf
;=@noovf pt overflow at the end|psb pip:200000 cbr psbend mode:1 pge:on2

        ; TNT: of T N N T N, each third bit is lost; one was before.
        PT_BEGIN OS, on3
        xor     eax, eax
        OVER_NOP jz
        jnz     quit
        jnz     quit
        OVER_NOP jz
        jnz     quit
        PT_END  off3, "pt tnt"
;=@none,@wrongtip,@wrongret pt tnt|psb pip:200000 cbr psbend mode:1 pge:on3 tnt:TNNTN fup:off3 pgd
;=@droptnt pt tnt|psb pip:200000 cbr psbend mode:1 pge:on3 tnt:TNT fup:off3 pgd

        ; A return to elsewhere.
        PT_BEGIN OS, on4
        call    call4
        jmp     other4
call4:  lea     rax, [rel other4]
        mov     [rsp], rax
        ret
NAME other4,    PT_END  off4, "pt return to elsewhere"
;=@none,@droptnt pt return to elsewhere|psb pip:200000 cbr psbend mode:1 pge:on4 tip:other4 fup:off4 pgd
;=@wrongret pt return to elsewhere|psb pip:200000 cbr psbend mode:1 pge:on4 tnt:T fup:off4 pgd

        ; The TNT packet that the end of the trace flushes, the eighth packet, is lost.
        PT_BEGIN OS, on5
        JUMP_INDIRECT sub5
        xor     eax, eax
        jz      end5
        nop
end5:   PT_OFF  off5
        CHECK   "pt overflow of the last packet", call say_pt
;=@none,@wrongtip,@droptnt,@wrongret pt overflow of the last packet|psb pip:200000 cbr psbend mode:1 pge:on5 tip:sub5 tnt:T fup:off5 pgd
;=@overflow pt overflow of the last packet|psb pip:200000 cbr psbend mode:1 pge:on5 tip:sub5 ovf
;=@noovf pt overflow of the last packet|psb pip:200000 cbr psbend mode:1 pge:on5 tip:sub5

        ; So is the tenth, at a MOV CR3 after which nothing is traced any more.
        COPY_TABLES
        WRMSR   RTIT_CR3, TABLES
        mov     ebp, TABLES2
        PT_BEGIN OS | CR3_FILTER, on6
        JUMP_INDIRECT sub6
        xor     eax, eax
        OVER_NOP jz
        mov     cr3, rbp
        PT_END  off6, "pt overflow outside of a filter"
;=@none,@droptnt,@wrongret pt overflow outside of a filter|psb pip:200000 cbr psbend mode:1 pge:on6 tip:sub6 tnt:T pgd
;=@wrongtip pt overflow outside of a filter|psb pip:200000 cbr psbend mode:1 pge:on6 tip:sub6_1 tnt:T pgd
;=@overflow pt overflow outside of a filter|psb pip:200000 cbr psbend mode:1 pge:on6 tip:sub6 ovf
;=@noovf pt overflow outside of a filter|psb pip:200000 cbr psbend mode:1 pge:on6 tip:sub6
        jmp     quit

        TRY_SUBROUTINES
