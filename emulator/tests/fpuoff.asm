; Instructions under CR0.TS: each prints its exceptions in order, 7 for #NM, after which TS
; is cleared and the instruction begins again; 6 for #UD and d for #GP, which end it.
; SDM vol. 1, "Operation of XSAVE" and "Operation of XRSTOR"; SDM vol. 2, the instructions;
; SDM vol. 3, "Exception Conditions of Legacy SIMD Instructions Operating on MMX Registers";
; APM vol. 4 for EXTRQ and INSERTQ; APM vol. 5 for 3DNow! and FEMMS.
; classes skylake zen4
; variants all=sse4a=on+3dnow=on+sha-ni=on
%include "guest.inc"

CR0_MP  equ 1 << 1
CR0_EM  equ 1 << 2
CR0_TS  equ 1 << 3
OSFXSR  equ 1 << 9
OSXSAVE equ 1 << 18
XAREA   equ SPARE + 0x8000

; Runs an instruction with a bit of CR0 set and a bit of CR4 clear.
%macro TRY_WITH 3+                      ; bit of CR0, bit of CR4, instruction
        xor     r12d, r12d              ; the exceptions, a digit each
        mov     r14, %%end
        mov     r15, cr4
        mov     rax, r15
        and     rax, ~(%2)
        mov     cr4, rax
        mov     rax, cr0
        or      rax, %1
        mov     cr0, rax
        mov     eax, 7                  ; the states of XSAVE and XRSTOR
        xor     ecx, ecx
        xor     edx, edx
        %3
%%end:  mov     rax, cr0
        and     rax, ~(CR0_EM | CR0_TS)
        mov     cr0, rax
        mov     cr4, r15
        SAY_HEX r12
%endmacro

%macro TRY 1+
        TRY_WITH CR0_TS, 0, %1
%endmacro

main:
        SET_VECTOR 6, invalid, 7, no_fpu, 13, protection
        mov     rax, cr0
        or      rax, CR0_MP
        mov     cr0, rax
        mov     rax, cr4
        or      rax, OSFXSR | OSXSAVE
        mov     cr4, rax
        xor     ecx, ecx
        xor     edx, edx
        mov     eax, 7                  ; x87, SSE, AVX
        xsetbv
        CLEAR   XAREA, 512
        fninit
        mov     ebx, XAREA

        ; What saves and restores.
        CHECK   "what saves and restores"
        TRY     xsave [rbx]
        TRY     xsave64 [rbx]
        TRY     xsaveopt [rbx]
        TRY     xrstor [rbx]
        TRY     xrstor64 [rbx]
        TRY     fxsave [rbx]
        TRY     fxrstor [rbx]
        TRY     xgetbv
        TRY     xsetbv
;= what saves and restores|7*7 0*2

        ; #UD without OSXSAVE, then #NM, then #GP.
        CHECK   "without osxsave, misaligned"
        TRY_WITH CR0_TS, OSXSAVE, xsave [rbx]
        TRY_WITH CR0_TS, OSXSAVE, xrstor [rbx]
        TRY     xsave [rbx + 8]
        TRY     xrstor [rbx + 8]
;= without osxsave, misaligned|6*2 7d*2

        ; Nothing is stored or loaded before #NM: what no_fpu saw, and what is there after.
        mov     eax, 1234
        movq    xmm0, rax
        mov     qword [XAREA + 160], 0  ; xmm0 of the area
        CHECK   "xsave: xmm0 in memory at #NM, after", TRY xsave [rbx]
        SAY_HEX r13, [XAREA + 160]
        mov     qword [XAREA + 160], 0x5678
        CHECK   "xrstor: xmm0 at #NM, after", TRY xrstor [rbx]
        SAY_HEX rbp
        movq    rax, xmm0
        call    say_hex
;= xsave: xmm0 in memory at #NM, after|7 0 4d2
;= xrstor: xmm0 at #NM, after|7 4d2 5678

        ; x87, MMX, 3DNow!
        CHECK   "x87, mmx, 3dnow"
        TRY     fld1
        TRY     fninit
        TRY     fnstsw ax
        TRY     fwait
        TRY     movd mm0, eax
        TRY     movntq [rbx], mm0
        TRY     pfadd mm0, mm1
        TRY     emms
        TRY     femms
;= x87, mmx, 3dnow|7*9

        ; SSE and AVX.
        CHECK   "sse, avx"
        TRY     movaps xmm1, xmm2
        TRY     movups [rbx], xmm1
        TRY     movq xmm1, rax
        TRY     ldmxcsr [initial_mxcsr]
        TRY     stmxcsr [rbx]
        TRY     vmovaps ymm1, ymm2
        TRY     vzeroupper
;= sse, avx|7*7

        ; SSE that has no VEX form.
        CHECK   "sse without a vex form"
        TRY     movq2dq xmm1, mm1
        TRY     movdq2q mm1, xmm1
        TRY     cvtpi2ps xmm1, mm1
        TRY     cvtpi2pd xmm1, mm1
        TRY     cvtpi2pd xmm1, [rbx]
        TRY     cvtps2pi mm1, xmm1
        TRY     cvttps2pi mm1, xmm1
        TRY     cvtpd2pi mm1, xmm1
        TRY     cvttpd2pi mm1, xmm1
        TRY     extrq xmm1, 8, 8
        TRY     extrq xmm1, xmm2
        TRY     insertq xmm1, xmm2, 8, 8
        TRY     insertq xmm1, xmm2
        TRY     sha1rnds4 xmm1, xmm2, 0
        TRY     sha256rnds2 xmm1, xmm2, xmm0
;= sse without a vex form|7*15

        ; CR0.EM and CR4.OSFXSR.
        CHECK   "with em, without osfxsr"
        TRY_WITH CR0_EM, 0, emms
        TRY_WITH CR0_EM, 0, movq2dq xmm1, mm1
        TRY_WITH CR0_EM, 0, extrq xmm1, xmm2
        TRY_WITH 0, OSFXSR, emms
        TRY_WITH 0, OSFXSR, movq2dq xmm1, mm1
        TRY_WITH 0, OSFXSR, cvtps2pi mm1, xmm1
        TRY_WITH 0, OSFXSR, extrq xmm1, xmm2
        TRY_WITH 0, OSFXSR, sha1rnds4 xmm1, xmm2, 0
;= with em, without osfxsr|6*3 0 6*4

        ; What does not use these registers.
        CHECK   "what does not use them"
        TRY     movnti [rbx], eax
        TRY     sfence
        TRY     prefetchnta [rbx]
        TRY     popcnt eax, eax
;= what does not use them|0*4
        ret

        align   8
initial_mxcsr:
        dd      0x1f80

no_fpu: shl     r12, 4
        or      r12, 7
        clts
        mov     r13, [XAREA + 160]
        movq    rbp, xmm0
        iretq

protection:
        shl     r12, 4
        or      r12, 13
        add     rsp, 8
        mov     [rsp], r14
        iretq

invalid:
        shl     r12, 4
        or      r12, 6
        mov     [rsp], r14
        iretq
