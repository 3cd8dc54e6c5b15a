; The entries of all 256 vectors: each pushes its number and calls one C function.
%include "kernel/hardware/frame.inc"

bits 64
default rel

%define HAS_ERROR_CODE(v) ((v) == 8 || ((v) >= 10 && (v) <= 14) || (v) == 17 || (v) == 21 || (v) == 29 || (v) == 30)

section .text

global vectors_entry
vectors_entry:                  ; 16 bytes each
%assign v 0
%rep 256
        align   16
    %if !HAS_ERROR_CODE(v)
        push    0
    %endif
        push    strict qword v
        jmp     strict near vectors_save
  %assign v v + 1
%endrep

vectors_save:                   ; lays out struct frame of idt.h
        PUSH_REGISTERS
        mov     rdi, rsp
        mov     rbx, rsp
        and     rsp, -16        ; the C calling convention's alignment
        cld
        call    [vectors_handler]
        mov     rsp, rbx
        POP_REGISTERS
        iretq

section .bss
global vectors_handler
vectors_handler: resq 1         ; void (*)(struct frame *)

section .note.GNU-stack noalloc noexec nowrite progbits
