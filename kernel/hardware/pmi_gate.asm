; The gate of the performance-monitoring interrupt.  pmi_gate.h tells what it is for.
;
; Until recording is off nothing branches here, and once it is on again nothing except the
; IRETQ: what the interrupt leaves in a trace is its own entry and that.  OWN_ENTRY_INSNS
; and OWN_RETURN_INSNS of common/facts/pmu.h count the instructions on the way in and out.
%include "kernel/hardware/frame.inc"

bits 64
default rel

section .text

global pmi_gate_entry, pmi_gate_return
        align   16
pmi_gate_entry:                              ; lays out struct frame of idt.h
        push    0                       ; no error code
        push    qword [pmi_vector]
        PUSH_REGISTERS
        mov     ecx, [pmi_msr]
        rdmsr
        mov     [pmi_interrupted], eax  ; off already, where the window was over
        mov     [pmi_interrupted + 4], edx
        mov     eax, [pmi_off]
        mov     edx, [pmi_off + 4]
        wrmsr
        mov     ecx, [pmi_counter]
        mov     eax, [pmi_counter_off]
        mov     edx, [pmi_counter_off + 4]
        wrmsr
        mov     rdi, rsp
        mov     rbx, rsp
        and     rsp, -16                ; the C calling convention's alignment
        cld
        call    [pmi_handler]
        mov     rsp, rbx
        mov     ecx, [pmi_msr]
        mov     eax, [pmi_interrupted]
        mov     edx, [pmi_interrupted + 4]
        wrmsr
        mov     ecx, [pmi_counter]
        mov     eax, [pmi_counter_on]
        mov     edx, [pmi_counter_on + 4]
        wrmsr
        POP_REGISTERS
pmi_gate_return:
        iretq

section .bss
global pmi_handler, pmi_vector, pmi_msr, pmi_off, pmi_interrupted
global pmi_counter, pmi_counter_on, pmi_counter_off
pmi_handler:     resq 1                 ; void (*)(struct frame *)
pmi_vector:      resq 1
pmi_msr:         resq 1
pmi_off:         resq 1                 ; the value that stops recording
pmi_interrupted: resq 1                 ; what the register held when the interrupt came
pmi_counter:     resq 1                 ; what counts beside it, or the same register
pmi_counter_on:  resq 1                 ; what it holds when the interrupt is over
pmi_counter_off: resq 1

section .note.GNU-stack noalloc noexec nowrite progbits
