; A busy sibling thread: cycles and predictions vary, the recorded branches do not.
; classes goldmont skylake alderlake skymont
; variants none=bt-predictor=on on=bt-predictor=on+bt-sibling=on silicon=bt-silicon=on+bt-smi=0+bt-double-newest=0
%include "guest.inc"
%include "silicon.inc"

WINDOWS equ 400

main:
        ; The same loop many times: three records that must not change.
        xor     r12d, r12d              ; windows with other cycles
        xor     r13d, r13d              ; windows with a misprediction
        xor     r14d, r14d              ; windows with another branch
        xor     r15d, r15d              ; records of more than 400 cycles
        mov     ebp, WINDOWS
window: LBR_ON
        mov     ecx, 5
NAME loop_start,        dec     ecx
NAME loop_end,  jnz     loop_start
        LBR_OFF
        xor     r8d, r8d                ; of this window: 1 cycles, 2 miss, 4 branch
        mov     r9d, 3
.next:  READ_RECORD r9d
%ifdef CYCLES_IN_TO
        btr     rax, 63                 ; Goldmont's flag
%endif
        cmp     rax, loop_end
        jne     .branch
        cmp     rdx, loop_start
        je      .same
.branch:
        or      r8d, 4
.same:  call    missed
        shl     eax, 1
        or      r8d, eax
        call    cycles
        cmp     eax, 400
        jbe     .short
        inc     r15d
.short: cmp     eax, 1
        je      .older
        or      r8d, 1
.older: dec     r9d
        jnz     .next
        mov     eax, r8d
        and     eax, 1
        add     r12d, eax
        mov     eax, r8d
        shr     eax, 1
        and     eax, 1
        add     r13d, eax
        shr     r8d, 2
        add     r14d, r8d
        dec     ebp
        jnz     window

        ; Without it only the first window has a miss, and its cycles.
        CHECK   "other cycles, misses, long ones", SAY_WITHIN r12, 120, 380
        SAY_WITHIN r13, 5, 60
        SAY_WITHIN r15, 1, 20
;=@none/goldmont,skymont,@silicon other cycles, misses, long ones|0 0 0
;=@on/!goldmont,!skymont,@silicon other cycles, misses, long ones|1 1 1
        CHECK   "other branches", SAY_HEX r14
;= other branches|0
        ret

        PREDICTION_SUBROUTINES
