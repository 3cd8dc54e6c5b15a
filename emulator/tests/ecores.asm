; A machine with two kinds of core: each processor describes itself.
; classes alderlake
; variants p=-smp+3 mixed=bt-ecores=1+-smp+3 e=bt-ecores=3+-smp+3 mixedsilicon=bt-silicon=on+bt-smi=0+bt-ecores=1+-smp+3 esilicon=bt-silicon=on+bt-smi=0+bt-ecores=3+-smp+3
%include "guest.inc"
%include "ap.inc"

STACKS  equ SPARE + 0x8000              ; 1000H each
SEEN    equ SPARE + 0x1000              ; 40H each
CPUS    equ 3

%macro SAY_CPU 2                        ; number, name of the check
        CHECK   %2
        mov     ebx, SEEN + (%1) * 0x40
        mov     ebp, 6
%%next: mov     rax, [rbx]
        call    say_hex
        add     ebx, 8
        dec     ebp
        jnz     %%next
%endmacro

main:
        SET_VECTOR 0x40, software
        call    start_others
        call    probe
        AWAIT   done, CPUS

        ; CPUID.1AH, CPUID.1CH:EAX; by how much a record in a segment at 1000H
        ; differs from the linear address; near taken branches by either event,
        ; and branches of INT and IRETQ.
        SAY_CPU 0, "processor 0"
        SAY_CPU 1, "processor 1"
        SAY_CPU 2, "processor 2"
        ret
;=@p,@mixed,@mixedsilicon processor 0|40000001 4000000b 1000 3 0 2
;=@p,@mixed,@mixedsilicon processor 1|40000001 4000000b 1000 3 0 2
;=@p processor 2|40000001 4000000b 1000 3 0 2
;=@e processor 0|20000001 c000000b 0 0 3 2
;=@e processor 1|20000001 c000000b 0 0 3 2
;=@e,@mixed processor 2|20000001 c000000b 0 0 3 2
; Silicon mode: far branches count twice on E-cores.
;=@esilicon processor 0|20000001 c000000b 0 0 3 4
;=@esilicon processor 1|20000001 c000000b 0 0 3 4
;=@esilicon,@mixedsilicon processor 2|20000001 c000000b 0 0 3 4

; Runs a subroutine while the event is counted; the count goes to rdi + %3.
%macro COUNTED 3
        COUNT   SEL_EN | SEL_OS | (%1)
        %2
        WRMSR   SEL0, 0
        RDMSR   CTR0, [rdi + %3]
%endmacro
%macro NEAR 0                           ; JMP, CALL and RET
        jmp     %%a
        nop
%%a:    call    near_ret
%endmacro
%macro FAR 0                            ; INT and IRETQ
        int     0x40
%endmacro

; Describes the processor that runs this, in its entry of SEEN.
probe:  mov     eax, 1
        cpuid
        shr     ebx, 24
        shl     ebx, 6
        lea     edi, [ebx + SEEN]
        CPUID   0x1a, 0
        mov     [rdi], rax
        CPUID   0x1c, 0
        mov     [rdi + 8], rax
        WRMSR   LBR_DEPTH, DEPTH
        WRMSR   LBR_CTL, 0x7f0007
        push    CODE32_1000
        push    seg_in - 0x1000
        o64 retf
        bits    32
seg_in: nop
seg_from:
        jmp     seg_to
        nop
seg_to: jmp     CODE64:seg_out
        bits    64
seg_out:
        WRMSR   LBR_CTL, 0
        RDMSR   FROM0 + 1
        mov     ecx, seg_from
        sub     rcx, rax
        mov     [rdi + 16], rcx
        COUNTED 0x20c4, NEAR, 24
        COUNTED 0xc0c4, NEAR, 32
        COUNTED EV_BRANCHES, FAR, 40
        ret

near_ret:
        ret
software:
        iretq

other:
        CPUID   1
        shr     ebx, 24
        inc     ebx
        shl     ebx, 12
        lea     esp, [ebx + STACKS]
        call    probe
        lock inc dword [done]
        cli
        hlt
        jmp     $

done:   dq      1                       ; counts the first, which is done when it reads it
