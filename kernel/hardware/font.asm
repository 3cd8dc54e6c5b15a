; The glyphs that scripts/font took out of Terminus, in three sizes.  kernel/hardware/font.h
; says how they lie.
global fonts:data hidden

section .rodata
fonts:  incbin "fonts.bin"

section .note.GNU-stack noalloc noexec nowrite progbits
