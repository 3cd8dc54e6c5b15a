; Mispredictions and cycles with the predictor; no misprediction without it.
;
; The expectations follow from the rules at the top of branch-trace-predict.c: a Jcc
; is predicted by two bits that begin at "weakly not taken"; an indirect branch by
; where it went the last time; a return by the newest call; a cycle is 16 bytes, a
; miss 16 cycles.
; classes nehalem haswell broadwell goldmont skylake alderlake skymont knl zen4 nocona willamette
; variants none= on=bt-predictor=on silicon=bt-silicon=on+bt-double-newest=0+bt-wrong-path=0+bt-smi=0+bt-sibling=off off=bt-silicon=on+bt-smi=0+bt-predictor=off+bt-double-newest=0+bt-wrong-path=0
%include "guest.inc"
%include "silicon.inc"

%ifndef NETBURST
        PREDICTION_SUBROUTINES

; Prints either property of the newest, or of the newest four, oldest first.
%macro SAY_OF_NEWEST 1
        mov     ebx, 1
        call    %1
        call    say_hex
%endmacro
%macro SAY_OF_FOUR 1
        mov     ebx, 4
%%next: call    %1
        push    rbx
        call    say_hex
        pop     rbx
        dec     ebx
        jnz     %%next
%endmacro

; Four taken, and one that is not.
loop_window:
        LBR_ON
        COUNT_DOWN ecx, 5
        LBR_OFF
        ret

; A branch that is taken when r11d is 1; nothing else is recorded then.  (On Zen 4 LBR
; alone, without DebugCtl.LBR, which turns fusion off.)
jcc_window:
 %ifdef EXTN
        STACK_ON
 %else
        LBR_ON
 %endif
jcc_test:
        test    r11d, r11d
jcc_from:
        jnz     jcc_to
        nop
NAME jcc_to,    LBR_OFF
        ret

; A jump to rax.
indirect_window:
        mov     r11, rax
        LBR_ON
        jmp     r11
        nop
ind_a:  nop
ind_b:  LBR_OFF
        ret
%endif

main:
%ifndef NETBURST
        ; Weakly not taken, then taken: missed once.  Afterwards the last is not taken,
        ; so the counter is at 2: none is missed.
        call    loop_window
        CHECK   "jcc, first", SAY_OF_FOUR missed
;=!netburst,@none,@off jcc, first|0 0 0 0
;=!netburst,@on,@silicon jcc, first|1 0 0 0
 %ifdef CYCLES
        CHECK   "cycles, first", SAY_OF_FOUR cycles
;=goldmont,skylake,arch,@none,@off cycles, first|0 1 1 1
;=goldmont,skylake,arch,@on cycles, first|0 11 1 1
 %endif
        call    loop_window
        CHECK   "jcc, again", SAY_OF_FOUR missed
;=!netburst jcc, again|0 0 0 0
 %ifdef CYCLES
        CHECK   "cycles, again", SAY_OF_FOUR cycles
;=goldmont,skylake,arch,@none,@on,@off cycles, again|0 1 1 1
 %endif

        ; One counter for both outcomes: taken twice, not taken three times, and so not
        ; expected to be taken the next time.  Zen 4 fuses this branch.
        mov     ebp, outcomes
.outcome:
        movzx   r11d, byte [rbp]
        call    jcc_window
        inc     ebp
        cmp     ebp, outcomes_end
        jb      .outcome
        CHECK   "jcc, taken after not taken", SAY_OF_NEWEST missed
        READ_RECORD 1
        push    rdx
        call    fused_or_not
        pop     rax
        call    say_address
;=!netburst,@none,@off jcc, taken after not taken|0 1 jcc_to
;=!netburst,@on,@silicon jcc, taken after not taken|1 1 jcc_to

        CHECK   "indirect: new, same, other"
        mov     ebp, indirects
.next:  mov     rax, [rbp]
        call    indirect_window
        SAY_OF_NEWEST missed
        add     ebp, 8
        cmp     ebp, indirects_end
        jb      .next
;=!netburst,@none,@off indirect: new, same, other|0 0 0
;=!netburst,@on indirect: new, same, other|1 0 1

        LBR_ON
        call    f
        nop
        LBR_OFF
        CHECK   "call and return", SAY_OF_NEWEST missed
;=!netburst,@none,@off,@on call and return|0
        mov     eax, .pushed
        push    rax
        LBR_ON
        call    f
        ret                             ; nobody called
        nop
.pushed:
        LBR_OFF
        CHECK   "return without a call", SAY_OF_NEWEST missed
;=!netburst,@none,@off return without a call|0
;=!netburst,@on,@silicon return without a call|1

 %ifdef CYCLES
        LBR_ON
        HOP
        times   100 nop
        HOP
        LBR_OFF
        mov     ebx, 1
        call    cycles
        push    rax
        CHECK   "cycles of 100 bytes"
        pop     rax
        call    say_hex
;=goldmont,skylake,arch,@none,@off cycles of 100 bytes|1a
;=goldmont,skylake,arch,@on cycles of 100 bytes|7

        ; Filtered branches take time too: more than 16 bits hold.
        call    lbr_clear
        LBR_ENABLE_FILTERED 0x7e0007, 4
        HOP
        COUNT_DOWN ecx, 100000
        HOP
        LBR_OFF_UNFILTERED
        CHECK   "cycles saturate", SAY_OF_NEWEST cycles
;=goldmont,skylake,arch,@on,@silicon cycles saturate|ffff
;=goldmont,skylake,arch,@none,@off cycles saturate|3
 %endif

 %ifndef READ_ONLY
        ; Direct jumps at new addresses: 8 windows of DEPTH.  On Skylake one of
        ; 16 is missed, of the others none.
        xor     r12d, r12d
  %rep 8
        LBR_ON
   %rep DEPTH
        jmp     short $ + 2
   %endrep
        LBR_OFF
        call    count_missed
  %endrep
        CHECK   "direct jumps", SAY_WITHIN r12, 4, 36
        SAY_WITHIN r12, 0, 0
;=!netburst,@none,@off/!netburst,!skylake,@on direct jumps|0 1
;=skylake,@on,@silicon direct jumps|1 0
 %endif
%else

        DS_SETUP 100, 200
        WRMSR   DEBUGCTL, TR | BTS
        COUNT_DOWN ecx, 5
        WRMSR   DEBUGCTL, 0
        CHECK   "predicted flag", SAY_HEX [BUFFER + 16], [BUFFER + 40], [BUFFER + 64], [BUFFER + 88]
;=netburst,@none,@off predicted flag|10 10 10 10
;=netburst,@on,@silicon predicted flag|0 10 10 10
%endif
        ret

%ifndef NETBURST
count_missed:
        mov     ebp, DEPTH
.next:  mov     ebx, ebp
        call    missed
        add     r12d, eax
        dec     ebp
        jnz     .next
        ret

f:      ret

; rax: FROM of the branch in jcc_window.  Prints 1 if it is right for the class.
fused_or_not:
 %ifdef EXTN
        mov     edx, jcc_test
 %else
        mov     edx, jcc_from
 %endif
        cmp     eax, edx
        SAY_IF  e
        ret

outcomes:
        db      1, 1, 0, 0, 0, 1
outcomes_end:
indirects:
        dq      ind_a, ind_a, ind_b
indirects_end:
%endif
