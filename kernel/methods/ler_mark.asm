; An event and the branch before it, which no workload has: what ler.c puts into the last
; exception record, and the probe finds there.
;
; The event is a divide error: every manual says that exceptions update the record, and no
; hypervisor has a reason to intercept this one.  A third place has an INT; only the manual of
; architectural LBR says that it updates the record.
bits 64
default rel

VECTOR_LER_MARK equ 0x31                ; as registers.h has it
DIV_BYTES       equ 2

section .text
%macro PLACE 2+                         ; number, instruction that makes the event
global ler_code_%1, ler_jump_%1, ler_event_%1
        align   16
ler_code_%1:
        xor     ecx, ecx
ler_jump_%1:
        jmp     short ler_event_%1
        nop                             ; jumped over
ler_event_%1:
        %2
        ret
%endmacro

        PLACE   0, div ecx
        PLACE   1, div ecx
        PLACE   2, int VECTOR_LER_MARK

global ler_fault, ler_stub
ler_fault:
        add     qword [rsp], DIV_BYTES  ; the division is passed over
ler_stub:
        iretq

section .note.GNU-stack noalloc noexec nowrite progbits
