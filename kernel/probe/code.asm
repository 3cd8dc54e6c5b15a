; A few instructions with which each facility is tried, three branches in seven stops, and a
; long run of taken branches for interrupts that come late.
bits 64
default rel

section .text
global probe_code, probe_jump, probe_target, probe_jcc, probe_ret
global probe_run
        align   16
probe_code:
        xor     eax, eax
probe_jump:
        jmp     short probe_target
        nop                             ; jumped over
probe_target:
        test    eax, eax
probe_jcc:
        jnz     probe_code              ; not taken
probe_ret:
        ret

PROBE_RUN_BRANCHES equ 20000            ; with its call and its return

        align   16
probe_run:
        mov     ecx, PROBE_RUN_BRANCHES - 1
probe_again:
        dec     ecx
        jnz     probe_again
        ret

; A comparison that can fuse with its branch, which is taken.
global probe_fused, probe_fused_jcc, probe_fused_end
        align   16
probe_fused:
        xor     eax, eax
        cmp     eax, 1
probe_fused_jcc:
        jne     probe_fused_end
        nop                             ; jumped over
probe_fused_end:
        ret

section .note.GNU-stack noalloc noexec nowrite progbits
