; The last exception record's TO, bits 63:61 of which Broadwell has wrong: they are never
; those of a sign.  Neither are bits 63:57 of AMD's pair and last exception record.
; classes lbr
; variants none= on=bt-ler-to-top=on pair=bt-pair-top=on silicon=bt-silicon=on+bt-smi=0 without=bt-silicon=on+bt-smi=0+bt-ler-to-top=off+bt-pair-top=off
%include "guest.inc"

HIGH    equ 0xffff800000000000          ; the same memory once more

; Of FROM bits 60:47, of TO these and bits 63:61; then the addresses without them, and bits
; 63:61 of TO of the older record.
%macro SAY_LER 1
        CHECK   %1
        RDMSR   LER_FROM, r12
        RDMSR   LER_FROM + 1, r13
        mov     rbx, r12
        call    say_middle
        mov     rbx, r13
        call    say_middle
        mov     rax, r13
        shr     rax, 61
        call    say_hex
        mov     eax, r12d
        mov     edx, r13d
        call    say_record
%endmacro

main:
        SET_VECTOR 0x40, software
        mov     qword [TABLES + 8 * 256], TABLES + 0x1000 + 7

        LBR_ON
NAME low_from,  jmp     low_to
        nop
NAME low_to,    int     0x40
        LBR_OFF
        SAY_LER "below"
;=@none,@without/@on,p6,packed/@silicon,!broadwell,!zen4 below|0 0 0 low_from>low_to
;=@on,!p6,!packed/@silicon,broadwell below|0 0 7 low_from>low_to
;=amd,@pair/zen4,@silicon below|3c00 3c00 7 low_from>low_to

        LBR_ON
        mov     rax, HIGH + high_from
        jmp     rax
NAME high_from, jmp     high_to
        nop
NAME high_to,   int     0x40
        mov     rax, high_end
        jmp     rax
high_end:
        LBR_OFF
        SAY_LER "above"
;=@none,@without,!p6,!packed/@silicon,!broadwell,!zen4,!p6,!packed above|3fff 3fff 7 high_from>high_to
;=@on,!p6,!packed/@silicon,broadwell above|3fff 3fff 0 high_from>high_to
;=amd,@pair/zen4,@silicon above|3ff 3ff 0 high_from>high_to
;=p6,packed above|0 0 0 high_from>high_to

%ifdef AMD
        CHECK   "pair, bits 63:57"      ; the jump from there to high_end
        RDMSR   0x1db, r12
        RDMSR   0x1dc, r13
        shr     r12, 57
        shr     r13, 57
        SAY_HEX r12, r13
%endif
;=amd,@none pair, bits 63:57|7f 0
;=amd,@pair/zen4,@silicon pair, bits 63:57|0 7f

%if DEPTH >= 4
  %ifndef PACKED
        ; The stack's TO is right: this is the record that LER has.
        LBR_ON
        mov     rax, HIGH + .high
        jmp     rax
.high:  jmp     .next
.next:  int     0x40
        LBR_OFF
        CHECK   "above, stack"
        READ_RECORD 3
        SAY_BIT rdx, 61
        READ_RECORD 3
        SAY_BIT rdx, 63
;=!p6,!packed,!one above, stack|1 1
  %endif
%endif
        ret

say_middle:                             ; bits 60:47 of rbx
        mov     rax, rbx
        shr     rax, 47
        and     eax, 0x3fff
        jmp     say_hex

software:
        iretq
