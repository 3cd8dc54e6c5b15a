; WRITES random writes: to registers of branch-trace hardware, with values that
; are bits, addresses or noise, and to the memory they point at, with branches between.
;
; Failures of the guest do not matter: it continues after exceptions, and
; after a reset, with state that it keeps in memory.  QEMU must neither die nor hang.
%include "guest.inc"

KEPT    equ 0x300000                    ; survives a reset: magic, state, count
MAGIC   equ 0x600dcafe

; The next number, in rax (xorshift).
%macro RANDOM 0
        mov     rax, [KEPT + 8]
        mov     rdx, rax
        shl     rdx, 13
        xor     rax, rdx
        mov     rdx, rax
        shr     rdx, 7
        xor     rax, rdx
        mov     rdx, rax
        shl     rdx, 17
        xor     rax, rdx
        mov     [KEPT + 8], rax
%endmacro

main:
        mov     eax, MAGIC
        cmp     [KEPT], rax
        je      .known
        mov     [KEPT], rax
        mov     rax, SEED
        mov     [KEPT + 8], rax
        mov     qword [KEPT + 16], 0
.known: mov     edi, 0
        mov     rax, ignore
.gate:  call    set_vector
        inc     edi
        cmp     edi, 256
        jb      .gate
        mov     rax, ignore_code
%assign v 8
%rep 10
  %if v != 9 && v != 15 && v != 16
        mov     edi, v
        call    set_vector
  %endif
  %assign v v + 1
%endrep
        SET_VECTOR 13, protection, 6, undefined
        APIC_ON
.next:
        RANDOM
        xor     edx, edx
        mov     ecx, msrs_count
        div     rcx
        mov     ebp, [msrs + rdx * 4]
        RANDOM
        mov     r12, rax                ; how the value is made
        RANDOM
        mov     r13, rax
        mov     ecx, r12d
        and     r12d, 0x700
        jz      .write                  ; noise
        cmp     r12d, 0x100
        je      .bit
        cmp     r12d, 0x200
        je      .bits
        cmp     r12d, 0x300
        je      .area
        cmp     r12d, 0x400
        je      .small
        cmp     r12d, 0x500
        je      .debugctl
        cmp     r12d, 0x600
        je      .memory
        mov     ecx, ebp
        rdmsr
        jmp     .branches
.debugctl:
        mov     ebp, DEBUGCTL
        and     r13d, 0xffff
        jmp     .write
.small: and     r13d, 0xff
        jmp     .write
.area:  mov     ebp, DS_AREA
        and     r13d, 0xff8
        add     r13, AREA
        test    ecx, 0xfff000           ; now and then it is anywhere
        jnz     .write
        RANDOM
        mov     r13, rax
        jmp     .write
.bit:   mov     r13d, 1
        shl     r13, cl
        jmp     .write
.bits:  mov     rdx, r13
        shr     rdx, cl
        and     r13, rdx
        RANDOM
        and     r13, rax
        jmp     .write
.memory:                                ; a field of the area
        mov     edx, r13d
        and     edx, 0x1fff
        lea     rdx, [rdx + AREA]
        test    ecx, 0x30000
        jnz     .near
        test    ecx, 0xffc0000
        jnz     .near
        mov     [rdx], r13              ; anywhere too
        jmp     .branches
.near:  shr     r13, 20
        and     r13d, 0x3fff
        add     r13, BUFFER
        mov     [rdx], r13
        jmp     .branches
.write: WRMSR   ebp, r13
        test    r13d, 0x3000
        jnz     .branches
        mov     eax, r13d               ; the LVT: any mode, no exception's vector
        and     eax, 0x107ff
        or      eax, 0x20
        mov     [r15 + APIC_LVT_PMI], eax
.branches:
        call    .leaf
        mov     ecx, 3
.loop:  loop    .loop
        test    r13d, 0x4000
        jz      .no_int
        int     0x40
.no_int:
        test    r13d, 0x18000
        jnz     .no_step
        pushfq
        or      qword [rsp], TF | IF
        popfq
        nop
        call    .leaf
        pushfq
        and     qword [rsp], ~(TF | IF)
        popfq
.no_step:
        xor     ecx, ecx
        rdpmc
        test    r13d, 0xe0000           ; mostly off again
        jz      .count
        WRMSR   DEBUGCTL, 0
.count: inc     qword [KEPT + 16]
        mov     rax, [KEPT + 16]
        test    eax, 0x3ff
        jnz     .more
        mov     al, '.'
        out     0xe9, al
.more:  cmp     qword [KEPT + 16], WRITES
        jb      .next
        WRMSR   DEBUGCTL, 0
        CHECK   "writes", SAY_HEX [KEPT + 16]
        ret
.leaf:  ret

ignore: push    rax
        mov     eax, 0xfee00000
        mov     dword [rax + 0xb0], 0
        pop     rax
        iretq
ignore_code:
        add     rsp, 8
        iretq
; RDPMC of an absent counter.
undefined:
        add     qword [rsp], 2
        iretq
; The #GP handler continues after RDMSR, WRMSR or RDPMC.
protection:
        add     rsp, 8
        push    rax
        push    rcx
        mov     rax, [rsp + 16]
        mov     cx, [rax]
        cmp     cx, 0x300f
        je      .skip
        cmp     cx, 0x320f
        je      .skip
        cmp     cx, 0x330f
        jne     .end
.skip:  add     qword [rsp + 16], 2
.end:   pop     rcx
        pop     rax
        iretq

        align   4
msrs:   dd      0x40, 0x43, 0x47, 0x60, 0x67, 0xc1, 0xc2, 0xc8, 0x186, 0x187, 0x18d
        dd      0x1a0, 0x1c8, 0x1c9, 0x1d7, 0x1d8, 0x1d9, 0x1d9, 0x1d9, 0x1da
        dd      0x1db, 0x1dc, 0x1dd, 0x1de, 0x1e0, 0x309, 0x30a, 0x30b, 0x30c
        dd      0x345, 0x38d, 0x38d, 0x38e, 0x38f, 0x38f, 0x390, 0x391, 0x392
        dd      0x3f1, 0x4c1, 0x4c8, 0x680, 0x69f, 0x6c0, 0x6df
        dd      0xdc0, 0xddf, 0x1200, 0x123f, 0x14ce, 0x14ce, 0x14cf, 0x14cf
        dd      0x1500, 0x153f, 0x1600, 0x163f, 0x1900, 0x1901, 0x1902, 0x191d
        dd      0x193f, 0x1980, 0x1998, 0x199f, 0x30f, 0x34, 0xc000010e, 0xc000010f
        dd      0xc000010f, 0xc0000300, 0xc0000301, 0xc0000302, 0xc0000303
        dd      0xc0010000, 0xc0010003, 0xc0010004, 0xc0010007, 0xc0010200
        dd      0xc0010201, 0xc001020b, 0xc0010300, 0xc001031f
msrs_count equ ($ - msrs) / 4
