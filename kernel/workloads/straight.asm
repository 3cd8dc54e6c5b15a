; No branch at all: only the call in and the return.
;
; Every trace of a window has these two records.  A tracer has more here if it calls every stop
; a branch, or looks for branch opcodes where no instruction begins: SETcc and CMOVcc are one
; bit away from Jcc, and the immediates consist of opcodes of jumps, calls and returns.
%include "workload.inc"

WORKLOAD straight, "no branch, only what looks like one"
        mov     eax, 0xc3c2e9e8         ; bytes of CALL, JMP, RET n, RET
        mov     rdx, 0x75ebcc84cfcb0fff ; ...of Jcc, JMP short, INT3, IRET, RETF
        cmp     eax, edx
        setne   cl                      ; 0F 95: JNE is 0F 85
        cmovne  eax, edx                ; 0F 45
        lea     rsi, [rax + 0x7fe275e3] ; JrCXZ, Jcc, LOOP
        xchg    rax, rdx
        test    ecx, ecx
        nop     dword [rax + 0x74cd]    ; INT n, Jcc; reads nothing
.done:  ret

EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
