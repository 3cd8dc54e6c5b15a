; SYSENTER from ring 3 and SYSEXIT back, twice.
;
; SYSENTER saves nothing: RDX and RCX hold where to return.  It clears IF and keeps TF, so its
; handler is stepped (SDM vol. 2, "SYSENTER").  AMD's processors have neither of the two in
; 64-bit mode.  The handler sets IF with STI, whose stop stock QEMU loses (sti.asm).
%include "workload.inc"

WORKLOAD sysenter, "SYSENTER from ring 3 and SYSEXIT back, twice", RING0 | NOT_STOCK
        mov     rbx, rsp
        mov     ebp, 2
        FRAME_RING3 .user
.iret:  iretq
.user:  lea     rdx, [.after]
        mov     rcx, rsp
.enter: sysenter
.after: dec     ebp
.again: jnz     short .user     ; taken while ebp is 1
.last:  sysenter
.end_user:

.entry: sti                     ; interrupts, as before SYSENTER
        test    ebp, ebp
.home:  jz      short .back     ; taken when ebp is 0
.exit:  o64 sysexit
.back:  mov     rsp, rbx
.done:  ret

STUB SYSENTER, .entry
PART .user, .end_user, RING3
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   IRET,  .iret,  .user
        TAKEN   FAR,   .enter, .entry
        TAKEN   FAR,   .exit,  .after
        TAKEN   JCC,   .again, .user
        TAKEN   FAR,   .enter, .entry
        TAKEN   FAR,   .exit,  .after
        TAKEN   FAR,   .last,  .entry
        TAKEN   JCC,   .home,  .back
        TAKEN   RET,   .done,  CALLER
END
