; Far transfers between 64-bit and 32-bit code in ring 3: JMP, CALL and RET, both ways.
;
; Each of them changes the mode by the segment that it loads, and leaves one record.
%include "workload.inc"

WORKLOAD compat_far, "far JMP, CALL and RET between code of 64 and 32 bits", RING0 | LOW
        mov     rbx, rsp
        FRAME_RING3 .user
        mov     ecx, COMPAT3    ; far pointers: selector and offset of 32 bits
        shl     rcx, 32
        lea     eax, [.narrow]
        or      rcx, rax
        lea     esi, [.callee]
        lea     edi, [.wide]
.iret:  iretq
.user:  push    rcx
.jmp:   jmp     dword far [rsp]
.wide:  nop
.int:   int     48
.callee:
        nop
.retf:  retf                    ; takes 4 bytes each, as the CALL has put them
.end_user:

bits 32
.narrow:
        add     esp, byte 8
        push    byte CODE3
        push    esi
.call:  call    far [esp]
.next:  add     esp, byte 8
        push    byte CODE3
        push    edi
.back:  retf
.end_narrow:
bits 64

.stub:  FRAME_RING0 .home
.leave: iretq
.home:  nop
.done:  ret

STUB 48, .stub
PART .user, .end_user, RING3
PART .narrow, .end_narrow, RING3 | COMPAT
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   IRET,  .iret,  .user
        TAKEN   FAR,   .jmp,   .narrow
        TAKEN   FAR,   .call,  .callee
        TAKEN   FAR,   .retf,  .next
        TAKEN   FAR,   .back,  .wide
        TAKEN   INT,   .int,   .stub
        TAKEN   IRET,  .leave, .home
        TAKEN   RET,   .done,  CALLER
END
