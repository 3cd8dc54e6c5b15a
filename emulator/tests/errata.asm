; Errata of records and of single steps, each off until its property asks for it.
; classes lbr
; variants none bogus=bt-bogus=2 noevents=bt-v2-no-events=on wrongfrom=bt-wrong-from=3 spoils=bt-smi=1+bt-smi-spoils=on ringfrom=bt-bts-ring-from=on intfrom=bt-bts-int-from=on intfromsmi=bt-bts-int-from=on+bt-smi=1 entered=bt-bts-off-entered=on lerdb=bt-ler-db=on recorddb=bt-record-db=on untaken=bt-btf-untaken=on events=bt-btf-events=on loop=bt-loop-unfiltered=on exceptions=bt-far-keeps-exceptions=on losebts=bt-lose-bts=2 dbbs=bt-db-bs=on dropstep=bt-drop-step=on
%include "guest.inc"
%include "silicon.inc"

main:
        SET_VECTOR 1, debug, 6, undefined, 0x40, software, 0x41, leave_user, 0x50, hardware
        APIC_ON

%ifdef SMI_COUNTED
        ; An SMI after each branch, which FREEZE_WHILE_SMM keeps out: the next record has the
        ; FROM of the branch before.
        LBR_ON
        WRMSR   DEBUGCTL, LBR_ON_BIT | 1 << 14
NAME s1,        JUMP    s2, s3, s4
        WRMSR   DEBUGCTL, 0
        LBR_END "lbr after SMIs", 3
%endif
;=smi,@none lbr after SMIs|s1>s2 s2>s3 s3>s4
;=smi,@spoils lbr after SMIs|s1>s2 s1>s3 s2>s4

        ; Each third record has the FROM of the branch before; after each second one of
        ; version 2 there is an entry that is no branch.
        LBR_ON
NAME w1,        JUMP    w2, w3, w4
        LBR_END "lbr of jumps", 3
;=@none lbr of jumps|w1>w2 w2>w3 w3>w4
;=@wrongfrom lbr of jumps|w1>w2 w2>w3 w2>w4
;=zen4,@bogus lbr of jumps|w2>w3 w3>w2 w3>w4
%ifidn CLASS, zen4
        CHECK   "bit 61 of TO of the newest three"
%assign n 0
%rep 3
        RDMSR   TO0 + 2 * n, r12
        SAY_BIT r12, 61
  %assign n n + 1
%endrep
%endif
;=zen4,@none,@noevents bit 61 of TO of the newest three|0 0 0
;=zen4,@bogus bit 61 of TO of the newest three|0 1 0

%ifdef SELECT
  %define FILTERS
%elifdef ARCH
  %define FILTERS
%endif
%ifdef FILTERS
        ; Without conditional branches: LOOP and JRCXZ.
        call    lbr_clear
        LBR_ENABLE_FILTERED 0x7e0007, 1 << 2
        mov     ecx, 2
NAME f1,        loop    f1
NAME f2,        jmp     f3
        nop
NAME f3,        xor     ecx, ecx
NAME f3_jrcxz,  jrcxz   f4
        nop
NAME f4,        jz      f5
        nop
NAME f5,        LBR_OFF_UNFILTERED
        CHECK   "lbr without jcc", SAY_LBR 3

        ; Without far branches: #UD, INT n and IRETQ.
        call    lbr_clear
        LBR_ENABLE_FILTERED 0x3f0007, 1 << 8
NAME x1,        jmp     x2
        nop
NAME x2,        ud2
        int     0x40
        LBR_OFF_UNFILTERED
        CHECK   "lbr without far branches", SAY_LBR 2
%endif
;=select,arch,@none lbr without jcc|?0>?0 ?0>?0 f2>f3
;=select,arch,@loop lbr without jcc|f1>f1 f2>f3 f3_jrcxz>f4
;=select,arch,@none lbr without far branches|?0>?0 x1>x2
;=select,arch,@exceptions lbr without far branches|x1>x2 x2>undefined

        ; Interrupts and exceptions.
        LBR_ON
NAME e1,        JUMP    e2
        int     0x40
NAME e3,        LBR_END "lbr of int n", 3
;=@none lbr of int n|e1>e2 e2>software software>e3
;=zen4,@noevents lbr of int n|?0>?0 e1>e2 software>e3

        ; LER by #DB.
        LBR_ON
NAME l1,        JUMP    l2
        TF_ON
        nop
