; Branches that push out whatever a stack of last-branch records held before.
;
; Some stacks cannot be written (AMD's pair, NetBurst's by its manual), so they
; are emptied by filling every entry with a FROM that is known to be from here.
bits 64
default rel

DEEPEST equ 64                  ; entries of the largest stack there is

section .text
global stack_flush, stack_flush_end
stack_flush:
%rep DEEPEST
        jmp     short $ + 2             ; to the next instruction
%endrep
        ret
stack_flush_end:

section .note.GNU-stack noalloc noexec nowrite progbits
