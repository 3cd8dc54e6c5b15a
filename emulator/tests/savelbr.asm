; Saving and loading while LBR is on does not begin a new window.
; classes nehalem skylake alderlake skymont zen4
; variants here=wait+bt-double-newest=1 saved=save+bt-double-newest=1
%include "guest.inc"

main:
        SET_VECTOR 2, nmi
        call    lbr_clear
        ; Returns only, so that waiting records nothing.
%ifdef ARCH
        WRMSR   LBR_CTL, 1 << 21 | 7
%else
        WRMSR   SELECT, 0x1dc
 %ifdef EXTN
        WRMSR   EXTN, 0x40
 %else
        WRMSR   DEBUGCTL, LBR
 %endif
%endif
        call    f
NAME back
        SAY     {10, "waiting|", 10}
        call    lbr_still
NAME stilled
.wait:  pause
        cmp     byte [woken], 0
        je      .wait
        LBR_OFF
        ; The copy that the stop adds shows that there was a record in the window.
        CHECK   "newest two", SAY_LBR 2
; (SAY is full of returns: the newest is that of lbr_still.)
;= newest two|still>stilled still>stilled
        ret

lbr_still:
NAME still,     ret
NAME f,         ret
nmi:    mov     byte [woken], 1
        iretq
woken:  db      0
