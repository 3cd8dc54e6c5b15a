; A ROM in place of a machine's firmware: it writes a file to COM1 and ends QEMU, in a tenth of a
; second.  QEMU's `-serial stdio` treats a terminal in the same way whatever the machine is.
bits 16
org 0
%define SIZE    0x10000

start:  cli
        mov     ax, cs          ; the ROM's last 64 KiB
        mov     ds, ax
        mov     si, said
.next:  cmp     si, said_end
        je      .over
        mov     dx, 0x3fd       ; line status
.full:  in      al, dx
        test    al, 0x20        ; the transmitter is empty
        jz      .full
        lodsb
        mov     dx, 0x3f8
        out     dx, al
        jmp     .next
.over:  mov     dx, 0xf4        ; isa-debug-exit
        out     dx, al
        hlt

said:   incbin  SAID
said_end:
        times SIZE-16-($-$$) db 0
        jmp     0xf000:start    ; where the processor begins
        times SIZE-($-$$) db 0
