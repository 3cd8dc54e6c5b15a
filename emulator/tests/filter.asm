; LBR_SELECT and IA32_LBR_CTL: which kinds of branch, and into which ring.
; classes select
%include "guest.inc"

; One branch of each kind, in ring 0; r14 is the filter.
%ifdef ARCH
  %define ALL           0x7f0007
%else
  %define ALL           0
%endif

%macro SHOW 2-3 workload                ; name, filter, subroutine
        CHECK   %1
        mov     r14, %2
        call    %3
        call    say_found
%endmacro

main:
        SET_VECTOR 0x40, software, 0x41, leave_user

        SHOW    "lbr all", ALL
;= lbr all|jcc>call call>callee callee>icall icall>icallee icallee>ijmp ijmp>jmp jmp>int int>software software>off
%ifdef ARCH
        ; Set bits select kinds.
        SHOW    "only jcc", 3 | 1 << 16
        SHOW    "only jmp", 3 | 1 << 17
        SHOW    "only indirect jmp", 3 | 1 << 18
        SHOW    "only call", 3 | 1 << 19
        SHOW    "only indirect call", 3 | 1 << 20
        SHOW    "only ret", 3 | 1 << 21
        SHOW    "only far", 3 | 1 << 22
        SHOW    "no type", 3
%else
        ; Set bits suppress kinds.
        SHOW    "only jcc", 0x1fc & ~(1 << 2)
        SHOW    "only call", 0x1fc & ~(1 << 3)
        SHOW    "only indirect call", 0x1fc & ~(1 << 4)
        SHOW    "only ret", 0x1fc & ~(1 << 5)
        SHOW    "only indirect jmp", 0x1fc & ~(1 << 6)
        SHOW    "only jmp", 0x1fc & ~(1 << 7)
        SHOW    "only far", 0x1fc & ~(1 << 8)
        SHOW    "no type", 0x1fc
%endif
;= only jcc|jcc>call
;= only jmp|jmp>int
;= only indirect jmp|ijmp>jmp
;= only call|call>callee
;= only indirect call|icall>icallee
;= only ret|callee>icall icallee>ijmp
;= only far|int>software software>off
;= no type|

%ifdef ARCH
  %define RING0         0x7f0003
  %define RING3         0x7f0005
  %define NO_RING       0x7f0001
%else
  %define RING0         2
  %define RING3         1
  %define NO_RING       3
%endif
        SHOW    "both rings", ALL, both_rings
;= both rings|to_user>user user>user_b user_b>leave_user leave_jmp>left
        SHOW    "ring 0", RING0, both_rings
;=!arch ring 0|user_b>leave_user leave_jmp>left
; (Architectural LBR hides where in a filtered ring a branch was.)
;=arch ring 0|?ffffffffffffffff>leave_user leave_jmp>left
        SHOW    "ring 3", RING3, both_rings
;=!arch ring 3|to_user>user user>user_b
;=arch ring 3|?ffffffffffffffff>user user>user_b
        SHOW    "no ring", NO_RING, both_rings
;= no ring|

%ifdef CALL_STACK
        ; Call-stack mode: returns take the newest away, +0 calls do not count.
  %ifdef ARCH
        mov     r14, 7 | 1 << 3 | 7 << 19
  %else
        mov     r14, 0x3c4
  %endif
        call    on
NAME deep,      call    deep_a
NAME deep_back, call    zero
zero:   pop     rax
NAME second,    call    deep_b
NAME never,     nop
NAME deep_a,    call    leaf
        jmp     deep_ret
deep_ret:
        ret
NAME deep_b,    call    leaf
NAME third,     call    deep_c
        nop
NAME deep_c,    LBR_OFF_UNFILTERED
        add     rsp, 16
        CHECK   "call stack", SAY_LBR 3
;=callstack call stack|?0>?0 second>deep_b third>deep_c
%endif
        ret

leaf:   ret

workload:
        mov     r8, icallee
        mov     r9, jmp
        call    on
        xor     eax, eax
NAME jcc,       jz      call
        nop
NAME call,      call    callee
NAME icall,     call    r8
NAME ijmp,      jmp     r9
        nop
NAME jmp,       JUMP    int
        int     0x40
NAME off,       LBR_OFF_UNFILTERED
        ret

; Clears the stack and turns it on, with filter r14.  Records the return from here.
on:
        call    lbr_clear
        LBR_ENABLE_FILTERED r14, r14
on_ret: ret

NAME callee,    ret
NAME icallee,   ret
NAME software,  iretq

both_rings:
        mov     rbp, rsp
        PUSH_USER user
        call    on
NAME to_user,   iretq
NAME user,      JUMP    user_b
        int     0x41
NAME leave_user,        nop
NAME leave_jmp, jmp     left
NAME left,      FROM_USER rbp
        LBR_OFF_UNFILTERED
        ret

; All records that are not empty, except the return from `on`.
say_found:
        mov     ebx, DEPTH
.next:  call    read_record
        test    rdx, rdx
        jz      .empty
        cmp     rax, on_ret
        je      .empty
        call    say_record
.empty: dec     ebx
        jnz     .next
        ret
