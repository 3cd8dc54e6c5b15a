; Entries of AMD's version 2 stack whose branch did not retire: V = 0, S = 1, or
; bogus (TO[61]).  They take up slots; the other entries do not change.
; classes zen4
; variants none= eighth=bt-wrong-path=8 always=bt-wrong-path=1 silicon=bt-silicon=on+bt-smi=0+bt-sibling=off+bt-double-newest=0
%include "guest.inc"
%include "silicon.inc"

WINDOWS equ 400

; The entry rbx of the stack: rax FROM, rdx TO.
%macro ENTRY 0
        mov     ecx, FROM0
        lea     ecx, [rcx + rbx * 2]
        RDMSR   ecx, r8
        mov     ecx, TO0
        lea     ecx, [rcx + rbx * 2]
        RDMSR   ecx
        mov     rdx, rax
        mov     rax, r8
%endmacro

main:
        ; Each window has the real entries in order, the others before them.
        xor     r12d, r12d              ; windows in which all entries retired
        xor     r13d, r13d              ; entries that did not retire
        xor     r14d, r14d              ; bogus entries
        xor     r15d, r15d              ; windows whose real entries are not right
        mov     ebp, WINDOWS
window: push    rbp
        LBR_ON
NAME a,         jmp     b
NAME b,         jmp     c
NAME c,         jmp     d
NAME d,         LBR_OFF
        xor     ebx, ebx                ; newest first
        mov     rsi, expected
        xor     ebp, ebp                ; of this window
.next:  ENTRY
        bt      rdx, 61
        jc      .bogus
        bt      rdx, 63
        jc      .real
        bt      rdx, 62
        jc      .wrong
        inc     r15d                    ; ended before all were there
        jmp     .done
.bogus: inc     r14d
        bt      rdx, 63
        jc      .wrong
        inc     r15d
.wrong: inc     ebp
        inc     r13d
        jmp     .older
.real:  shl     rdx, 7                  ; without flags
        shr     rdx, 7
        shl     rax, 7
        shr     rax, 7
        cmp     rax, [rsi]
        jne     .false
        cmp     rdx, [rsi + 8]
        jne     .false
        add     rsi, 16
        cmp     rsi, expected_end
        je      .done
.older: inc     ebx
        cmp     ebx, DEPTH
        jb      .next
.false: inc     r15d
.done:  test    ebp, ebp
        jnz     .had
        inc     r12d
.had:   pop     rbp
        dec     ebp
        jnz     window

        CHECK   "windows that are not right", SAY_HEX r15
;= windows that are not right|0
        ; 3 records a window.  The newest entry always retired; entries older than the
        ; window's oldest record are not looked at.
        CHECK   "entries that did not retire", SAY_HEX r13
;=@none entries that did not retire|0
;=@always entries that did not retire|320
        CHECK   "entries that did not retire, about"
        SAY_WITHIN r13, 60, 140                 ; 800 / 8
        SAY_WITHIN r13, 25, 80                  ; 800 / 16
        SAY_WITHIN r14, 1, 30
;=@none/@always entries that did not retire, about|0 0 0
;=@eighth entries that did not retire, about|1 0 1
;=@silicon entries that did not retire, about|0 1 1
        CHECK   "windows without", SAY_WITHIN r12, WINDOWS, WINDOWS
        SAY_WITHIN r12, 0, 0
;=@none windows without|1 0
;=@eighth/@silicon windows without|0 0
;=@always windows without|0 1

        ; Each takes up a slot: of 20 records 8 are left when each has one.
        LBR_ON
        COUNT_DOWN ecx, 21
        LBR_OFF
        xor     ebx, ebx
        xor     r12d, r12d
.slot:  ENTRY
        bt      rdx, 61
        jc      .not
        bt      rdx, 63
        jnc     .not
        inc     r12d
.not:   inc     ebx
        cmp     ebx, DEPTH
        jb      .slot
        CHECK   "real ones in a full stack", SAY_HEX r12
;=@none real ones in a full stack|10
;=@always real ones in a full stack|8

        ; Bit 61 does not store what software writes.
        WRMSR   TO0, 7 << 61
        CHECK   "written", SAY_MSR TO0
;= written|c000000000000000
        ret

expected:
        dq      c, d, b, c, a, b
expected_end:
