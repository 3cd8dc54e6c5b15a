; An NMI of a counter that comes after the counter was turned off.
; classes pmu
; variants none= always=bt-late-nmi=1 some=bt-late-nmi=10 silicon=bt-silicon=on+bt-smi=0
%include "guest.inc"
%include "silicon.inc"

WINDOWS equ 400

; Overflows with the second taken branch from here.
%macro START 1                          ; LVT entry
        LVT_PMI %1
        mov     dword [seen], 0
        OVERFLOW_AFTER 2, EV_TAKEN
%endmacro

; Waits for more instructions than such an NMI can be late.
%macro WAIT 0
        mov     ecx, 15000
%%next: dec     ecx
        jnz     %%next
%endmacro

main:
        SET_VECTOR 2, nmi, 0x50, fixed
        APIC_ON

        xor     r12d, r12d                      ; NMIs after the counter was off
        xor     r13d, r13d                      ; all NMIs
        mov     ebp, WINDOWS
.window:
        START   0x400
        HOP     2
        WRMSR   SEL0, 0
        mov     ebx, [seen]
        WAIT
        mov     eax, [seen]
        add     r13d, eax
        sub     eax, ebx
        add     r12d, eax
        dec     ebp
        jnz     .window
        CHECK   "NMIs, late, of 400", SAY_HEX r13
        SAY_WITHIN r12, 20, 65
        SAY_WITHIN r12, 1, 19
        SAY_WITHIN r12, WINDOWS, WINDOWS
        SAY_WITHIN r12, 0, 0
;=@none/!amd,@silicon NMIs, late, of 400|190 0 0 0 1
;=@always NMIs, late, of 400|190 0 0 1 0
;=@some NMIs, late, of 400|190 1 0 0 0
; One of 50: 8.
;=amd,@silicon NMIs, late, of 400|190 0 1 0 0

        ; How late: at the next overflow, which is turned off at once.
        START   0x400
        HOP     2
        WRMSR   SEL0, 0
        mov     ecx, 450                        ; not before 900 instructions
.some:  dec     ecx
        jnz     .some
        mov     eax, [seen]
        mov     ebx, eax
        WAIT
        CHECK   "before and after", SAY_HEX rbx, [seen]
        SAY_DWORD [r15 + APIC_LVT_PMI]
;=!amd,@none before and after|1 1 10400
;=amd,@none before and after|1 1 400
;=!amd,@always before and after|0 1 10400
;=amd,@always before and after|0 1 400

        ; It is an NMI even if the LVT entry has changed in the meantime.
        START   0x400
        HOP     2
        WRMSR   SEL0, 0
        LVT_PMI 0x10000
        WAIT
        CHECK   "masked since", SAY_HEX [seen]
;= masked since|1

        ; While the counter is on, the NMI comes later, but it comes.
        START   0x400
        HOP     2
        WAIT
        WAIT
        mov     ebx, [seen]
        WRMSR   SEL0, 0
        WAIT
        CHECK   "not turned off", SAY_HEX rbx, [seen]
;= not turned off|1 1

        ; HLT waits for it.
        START   0x400
        HOP     2
        WRMSR   SEL0, 0
        cmp     dword [seen], 0
        jne     .was
        hlt
.was:   CHECK   "HLT", SAY_HEX [seen]
;= HLT|1

        ; Not with a vector.
        xor     r12d, r12d
        mov     ebp, 50
.fixed: START   0x50
        HOP     2
        sti
        WRMSR   SEL0, 0
        cli
        mov     eax, [seen]
        add     r12d, eax
        dec     ebp
        jnz     .fixed
        CHECK   "fixed", SAY_HEX r12
;= fixed|32
        ret

fixed:  EOI
nmi:    inc     dword [seen]
        iretq

seen:   dq      0
