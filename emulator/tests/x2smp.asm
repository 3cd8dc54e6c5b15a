; x2APIC between processors: INIT and SIPI by 32-bit ID, clusters, NMI, and what
; INIT keeps.  The other processor is the eighteenth, in the second cluster.
; classes core2 skylake zen4
; variants multi=-smp+18+-global+x86_64-cpu.bt-x2apic=auto
%include "guest.inc"
%include "ap.inc"

STACK_B equ 0x238000
BASE    equ 0x1b                        ; IA32_APIC_BASE
ICR     equ 0x830
OTHER   equ 17 << 32

main:
        SET_VECTOR 0x40, counted, 0x41, answers, 2, nmi
        WRMSR   BASE, 0xfee00d00
        WRMSR   0x80f, 0x1ff
        sti

        ; It starts in xAPIC mode, and reports its ID in both modes.
        call    start_other
        AWAIT   ready, 1
        CHECK   "other: base, xapic id, x2apic id, ldr", SAY_HEX [seen_base], [seen_xapic_id], [seen_id], [seen_ldr]
;= other: base, xapic id, x2apic id, ldr|fee00800 11000000 11 10002

        CHECK   "by id, cluster, all"
        WRMSR   ICR, OTHER | 0x40
        AWAIT   count + 17 * 4, 1
        WRMSR   ICR, 0x10002 << 32 | 0x840
        AWAIT   count + 17 * 4, 2
        WRMSR   ICR, 0x10003 << 32 | 0x840
        AWAIT   count + 17 * 4, 3
        WRMSR   ICR, 0xffffffff << 32 | 0x840
        AWAIT   count + 17 * 4, 4
        WRMSR   ICR, 0xffffffff << 32 | 0x40
        AWAIT   count + 17 * 4, 5
        WRMSR   ICR, 0xc0040                    ; all but self
        AWAIT   count + 17 * 4, 6
        ; None of these is for it.
        WRMSR   ICR, 0xff << 32 | 0x40
        WRMSR   ICR, 0x10011 << 32 | 0x40
        WRMSR   ICR, 2 << 32 | 0x840
        WRMSR   ICR, 0x10001 << 32 | 0x840
        WRMSR   ICR, 0xff << 32 | 0x840         ; cluster 0: this processor
        call    ap_wait
        SAY_DWORD [count], [count + 17 * 4]
;= by id, cluster, all|3 6

        CHECK   "answer"
        WRMSR   ICR, OTHER | 0x41
        AWAIT   count, 4
        SAY_DWORD [count]
;= answer|4

        CHECK   "nmi"
        WRMSR   ICR, OTHER | 0x400
        AWAIT   nmis, 1
        SAY_HEX [nmis]
;= nmi|1

        ; INIT keeps the mode, the ID and the logical ID, and nothing else.
        call    start_other
        AWAIT   ready, 2
        CHECK   "after init: base, id, ldr, lvt, svr", SAY_HEX [seen_base], [seen_id], [seen_ldr], [seen_lvt], [seen_svr]
;= after init: base, id, ldr, lvt, svr|fee00c00 11 10002 10000 ff
        cli
        ret

start_other:
        call    ap_install
        WRMSR   ICR, OTHER | 0x4500
        call    ap_wait
        WRMSR   ICR, OTHER | 0x4600 | AP_START >> 12
        ret

other:  mov     esp, STACK_B
        RDMSR   BASE, [seen_base]
        test    eax, 1 << 10
        jnz     .x2apic
        mov     r8d, 0xfee00020
        mov     eax, [r8]
        mov     [seen_xapic_id], rax
        WRMSR   BASE, 0xfee00c00
.x2apic:
        RDMSR   0x802, [seen_id]
        RDMSR   0x80d, [seen_ldr]
        RDMSR   0x834, [seen_lvt]
        RDMSR   0x80f, [seen_svr]
        WRMSR   0x80f, 0x1ff
        WRMSR   0x834, 0x10077
        inc     dword [ready]
.wait:  sti
        hlt
        jmp     .wait

; Interrupts of each processor, by its ID.
counted:
        SAVE    rax, rcx, rdx
        RDMSR   0x802
        lock inc dword [count + rax * 4]
        jmp     ended
answers:
        SAVE    rax, rcx, rdx
        WRMSR   ICR, 0x40
ended:  WRMSR   0x80b, 0
        RESTORE rax, rcx, rdx
        iretq
nmi:    lock inc dword [nmis]
        iretq

        VARIABLES ready, nmis, seen_base, seen_xapic_id, seen_id, seen_ldr, seen_lvt
seen_svr:       dq 0
count:          times 32 dd 0
