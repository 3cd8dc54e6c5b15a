; All of silicon mode at once, raw: ../test compares one run with another, see
; check_repeat() there.
; classes core2 nehalem skylake alderlake skymont zen4
;=@never anything|
%include "guest.inc"
%include "silicon.inc"

main:
        SET_VECTOR 2, nmi, 0x50, pmi
        APIC_ON
        call    behave
        mov     byte [waiting], 1
        SAY     {10, "waiting|", 10}
.wait:  pause
        cmp     byte [waiting], 0
        jne     .wait
        call    behave
        ret

behave:
        CHECK   "skids"
        mov     r14d, 40
.skid:  LVT_PMI 0x50
        OVERFLOW_AFTER 10, EV_TAKEN
        sti
        COUNT_DOWN ecx, 30000
        cli
        WRMSR   SEL0, 0
        SAY_HEX [seen]
        dec     r14d
        jnz     .skid

        CHECK   "records"
        mov     r14d, 20
.window:
        LBR_ON
        mov     ecx, 2000
.calls: call    .f
        dec     ecx
        jnz     .calls
        LBR_OFF
        mov     ebx, DEPTH
.raw:   call    read_record
        SAVE    rbx, rdx
        call    say_hex
        pop     rax
        call    say_hex
        pop     rbx
%ifdef INFO0
        push    rbx
        call    lbr_index
        lea     ecx, [rdi + INFO0]
        SAY_MSR ecx
        pop     rbx
%endif
        dec     ebx
        jnz     .raw
        dec     r14d
        jnz     .window
%ifdef SMI_COUNTED
        CHECK   "smis", SAY_MSR SMI_COUNT
%endif
        ret
.f:     ret

pmi:    mov     [seen], ecx
        mov     ecx, 1
        EOI
        iretq
nmi:    mov     byte [waiting], 0
        iretq

seen:           dq 0
waiting:        db 0
