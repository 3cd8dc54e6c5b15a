; Branch records in memory: layout, ring and interrupt modes, CPL, PMI.
; classes ds
; variants plain plain-icount=-icount+shift=0 narrow=bt-dtes64=off
%define BEFORE_LONG_MODE protected_mode
%include "guest.inc"

; Fills the buffer with CC, which no record contains.  Capacity, threshold (-1: none).
%macro FRESH_DS 2
        mov     rdi, BUFFER
        mov     ecx, 512
        mov     rax, 0xcccccccccccccccc
        rep     stosq
  %if %2 < 0
        DS_SETUP %1, %1 + 1
  %else
        DS_SETUP %1, %2
  %endif
%endmacro

; From ring 0 to ring 3 and back.
%macro BOTH_RINGS 2                     ; name, DEBUGCTL
        CHECK   %1
        mov     r14, %2
        call    both_rings
%endmacro

main:
        SET_VECTOR 0x40, software, 0x41, leave_user, 6, undefined, 0x50, pmi, 2, nmi
        APIC_ON

        ; In order, with FROM and TO as the LBR has them, and flags.
        FRESH_DS 16, -1
        WRMSR   DEBUGCTL, TR | BTS
NAME jmp_from,  JUMP    jmp_to
        xor     eax, eax
        jnz     jmp_from
NAME call_from, call    call_to
NAME int_from,  int     0x40
NAME ud_from,   ud2
NAME end,       BTS_END "bts records", call say_records
;=@plain bts records|jmp_from>jmp_to call_from>call_to call_to>int_from int_from>software software_iret>ud_from ud_from>undefined undefined_iret>end
        CHECK   "bts index", SAY_BTS_INDEX
;=@plain bts index|a8
        CHECK   "bts flags", SAY_HEX [BUFFER + 16]
;=@plain,!netburst bts flags|0
;=@plain,netburst bts flags|10

        ; TR alone and BTS alone store nothing.
        FRESH_DS 16, -1
        WRMSR   DEBUGCTL, TR
        HOP
        WRMSR   DEBUGCTL, BTS
        HOP
        BTS_END "tr alone, bts alone", SAY_BTS_INDEX
;=@plain tr alone, bts alone|0

        ; Until Core 2, TR makes the LBR stack undefined: here it does not change.
        LBR_ON
        WRMSR   DEBUGCTL, TR | LBR
NAME tr_from,   jmp     tr_to
NAME tr_to,     WRMSR   DEBUGCTL, 0
        LBR_END "lbr while tr", 1
;=@plain,trstops lbr while tr|?0>?0
;=@plain,!trstops lbr while tr|tr_from>tr_to

        ; A ring of four records, six branches.
        FRESH_DS 4, -1
        mov     ecx, 5
        WRMSR   DEBUGCTL, TR | BTS
        mov     ecx, 5
NAME ring_top,  dec     ecx
NAME ring_from, jnz     ring_top
NAME ring_last, jmp     ring_end
NAME ring_end
NAME ring_again,        jmp     ring_out
NAME ring_out,  BTS_END "bts ring", SAY_BUFFER 4
        SAY_BTS_INDEX
        SAY_HEX [BUFFER + 4 * 24]
;=@plain bts ring|ring_last>ring_end ring_end>ring_out ring_from>ring_top ring_from>ring_top 30 cccccccccccccccc

        ; A full ring wraps at once: the index never rests at the end.
        FRESH_DS 2, -1
        WRMSR   DEBUGCTL, TR | BTS
        HOP     2
        BTS_END "bts ring index", SAY_BTS_INDEX
;=@plain bts ring index|0

        ; A maximum without the 1 that the manual adds holds as many records.
        FRESH_DS 2, -1
        dec     qword [AREA + 16]
        WRMSR   DEBUGCTL, TR | BTS
        HOP
        BTS_END "bts ring index, exact maximum", SAY_BTS_INDEX
;=@plain bts ring index, exact maximum|18

        ; BTINT: the index stays at the end, and further records are lost.
        FRESH_DS 3, -1
        WRMSR   DEBUGCTL, TR | BTS | BTINT
        mov     ecx, 5
NAME full_top,  dec     ecx
NAME full_from, jnz     full_top
        BTS_END "bts full", SAY_BUFFER 3
        SAY_BTS_INDEX
        SAY_HEX [BUFFER + 3 * 24]
