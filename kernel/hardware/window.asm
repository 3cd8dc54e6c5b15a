; The instant around the traced call.  window.h tells what it is for.
;
; From the WRMSR or POPFQ that turns a method on to the one that turns it off
; nothing branches here but the call and what it calls.  OWN_WINDOW_INSNS and
; OWN_WINDOW_JCCS of common/facts/pmu.h count what a counter of its own runs through; logs of
; other kernels are judged by them, so a change here changes what a log means.
bits 64
default rel

MARK_OPEN  equ 0x45564252       ; displacements of a long NOP by which an observer
MARK_CLOSE equ 0x45564243       ; outside the processor sees the window open and close

struc enable                    ; struct enable of window.h
        .msr    resq 1
        .on     resq 1
        .off    resq 1
        .rflags resq 1
        .counter resq 1
        .counter_on resq 1
        .counter_off resq 1
endstruc

RFLAGS_OUTSIDE equ 0x002        ; no TF, no IF: only the bit that is always 1

section .text

; void window_enter(const struct enable *, const uint8_t *code, const struct workload_env *)
global window_enter, window_on, window_open, window_call, window_back, window_uncounted, window_end
window_enter:
        push    rbx
        push    rbp
        push    r12
        push    r13
        push    r14
        push    r15
        push    rdi
        mov     [window_stack], rsp     ; where window_abort comes back to
        mov     r10, rdx
        mov     r11, rsi
        push    qword [rdi + enable.rflags]
        mov     eax, [rdi + enable.on]
        mov     edx, [rdi + enable.on + 4]
        mov     ecx, [rdi + enable.msr]
        mov     r8d, [rdi + enable.counter]
        mov     r9d, [rdi + enable.counter_on]
        mov     ebx, [rdi + enable.counter_on + 4]
        mov     rdi, r10                ; what the workload is lent
        cld
        test    ecx, ecx
        jz      short window_armed      ; nothing records yet
        wrmsr
window_on:
        mov     ecx, r8d
        mov     eax, r9d
        mov     edx, ebx
        wrmsr
window_armed:
window_open:
        nop     dword [rax + MARK_OPEN]
        popfq                           ; with TF: the first trap comes after the call
window_call:
        call    r11
window_back:
        nop     dword [rax + MARK_CLOSE]
        mov     [window_result], rax    ; what a program returned
        push    byte RFLAGS_OUTSIDE
        popfq
        pop     rdi
        mov     ecx, [rdi + enable.counter]
        mov     eax, [rdi + enable.counter_off]
        mov     edx, [rdi + enable.counter_off + 4]
        test    ecx, ecx
        jz      short window_end
        wrmsr
window_uncounted:
        mov     ecx, [rdi + enable.msr]
        mov     eax, [rdi + enable.off]
        mov     edx, [rdi + enable.off + 4]
        wrmsr
window_end:
        mov     qword [window_stack], 0
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     rbp
        pop     rbx
        cld
        ret

section .bss
global window_stack
global window_result
window_result: resq 1
window_stack: resq 1                    ; RSP to leave with; 0 while no window is open

section .note.GNU-stack noalloc noexec nowrite progbits
