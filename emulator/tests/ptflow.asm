; Processor Trace: the packets of control flow.
; SDM vol. 3C, "Trace Packets and Data Types" and "Packet Generation (Detailed
; Description)".
; classes pt
; variants plain icount=-icount+shift=0
%include "guest.inc"
%include "pt.inc"

HIGH    equ 0xffffff8000000000          ; where the first 4 GiB are as well
HIGHER  equ 0x100000000                 ; the first of them once more

main:
        SET_VECTOR 6, undefined, 0x40, software, 0x41, leave_user
        SET_VECTOR 0x50, hardware, 1, debug
        APIC_ON
        call    map_more

        ; A direct jump and a call have no packet, a conditional branch has a bit,
        ; taken or not, and an indirect branch has a TIP.
        PT_BEGIN OS | DIS_RETC, on1
        OVER_NOP jmp
        xor     eax, eax
        jnz     quit
        OVER_NOP jz
        mov     ecx, 2
.loop:  loop    .loop
        jrcxz   .zero
.zero:  JUMP_RAX to1
        call    sub1
NAME back1,     lea     rax, [rel sub1]
        call    rax
NAME back1b,    PT_END  off1, "pt flow"
;=pt pt flow|psb pip:200000 cbr psbend mode:1 pge:on1 tnt:NTTNT tip:to1 tip:back1 tip:sub1 tip:back1b fup:off1 pgd

        ; 8 branches: two short TNT packets, or a long one.
        PT_BEGIN OS, on2
        COUNT_DOWN ecx, 8
        PT_END  off2, "pt tnt 8"
;=pt,!longtnt pt tnt 8|psb pip:200000 cbr psbend mode:1 pge:on2 tnt:TTTTTT tnt:TN fup:off2 pgd
;=longtnt pt tnt 8|psb pip:200000 cbr psbend mode:1 pge:on2 TNT:TTTTTTTN fup:off2 pgd

        ; 48 branches: 47 fill a long packet.
        PT_BEGIN OS, on3
        COUNT_DOWN ecx, 48
        PT_END  off3, "pt tnt 48"
;=pt,!longtnt pt tnt 48|psb pip:200000 cbr psbend mode:1 pge:on3 tnt:TTTTTT tnt:TTTTTT tnt:TTTTTT tnt:TTTTTT tnt:TTTTTT tnt:TTTTTT tnt:TTTTTT tnt:TTTTTN fup:off3 pgd
;=longtnt pt tnt 48|psb pip:200000 cbr psbend mode:1 pge:on3 TNT:TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT tnt:N fup:off3 pgd

        ; INT n and a fault have FUP with their own address, an interrupt and a trap
        ; have it with that of the next instruction.  IRET has TIP.
        PT_BEGIN OS, on4
        nop
NAME int4,      int     0x40
NAME ud4,       ud2
NAME ud4_end,   mov     dword [r15 + APIC_ICR], 0x44050 ; to itself
        sti
        nop
NAME hw4,       nop
        cli
        PT_END  off4, "pt events"
;=pt pt events|psb pip:200000 cbr psbend mode:1 pge:on4 fup:int4 tip:software tip:ud4 fup:ud4 tip:undefined tip:ud4_end fup:hw4 tip:hardware tip:hw4 fup:off4 pgd

        ; #DB: a trap after each instruction, except in its own handler.
        PT_BEGIN OS, on5
        pushfq
        or      qword [rsp], TF
        popfq
        nop
NAME db5,       nop
NAME db5_end,   PT_END  off5, "pt trap"
;=pt pt trap|psb pip:200000 cbr psbend mode:1 pge:on5 fup:db5 tip:debug tip:db5 fup:off5 pgd

        ; A far transfer to another mode: MODE.Exec, then TIP.
        PT_BEGIN OS, on6
        push    CODE32
        push    in32
        retfq
        bits    32
NAME in32,      xor     eax, eax
        jnz     in32
        jmp     CODE64:back6
        bits    64
NAME back6,     PT_END  off6, "pt modes"
;=pt pt modes|psb pip:200000 cbr psbend mode:1 pge:on6 mode:2 tip:in32 tnt:N mode:1 tip:back6 fup:off6 pgd

        ; A segment that starts at 1000H: IP payloads are offsets in CS, or linear.
        PT_BEGIN OS, on7
        push    CODE32_1000
        push    in1000 - 0x1000
        retfq
        bits    32
NAME in1000,    jmp     CODE64:back7
        bits    64
NAME back7,     PT_OFF  off7
        NAME_ADDRESS in1000_offset, in1000 - 0x1000
        CHECK   "pt cs base", call say_pt
