; The raw registers of a record, with flags, widths and sign.
;
; A branch is taken in a segment that starts at 1000H, above 4 GiB, and at
; addresses with all upper bits set.  The guest prints by how much FROM and TO
; differ from where the branch and its target were linked.
; classes lbr
%define BEFORE_LONG_MODE protected_mode
%include "guest.inc"

SEEN    equ SPARE + 0x1000              ; FROM and TO in protected mode
HIGH    equ 1 << 32
TOP     equ 0xffffff8000000000

%macro SAY_LESS 2                       ; MSR, less this address
        RDMSR   %1
        mov     ecx, %2
        sub     rax, rcx
        call    say_hex
%endmacro

main:   CHECK   "in a segment"
        mov     rax, [SEEN]
        mov     ecx, seg_from
        sub     eax, ecx
        call    say_hex
        mov     rax, [SEEN + 8]
        mov     ecx, seg_to
        sub     eax, ecx
        call    say_hex
;=offset in a segment|fffff000 fffff000
;=!offset in a segment|0 0

        mov     rax, [TABLES + 0x1000]          ; 4 GiB is 0 again
        mov     [TABLES + 0x1000 + 4 * 8], rax
        mov     qword [TABLES + 511 * 8], TABLES + 0x1000 + 7
        mov     rax, cr3
        mov     cr3, rax

        LBR_ON
        mov     rax, high + HIGH
        jmp     rax
high:   times 12 nop
high_from:
        jmp     high_to
        nop
high_to:
        LBR_OFF
        mov     rax, high_back
        jmp     rax
high_back:
        CHECK   "above 4 GiB"
        mov     r8, high_from
        mov     r9, high_to
        call    say_raw
;=packed,p6 above 4 GiB|0 0
;=!packed,!p6,!goldmont,!zen4 above 4 GiB|100000000 100000000
;=zen4 above 4 GiB|100000000 8000000100000000
;=goldmont above 4 GiB|100000000 4000100000000

        LBR_ON
        mov     rax, top + TOP
        jmp     rax
top:    times 16 nop
top_from:
        jmp     top_to
        nop
top_to:
        LBR_OFF
        mov     rax, top_back
        jmp     rax
top_back:
        CHECK   "upper bits set"
        mov     r8, top_from
        mov     r9, top_to
        call    say_raw
;=packed,p6 upper bits set|0 0
;=core2,penryn,bonnell,silvermont,skylake,arch,nocona,phenom,zen3 upper bits set|ffffff8000000000 ffffff8000000000
;=nehalem,knl upper bits set|7fffff8000000000 ffffff8000000000
;=haswell,broadwell upper bits set|1fffff8000000000 ffffff8000000000
;=goldmont upper bits set|7fffff8000000000 5ff8000000000
;=zen4 upper bits set|1ffff8000000000 81ffff8000000000

%ifdef INFO0
        CHECK   "cycles"
        mov     ebx, 1
        READ_INFO
        movzx   eax, ax
        call    say_hex
;=skylake,arch cycles|5
%endif

%ifdef PAIR
        CHECK   "last branch pair", SAY_LESS 0x1db, top_from
        SAY_LESS 0x1dc, top_to
;=pentium-m,yonah,p6 last branch pair|0 0
;=core2,penryn,bonnell,silvermont,skylake,phenom,zen3,zen4 last branch pair|ffffff8000000000 ffffff8000000000
;=nehalem,knl last branch pair|7fffff8000000000 ffffff8000000000
;=haswell,broadwell last branch pair|1fffff8000000000 ffffff8000000000
;=goldmont last branch pair|7fffff8000000000 5ff8000000000
%endif

        ; The last exception record: the same, without cycles.
        SET_VECTOR 0x40, software
        LBR_ON
        mov     rax, ler + TOP
        jmp     rax
ler:    jmp     ler_to
        nop
ler_to: int     0x40
        LBR_OFF
        mov     rax, ler_back
        jmp     rax
ler_back:
        CHECK   "last exception record", SAY_LESS LER_FROM, ler
        SAY_LESS LER_FROM + 1, ler_to
;=packed,p6 last exception record|0 0
;=core2,penryn,bonnell,silvermont,skylake,arch,nocona,phenom,zen3,zen4 last exception record|ffffff8000000000 ffffff8000000000
;=nehalem,knl,goldmont last exception record|7fffff8000000000 ffffff8000000000
;=haswell,broadwell last exception record|1fffff8000000000 ffffff8000000000
        ret

software:
        iretq

; The newest record, less r8 and r9.
say_raw:
        mov     ebx, 1
        call    lbr_index
        imul    edi, edi, STEP
        mov     ecx, FROM0
        add     ecx, edi
        rdmsr
%ifndef PACKED
        shl     rdx, 32
        or      rax, rdx
        push    rax
        mov     ecx, TO0
        add     ecx, edi
        rdmsr
        shl     rdx, 32
        or      rdx, rax
        pop     rax
%endif
        push    rdx
        sub     rax, r8
        call    say_hex
        pop     rax
        sub     rax, r9
        jmp     say_hex

        bits    32
protected_mode:
%ifdef ARCH
        WRMSR32 LBR_CTL, 0x7f0007
%elifdef EXTN
        WRMSR32 EXTN, 0x40
%else
        WRMSR32 DEBUGCTL, LBR
%endif
        jmp     CODE32_1000:seg_far - 0x1000
seg_far:
        nop
seg_from:
        jmp     seg_to
        nop
seg_to:
%ifdef ARCH
        WRMSR32 LBR_CTL, 0
%elifdef EXTN
        WRMSR32 EXTN, 0
%else
        WRMSR32 DEBUGCTL, 0
%endif
        jmp     CODE32:.flat
.flat:  xor     edi, edi
%ifdef TOS
        mov     ecx, TOS
        rdmsr
        mov     edi, eax
        and     edi, DEPTH - 1
%endif
        mov     dword [SEEN + 4], 0
        mov     dword [SEEN + 12], 0
        mov     ecx, FROM0
        add     ecx, edi
        rdmsr
        mov     [SEEN], eax
        mov     [SEEN + 8], edx
%ifndef PACKED
        mov     ecx, TO0
        add     ecx, edi
        rdmsr
        mov     [SEEN + 8], eax
%endif
        ret
        bits    64