;=@plain bts full|full_from>full_top full_from>full_top full_from>full_top 48 cccccccccccccccc

        ; The absolute maximum without the 1 that the manual adds.
        FRESH_DS 3, -1
        dec     qword [AREA + 16]
        WRMSR   DEBUGCTL, TR | BTS | BTINT
        COUNT_DOWN ecx, 5
        BTS_END "bts full, exact maximum", SAY_BTS_INDEX
;=@plain bts full, exact maximum|48

        ; CPL: from ring 0 to ring 3 and back, with either bit.
        BOTH_RINGS "bts all rings", TR | BTS
;=@plain bts all rings|to_user>user user>user_b user_b>user_int user_int>leave_user leave_user>back
%ifdef DS_CPL
        BOTH_RINGS "bts off_os", TR | BTS | OFF_OS
;=@plain,dscpl bts off_os|user>user_b user_b>user_int user_int>leave_user
        BOTH_RINGS "bts off_usr", TR | BTS | OFF_USR
;=@plain,dscpl bts off_usr|to_user>user leave_user>back
        BOTH_RINGS "bts off_os, off_usr", TR | BTS | OFF_OS | OFF_USR
;=@plain,dscpl bts off_os, off_usr|
%endif

        ; Threshold: the PMI comes after the record that reaches it, has a record
        ; of its own, and its handler finds the LVT entry masked.
        FRESH_DS 8, 2
        LVT_PMI 0x50
        sti
        WRMSR   DEBUGCTL, TR | BTS | BTINT
NAME t1,        jmp     t2
NAME t2,        jmp     t3
NAME t3,        jmp     t4
NAME t4,        WRMSR   DEBUGCTL, 0
        cli
        CHECK   "bts threshold", call say_records
;=@plain bts threshold|t1>t2 t2>t3 t3>pmi pmi_iret>t3 t3>t4
        CHECK   "pmi lvt", SAY_HEX [seen_lvt]
;=@plain pmi lvt|10050
        ; The index that the handler read counts the record of its own entry.
        CHECK   "pmi index"
        mov     rax, [seen_index]
        sub     rax, BUFFER
        call    say_hex
;=@plain pmi index|48
        ; Masked again by the PMI: no second one, although the index is above.
        CHECK   "pmi count", SAY_HEX [seen_count]
;=@plain pmi count|1

        ; The same with NMI, and interrupts off.
        FRESH_DS 8, 1
        LVT_PMI 0x400
        WRMSR   DEBUGCTL, TR | BTS | BTINT
NAME n1,        jmp     n2
NAME n2,        jmp     n3
NAME n3,        BTS_END "bts threshold, nmi", call say_records
;=@plain bts threshold, nmi|n1>n2 n2>nmi nmi_iret>n2 n2>n3

        ; Without BTINT the PMI comes too.
        mov     dword [seen_count], 0
        FRESH_DS 8, 1
        LVT_PMI 0x50
        sti
        WRMSR   DEBUGCTL, TR | BTS
        HOP
        WRMSR   DEBUGCTL, 0
        cli
        CHECK   "pmi without btint", SAY_HEX [seen_count]
;=@plain pmi without btint|1

        ; No PMI with a masked entry, or with a threshold above the end.
        mov     dword [seen_count], 0
        FRESH_DS 8, 1
        LVT_PMI 0x10050
        sti
        WRMSR   DEBUGCTL, TR | BTS | BTINT
        HOP
        WRMSR   DEBUGCTL, 0
        FRESH_DS 2, -1
        LVT_PMI 0x50
        WRMSR   DEBUGCTL, TR | BTS
        HOP     3
        WRMSR   DEBUGCTL, 0
        nop
        cli
        CHECK   "no pmi", SAY_HEX [seen_count]
;=@plain no pmi|0

%ifdef FREEZE
        ; FREEZE_LBRS_ON_PMI clears DEBUGCTL.LBR; since version 4 it sets a bit of
        ; the status instead.  (On Bonnell the bit clears TR: there is no PMI.)
        FRESH_DS 8, 1
        LVT_PMI 0x10050
        WRMSR   0x390, 1 << 62 | FREEZE_STATUS
        LBR_ON
        WRMSR   DEBUGCTL, TR | BTS | LBR | 1 << 11
NAME frozen_from,       jmp     frozen_to
NAME frozen_to, nop
NAME unseen,    jmp     thawed
NAME thawed,    RDMSR   DEBUGCTL, r14
        RDMSR   0x38e, r13
        WRMSR   DEBUGCTL, 0
        LBR_OFF
        CHECK   "freeze", SAY_HEX r14, r13
