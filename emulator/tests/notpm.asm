; Where a TPM would be: nobody answers, so that all bits read 1, after a write, too.
; classes skylake zen4
; variants pc= q35=-machine+q35
%include "guest.inc"

TPM     equ 0xfed40000
TPM_END equ 0xfed45000
INTERFACE_ID equ 0x30

main:
        mov     ebx, TPM
        mov     ebp, TPM_END
        CHECK   "1, 2, 4, 8 bytes", call say_sizes
;= 1, 2, 4, 8 bytes|ff ffff ffffffff ffffffffffffffff

        CHECK   "identifier of the interface", SAY_HEX [rbx + INTERFACE_ID]
;= identifier of the interface|ffffffffffffffff

        CHECK   "across 4 and 8 bytes", SAY_DWORD [rbx + 2]
        SAY_HEX [rbx + 5]
;= across 4 and 8 bytes|ffffffff ffffffffffffffff

        CHECK   "after writes"
        mov     byte [rbx], 0
        mov     word [rbx + 2], 0
        mov     dword [rbx + 4], 0
        mov     qword [rbx], 0
        call    say_sizes
;= after writes|ff ffff ffffffff ffffffffffffffff

        CHECK   "last bytes", SAY_HEX [rbp - 8]
;= last bytes|ffffffffffffffff

        ; Unassigned memory, as in stock QEMU.
        CHECK   "before and behind", SAY_HEX [rbx - 8], [rbp]
;= before and behind|0 0

        CHECK   "bytes that are not FF"
        mov     esi, TPM
        xor     edi, edi
.next:  lodsb
        cmp     al, 0xff
        setne   al
        movzx   eax, al
        add     edi, eax
        cmp     esi, ebp
        jb      .next
        SAY_HEX rdi
;= bytes that are not FF|0
        ret

say_sizes:
        movzx   eax, byte [rbx]
        call    say_hex
        movzx   eax, word [rbx]
        call    say_hex
        SAY_DWORD [rbx]
        SAY_HEX [rbx]
        ret
