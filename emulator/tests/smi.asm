; The effect of SMIs: records of code in SMM, the SMI count where it exists, a lost
; trap.
; variants none= always=bt-smi=1 rare=bt-smi=100 silicon=bt-silicon=on+bt-wrong-path=0+bt-double-newest=0+bt-predictor=off
%include "guest.inc"
%include "silicon.inc"

; SMRAM: SMBASE is 30000H, or A0000H when the firmware has moved it.
SMRAM_LOW       equ 0x38000
SMRAM_HIGH      equ 0xb0000

%macro COUNT_SMIS 0                     ; r14d: SMIs since BEGIN_SMIS; 0 if not counted
        xor     r14d, r14d
 %ifdef SMI_COUNTED
        RDMSR   SMI_COUNT
        sub     eax, [smis]
        mov     r14d, eax
 %endif
%endmacro
%macro BEGIN_SMIS 0
 %ifdef SMI_COUNTED
        RDMSR   SMI_COUNT
        mov     [smis], eax
 %endif
%endmacro

main:
        SET_VECTOR 1, debug, 13, protection

        ; Read-only where it exists; VIA and Zhaoxin ignore writes.
        CHECK   "write of SMI_COUNT faults", TRY_WRMSR SMI_COUNT, 0
;=!via,!zhaoxin write of SMI_COUNT faults|1
;=via,zhaoxin write of SMI_COUNT faults|0

%ifndef NO_LBR
        ; One after each branch: FROM is where it interrupted, and RSM returns there.
        BEGIN_SMIS
        LBR_ON
        JUMP    b
        LBR_OFF
        COUNT_SMIS
        CHECK   "SMIs of one branch", SAY_HEX r14
;=lbr,@none/lbr,!smi,@always SMIs of one branch|0
;=smi,@always SMIs of one branch|1
        CHECK   "newest record: from SMRAM, to"
        READ_RECORD 1
        push    rdx
        call    without_flags
        SAY_WITHIN rax, SMRAM_LOW, SMRAM_HIGH
        pop     rax
        call    say_address
;=lbr,@none/arch,@always newest record: from SMRAM, to|0 b
;=lbr,!arch,@always newest record: from SMRAM, to|1 b
%if DEPTH > 4
        ; Older than that are the branch, and where the SMI interrupted.
        CHECK   "records of SMM"
        xor     r12d, r12d
        xor     r13d, r13d
        mov     ebp, 1
.next:  READ_RECORD ebp
        call    without_flags
        cmp     rax, b
        jne     .none
        inc     r13d                            ; from b, into SMM
.none:  cmp     rax, SMRAM_LOW
        jb      .not
        cmp     rax, SMRAM_HIGH
        ja      .not
        inc     r12d
.not:   inc     ebp
        cmp     ebp, DEPTH
        jbe     .next
        SAY_WITHIN r12, 3, 8
        SAY_HEX r13
;=lbr,!core2,!penryn,!one,!willamette,@none/arch,@always records of SMM|0 0
%endif
%if DEPTH > 8
;=nehalem,haswell,broadwell,goldmont,skylake,nocona,zen4,@always records of SMM|1 1
%endif

%ifndef TRSTOPS
 %ifdef FREEZE
        ; FREEZE_WHILE_SMM, where it exists: SMIs are not recorded, but counted.
        BEGIN_SMIS
        LBR_ON
        mov     ebp, 1
        WRMSR   DEBUGCTL, LBR | 1 << 14
NAME c_from,    JUMP    c, d
        LBR_OFF
        COUNT_SMIS
        CHECK   "frozen", SAY_LBR 2
        SAY_HEX r14
;=smm,!trstops,@none/smm,!smi,!trstops,@always frozen|c_from>c c>d 0
;=smi,@always frozen|c_from>c c>d 2
 %endif
%endif

        ; About one of 100.
        BEGIN_SMIS
        LBR_ON
        COUNT_DOWN ecx, 5000
        LBR_OFF
        COUNT_SMIS
        CHECK   "SMIs of 4999 branches", SAY_WITHIN r14, 25, 80
        SAY_WITHIN r14, 4999, 4999
        SAY_WITHIN r14, 0, 3
;=lbr,@none/lbr,!smi,@rare,@always/lbr,@silicon SMIs of 4999 branches|0 0 1
;=smi,@rare SMIs of 4999 branches|1 0 0
;=smi,@always SMIs of 4999 branches|0 1 0

        ; 300,000 branches: in silicon mode about 15.
        BEGIN_SMIS
        LBR_ON
        COUNT_DOWN ecx, 300000
        LBR_OFF
        COUNT_SMIS
        CHECK   "SMIs of 300000 branches", SAY_WITHIN r14, 3, 40
;=lbr,@none,@always,@rare/lbr,!smi,@silicon SMIs of 300000 branches|0
;=smi,@silicon SMIs of 300000 branches|1

        ; The time of 100 SMIs.
        rdtsc
        shl     rdx, 32
        or      rax, rdx
        mov     r12, rax
        LBR_ON
        COUNT_DOWN ecx, 101
        LBR_OFF
        rdtsc
        shl     rdx, 32
        or      rax, rdx
        sub     rax, r12
        mov     r12, rax
        CHECK   "time goes on", SAY_WITHIN r12, 30000000, 2000000000
;=lbr,@always time goes on|1
%endif

%ifdef BTSD
        DS_SETUP 100, 200
        WRMSR   DEBUGCTL, TR | BTS
        JUMP    e
        WRMSR   DEBUGCTL, 0
        CHECK   "bts: second from, in SMRAM, last to"
        mov     rbp, [AREA + 8]
        SAY_ADDRESS [BUFFER + 24]
        SAY_WITHIN [BUFFER + 32], SMRAM_LOW, SMRAM_HIGH
        SAY_ADDRESS [rbp - 16]
;=ds,@none bts: second from, in SMRAM, last to|?0 0 e
;=ds,!arch,@always bts: second from, in SMRAM, last to|e 1 e
%endif

        ; Steps: a trap is lost if an SMI comes at its boundary, and no other.
        BEGIN_SMIS
        mov     dword [traps], 0
        mov     ecx, 1000
        TF_ON
.step:  dec     ecx
        jnz     .step
        TF_OFF
        nop
        COUNT_SMIS
        CHECK   "traps lost"
        mov     r12d, 2003                      ; 2 * 1000 + PUSHFQ, AND, POPFQ
        sub     r12d, [traps]
        SAY_WITHIN r12, 8, 40
        SAY_WITHIN [traps], 1, 2003
        CHECK   "each trap or an SMI"
        mov     eax, [traps]
        add     eax, r14d
        call    say_hex
;=!via,!zhaoxin,@none traps lost|0 1
;=!via,!zhaoxin,@rare traps lost|1 1
;=!via,!zhaoxin,@always traps lost|0 0
;=smi,@none,@rare,@always,@silicon/!smi,!via,!zhaoxin,@none each trap or an SMI|7d3
        ret

; rax: without flags above bit 56.
without_flags:
        shl     rax, 7
        shr     rax, 7
        ret

debug:  inc     dword [traps]
        iretq
        TRY_SUBROUTINES
        VARIABLES smis, traps