;=broadwell,skylake,alderlake pt cs base|psb pip:200000 cbr psbend mode:1 pge:on7 mode:2 tip:in1000_offset mode:1 tip:back7 fup:off7 pgd
;=goldmont,skymont pt cs base|psb pip:200000 cbr psbend mode:1 pge:on7 mode:2 tip:in1000 mode:1 tip:back7 fup:off7 pgd

        ; How many bytes an address takes: after PSB the last IP is 0; then the upper
        ; 48 or 32 bits are as before; or 48 bits and their sign are all.
        mov     byte [show_ip_bytes], '/'
        PT_BEGIN OS | DIS_RETC, on8
        lea     rax, [rel near8]
        jmp     rax
NAME near8,     mov     rax, far8 + HIGHER
        jmp     rax
NAME far8,      mov     rax, high8 + HIGH
        jmp     rax
NAME high8,     mov     rax, low8
        jmp     rax
NAME low8,      PT_OFF  off8
        NAME_ADDRESS far8_higher, far8 + HIGHER
        NAME_ADDRESS high8_high, high8 + HIGH
        CHECK   "pt ip compression", call say_pt
        mov     byte [show_ip_bytes], 0
;=pt pt ip compression|psb pip:200000 cbr psbend mode:1 pge/2:on8 tip/1:near8 tip/3:far8_higher tip/3:high8_high tip/3:low8 fup/1:off8 pgd/0

        ; CPL 0 alone: a change of CPL has no target where it is out of context.
        PT_BEGIN OS, on9
        TO_USER rbp, user9
        xor     eax, eax
        OVER_NOP jz
NAME int9,      int     0x41
NAME back9,     PT_END  off9, "pt cpl 0"
;=pt pt cpl 0|psb pip:200000 cbr psbend mode:1 pge:on9 pgd pge:leave_user tip:back9 fup:off9 pgd

        ; CPL 3 alone: no PIP either.
        PT_BEGIN USER, on10
        TO_USER rbp, user10
        xor     eax, eax
        OVER_NOP jz
NAME int10,     int     0x41
        PT_END  off10, "pt cpl 3"
;=pt pt cpl 3|psb cbr psbend mode:1 pge:user10 tnt:T fup:int10 pgd

        ; MOV CR3 has PIP with the new address, and its TNT before it.
        mov     eax, TABLES2
        mov     rbx, cr3
        PT_BEGIN OS, on11
        test    eax, eax
        mov     eax, TABLES2
        jz      quit
        mov     cr3, rax
        mov     cr3, rbx
        PT_END  off11, "pt cr3"
;=pt pt cr3|psb pip:200000 cbr psbend mode:1 pge:on11 tnt:N pip:2c0000 pip:200000 fup:off11 pgd
        mov     rbx, cr3
        PT_BEGIN USER, on12
        mov     eax, TABLES2
        mov     cr3, rax
        mov     cr3, rbx
        PT_END  off12, "pt cr3 of another cpl"
;=pt pt cr3 of another cpl|psb cbr psbend

        ; Without BranchEn there is no control flow, but there is PIP.
        PT_FRESH 4
        WRMSR   RTIT_CTL, TRACE_EN | TO_TABLE | OS
        mov     rax, cr3
        mov     cr3, rax
        lea     rax, [rel .nothing]
        jmp     rax
.nothing:
        PT_END  off13, "pt without branches"
;=pt pt without branches|psb pip:200000 cbr psbend pip:200000

        ; LBR while TraceEn = 1: on Broadwell and Skylake it records nothing, its
        ; registers read 0 and ignore writes, and it is clear after.
        LBR_ON
NAME lbr_from,  jmp     lbr_to
NAME lbr_to
        PT_FRESH 4
        WRMSR   RTIT_CTL, TRACE_EN | TO_TABLE
NAME lbr_from3, jmp     lbr_to3
NAME lbr_to3
  %ifdef TOS
        mov     ecx, TO0 + 1            ; the first record is the second entry
  %else
        mov     ecx, TO0
  %endif
        rdmsr
        mov     ebp, eax
        WRMSR   RTIT_CTL, 0
NAME lbr_from2, jmp     lbr_to2
NAME lbr_to2,   LBR_OFF
        CHECK   "pt and lbr"
        neg     ebp
        SAY_IF  c
        SAY_LBR 3
;=broadwell,skylake pt and lbr|0 ?0>?0 ?0>?0 lbr_from2>lbr_to2
;=goldmont,alderlake,skymont pt and lbr|1 lbr_from>lbr_to lbr_from3>lbr_to3 lbr_from2>lbr_to2
        jmp     quit

; The first 4 GiB at two more places; and a second root.
map_more:
        mov     qword [TABLES + 511 * 8], TABLES + 0x1000 + 7
        mov     qword [TABLES + 0x1000 + 4 * 8], TABLES + 0x2000 + 7
        COPY_TABLES
        mov     rax, cr3
        mov     cr3, rax
        ret

NAME sub1,      ret

NAME software,  iretq

NAME undefined, mov     qword [rsp], ud4_end
        iretq
NAME hardware,  EOI
        iretq

NAME debug,     and     qword [rsp + 16], ~(TF)
        iretq

NAME leave_user,        pop     rdx
        FROM_USER rbp
        jmp     rdx
