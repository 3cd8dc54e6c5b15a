; Misbehaviour on purpose: each property has its effect, and no other.
; classes lbr
; variants none drop=bt-drop=3 double=bt-double=3 shift=bt-shift-from=on keepbtf=bt-keep-btf=on keeplbr=bt-keep-lbr=on tos=bt-miscount-tos=on dropbtf=bt-drop-btf=on
%include "guest.inc"

LIST    equ SPARE + 0x8000

main:
        SET_VECTOR 1, debug

        ; Six branches, of which some may be missing or doubled.
        LBR_ON
NAME a,         JUMP    b, c, d, e
        LBR_END "lbr records", 4
;=@none,@keepbtf,@keeplbr,@dropbtf lbr records|a>b b>c c>d d>e
;=@drop,!one lbr records|?0>?0 a>b b>c d>e
;=@drop,one/@double,one/@tos,zen3 lbr records|d>e
;=@double,!one lbr records|b>c c>d c>d d>e
;=@shift,!one lbr records|a1>b b1>c c1>d d1>e
;=@shift,one lbr records|d1>e
;=@tos,d4 lbr records|b>c c>d d>e a>b
;=@tos,d8,d16,d32,!arch,!zen4 lbr records|b>c c>d d>e ?0>?0
;=@tos,arch,zen4 lbr records|?0>?0 a>b b>c c>d
;=@tos,p6,phenom lbr records|c>d

        ; The enabling bits, BTF and LBR, after #DB.
        mov     qword [LIST], 0
        LBR_ENABLE
        WRMSR   DEBUGCTL, BTF | LBR
        TF_ON
        nop
NAME s1,        JUMP    s2
        TF_OFF
        nop
        WRMSR   DEBUGCTL, 0
        LBR_OFF
        CHECK   "stop, debugctl, lbr_ctl", SAY_ADDRESS [LIST + 8]
        SAY_HEX [LIST + 16], [LIST + 24]
;=@none,@drop,@double,@shift,@tos,!arch stop, debugctl, lbr_ctl|s2 0 0
;=@none,@drop,@double,@shift,@tos,arch stop, debugctl, lbr_ctl|s2 0 7f0006
;=@keepbtf,!arch stop, debugctl, lbr_ctl|s2 2 0
;=@keepbtf,arch stop, debugctl, lbr_ctl|s2 2 7f0006
;=@keeplbr,!arch stop, debugctl, lbr_ctl|s2 1 0
;=@keeplbr,arch stop, debugctl, lbr_ctl|s2 0 7f0007
;=@dropbtf,!arch stop, debugctl, lbr_ctl|s1 0 0
;=@dropbtf,arch stop, debugctl, lbr_ctl|s1 0 7f0006

        CHECK   "btf reads back"
        WRMSR   DEBUGCTL, BTF
        SAY_MSR DEBUGCTL
;=@none,@drop,@double,@shift,@keepbtf,@keeplbr,@tos btf reads back|2
;=@dropbtf btf reads back|0
        WRMSR   DEBUGCTL, 0

%ifdef BTSD
        ; The same with BTS.  The count continues from the branches above.
        DS_SETUP 16, 17
        WRMSR   DEBUGCTL, TR | BTS
NAME t,         JUMP    u, v, w
        BTS_END "bts records"
;=@none,@keepbtf,@keeplbr,@tos,@dropbtf,ds bts records|t>u u>v v>w
;=@drop,ds bts records|u>v v>w
;=@double,ds bts records|t>u t>u u>v v>w
;=@shift,ds bts records|t1>u u1>v v1>w
%endif
        ret

; The names of shifted FROM.
        NAME_ADDRESS a1, a + 1
        NAME_ADDRESS b1, b + 1
        NAME_ADDRESS c1, c + 1
        NAME_ADDRESS d1, d + 1
%ifdef BTSD
        NAME_ADDRESS t1, t + 1
        NAME_ADDRESS u1, u + 1
        NAME_ADDRESS v1, v + 1
%endif

debug:  SAVE    rax, rcx, rdx
        cmp     qword [LIST], 0
        jne     .end
        mov     qword [LIST], 1
        mov     rax, [rsp + 24]
        mov     [LIST + 8], rax
        mov     qword [LIST + 24], 0
        RDMSR   DEBUGCTL, [LIST + 16]
%ifdef ARCH
        RDMSR   LBR_CTL, [LIST + 24]
%endif
.end:   RESTORE rax, rcx, rdx
        iretq
