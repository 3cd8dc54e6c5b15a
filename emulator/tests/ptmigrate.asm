; Processor Trace that is saved to a file and loaded by another machine: a branch that is
; not sent yet, and a call whose return is compressed.
;
; ../test saves this guest when it has said "waiting", starts it again from the file, and
; sends the NMI that it waits for.  The variant "here" is not saved.
; classes pt
; variants here=wait saved=save
%include "guest.inc"
%include "pt.inc"

main:
        SET_VECTOR 2, nmi
        SAY     {10, "waiting|", 10}
        PT_BEGIN OS, on
        call    called
        PT_END  off, "pt saved"
        SAY_MSR_BITS RTIT_STATUS, 0x30
;=pt pt saved|psb pip:200000 cbr psbend mode:1 pge:on tnt:T fup:waiting tip:nmi tip:resume tnt:T fup:off pgd 0
        jmp     quit

called: xor     eax, eax
        jz      waiting
        nop
NAME waiting,   jmp     waiting

        ; An NMI that comes before the loop is none.
NAME nmi,       mov     rax, [rsp]
                mov     ecx, resume
                cmp     rax, waiting
                cmove   rax, rcx
                mov     [rsp], rax
        iretq
NAME resume,    ret