NAME l3,        TF_OFF
        CHECK   "newest record after #DB", SAY_LBR 1
        LBR_OFF
        CHECK   "ler by #DB", SAY_PAIR LER_FROM
;=@none newest record after #DB|l1>l2
;=@recorddb newest record after #DB|l3>debug
;=@none ler by #DB|e1>e2
;=@lerdb ler by #DB|l1>l2

%ifdef BTSD
  %ifdef DS_CPL
        ; Of records in memory that a ring filters, those that change the ring.
        DS_SETUP 100, 200
        WRMSR   DEBUGCTL, TR | BTS | OFF_OS
        mov     rbp, rsp
        PUSH_USER u1
NAME user_iret, iretq
        NAMED   u1
        JUMP    u2
        int     0x41
        BTS_END "bts of a ring"
  %endif
        DS_SETUP 100, 200
        WRMSR   DEBUGCTL, TR | BTS
NAME i1,        JUMP    i2
        int     0x40
NAME i3,        BTS_END "bts of int n"

        ; The first record of an SMI after INT n: FROM is where it interrupted.
        DS_SETUP 100, 200
        WRMSR   DEBUGCTL, TR | BTS
        int     0x40
        WRMSR   DEBUGCTL, 0
        CHECK   "bts of an SMI after int n", SAY_ADDRESS [BUFFER + 24]
%endif
;=dscpl,@none bts of a ring|u1>u2 u2>leave_user
;=dscpl,@entered bts of a ring|user_iret>u1 u1>u2
;=dscpl,@ringfrom bts of a ring|u1>u2 leave_user>leave_user
;=ds,@losebts bts of int n|i1>i2 software>i3
;=ds,@none,@ringfrom bts of int n|i1>i2 i2>software software>i3
;=ds,!arch,@intfromsmi bts of an SMI after int n|software
;=ds,@intfrom bts of int n|i1>i2 i3>software software>i3

        ; DR6 after ICEBP under TF.
        mov     qword [traps], 0
        mov     rax, 0xffff0ff0
        mov     dr6, rax
        TF_ON
        db      0xf1
        TF_OFF
        CHECK   "icebp under tf, dr6", SAY_HEX [first_dr6]
;=@none,@dropstep icebp under tf, dr6|ffff0ff0
;=@dbbs icebp under tf, dr6|ffff4ff0

        ; An interrupt waits when the steps of STI and of the NOP after it are due: 8 of NOP,
        ; STI, NOP, NOP, CLI, PUSHFQ, AND and POPFQ, or two less.
        mov     qword [traps], 0
        mov     dword [r15 + APIC_ICR], 0x44050         ; to itself
        TF_ON
        nop
        sti
        nop
        nop
        cli
        TF_OFF
        CHECK   "steps and interrupts", SAY_HEX [traps], [interrupts]
;=@none,@dbbs steps and interrupts|8 1
;=@dropstep steps and interrupts|6 1

        ; Where BTF stops first: after a JNZ that is not taken, and INT n.
%macro FIRST_STOP 1                     ; name
        TF_OFF
        WRMSR   DEBUGCTL, 0
        CHECK   %1, SAY_ADDRESS [first_rip]
%endmacro
        mov     qword [traps], 0
        WRMSR   DEBUGCTL, BTF
        TF_ON
        xor     eax, eax
        jnz     main
NAME n1,        nop
        JUMP    n2
        FIRST_STOP "btf after jnz"
;=@none,@events btf after jnz|n2
;=@untaken btf after jnz|n1
        mov     qword [traps], 0
        WRMSR   DEBUGCTL, BTF
        TF_ON
        int     0x40
        JUMP    v2
        FIRST_STOP "btf after int n"
;=@none,@untaken btf after int n|v2
;=@events btf after int n|software
        ret

NAMED debug
        push    rax
        mov     rax, dr6
        cmp     qword [traps], 0
        jne     .later
        mov     [first_dr6], rax
        mov     rax, [rsp + 8]
        mov     [first_rip], rax
.later: inc     qword [traps]
        pop     rax
        iretq

NAME software,  iretq

NAME undefined, add     qword [rsp], 2  ; after UD2
        iretq

hardware:
        inc     qword [interrupts]
        EOI
        iretq

NAME leave_user,        pop     rdx
        FROM_USER rbp
        jmp     rdx

        VARIABLES traps, first_dr6, first_rip, interrupts