;=@plain,v2,v3,!bonnell freeze|8c0 4000000000000000
;=@plain,bonnell freeze|881 0
;=@plain,v4 freeze|8c1 4400000000000000
;=@plain,arch freeze|8c0 4400000000000000
        CHECK   "lbr while frozen", SAY_LBR 1
;=@plain,freeze,!trstops,!bonnell lbr while frozen|frozen_from>frozen_to
;=@plain,bonnell lbr while frozen|unseen>thawed
;=@plain,trstops,!pentium-m,!yonah lbr while frozen|?0>?0
        CHECK   "status reset"
        WRMSR   0x390, 1 << 62 | FREEZE_STATUS
        SAY_MSR 0x38e
;=@plain,freeze status reset|0
%endif

        ; #DB does not stop BTS, and is not stored.
        SET_VECTOR 1, debug
        FRESH_DS 8, -1
        WRMSR   DEBUGCTL, TR | BTS
        TF_ON
NAME single,    nop
NAME stepped,   TF_OFF
NAME stepped_end,       RDMSR   DEBUGCTL
        push    rax
        BTS_END "bts across #DB", SAY_BUFFER 1
;=@plain bts across #DB|debug_iret>stepped
        CHECK   "debugctl across #DB"
        pop     rax
        call    say_hex
;=@plain,!netburst debugctl across #DB|c0
;=@plain,netburst debugctl across #DB|c
        ret

both_rings:
        FRESH_DS 16, -1
        mov     rbx, rsp
        PUSH_USER user
        WRMSR   DEBUGCTL, r14
NAME to_user,   iretq
NAME user,      jmp     user_b
NAME user_b,    jmp     user_int
NAME user_int,  int     0x41
NAME leave_user,        jmp     back
NAME back,      WRMSR   DEBUGCTL, 0
        FROM_USER rbx
        jmp     say_records

NAME call_to,   ret
NAME software,  nop
NAME software_iret,     iretq
NAME undefined, mov     qword [rsp], end
NAME undefined_iret,    iretq
NAME nmi,       nop
NAME nmi_iret,  iretq
debug:  nop
NAME debug_iret,        iretq
NAME pmi,       PMI_SEEN
        push    rax
        mov     rax, [AREA + 8]
        mov     [seen_index], rax
        pop     rax
NAME pmi_iret,  iretq

        PMI_VARIABLES
        VARIABLES seen_index

; Before long mode: records of 24 bytes if DTES64 is set, otherwise 12.
        bits    32
%macro WHEN 2                           ; value of eax, character for ebx then
        cmp     eax, %1
        mov     edx, %2
        cmove   ebx, edx
%endmacro
protected_mode:
        mov     edi, BUFFER
        mov     ecx, 64
        mov     eax, 0xcccccccc
        rep     stosd
        mov     edi, AREA
        mov     ecx, 8
        xor     eax, eax
        rep     stosd
        mov     ecx, 1
        xor     eax, eax
        inc     eax
        cpuid
        test    ecx, 1 << 2
        jz      .narrow
        mov     dword [AREA], BUFFER
        mov     dword [AREA + 8], BUFFER
        mov     dword [AREA + 16], BUFFER + 97
        mov     dword [AREA + 24], BUFFER + 200
        jmp     .go
.narrow:
        mov     dword [AREA], BUFFER
        mov     dword [AREA + 4], BUFFER
        mov     dword [AREA + 8], BUFFER + 49
        mov     dword [AREA + 12], BUFFER + 200
.go:    WRMSR32 DS_AREA, AREA
        WRMSR32 DEBUGCTL, TR | BTS
NAME p1,        jmp     p2
NAME p2,        jmp     p3
NAME p3,        WRMSR32 DEBUGCTL, 0
        mov     esi, .name
.say:   lodsb
        out     0xe9, al
        test    al, al
        jnz     .say
        mov     esi, BUFFER             ; which words are p1, p2 and p3
        mov     ebp, 14
.word:  lodsd
        mov     ebx, '.'
        WHEN    p1, '1'
        WHEN    p2, '2'
        WHEN    p3, '3'
        WHEN    0, '0'
        WHEN    0x10, 'P'
        mov     eax, ebx
        out     0xe9, al
        dec     ebp
        jnz     .word
        ret
.name:  db      10, "bts in protected mode|", 0
;=@plain,dtes64,!nocona bts in protected mode|102000203000..
;=@plain,nocona bts in protected mode|1020P02030P0..
;=@plain,!dtes64,!willamette/@narrow,!netburst bts in protected mode|120230........
;=@plain,willamette/@narrow,netburst bts in protected mode|12P23P........
        bits    64
