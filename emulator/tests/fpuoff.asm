; Instructions under CR0.TS: each line is the exceptions in order, 7 for #NM, after which TS
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
%macro TRY_WITH 4+                      ; name, bit of CR0, bit of CR4, instruction
        xor     r12d, r12d              ; the exceptions, a digit each
        mov     r14, %%end
        mov     r15, cr4
        mov     rax, r15
        and     rax, ~(%3)
        mov     cr4, rax
        mov     rax, cr0
        or      rax, %2
        mov     cr0, rax
        mov     eax, 7                  ; the states of XSAVE and XRSTOR
        xor     ecx, ecx
        xor     edx, edx
        %4
%%end:  mov     rax, cr0
        and     rax, ~(CR0_EM | CR0_TS)
        mov     cr0, rax
        mov     cr4, r15
        CHECK   %1, SAY_HEX r12
%endmacro

%macro TRY 2+                           ; name, instruction
        TRY_WITH %1, CR0_TS, 0, %2
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
        mov     edi, XAREA
        mov     ecx, 512
        xor     eax, eax
        rep     stosq
        fninit
        mov     ebx, XAREA

        ; What saves and restores.
        TRY     "xsave", xsave [rbx]
        TRY     "xsave64", xsave64 [rbx]
        TRY     "xsaveopt", xsaveopt [rbx]
        TRY     "xrstor", xrstor [rbx]
        TRY     "xrstor64", xrstor64 [rbx]
        TRY     "fxsave", fxsave [rbx]
        TRY     "fxrstor", fxrstor [rbx]
        TRY     "xgetbv", xgetbv
        TRY     "xsetbv", xsetbv
;= xsave|7
;= xsave64|7
;= xsaveopt|7
;= xrstor|7
;= xrstor64|7
;= fxsave|7
;= fxrstor|7
;= xgetbv|0
;= xsetbv|0

        ; #UD without OSXSAVE, then #NM, then #GP.
        TRY_WITH "xsave without osxsave", CR0_TS, OSXSAVE, xsave [rbx]
        TRY_WITH "xrstor without osxsave", CR0_TS, OSXSAVE, xrstor [rbx]
        TRY     "xsave misaligned", xsave [rbx + 8]
        TRY     "xrstor misaligned", xrstor [rbx + 8]
;= xsave without osxsave|6
;= xrstor without osxsave|6
;= xsave misaligned|7d
;= xrstor misaligned|7d

        ; Nothing is stored or loaded before #NM: what no_fpu saw, and what is there after.
        mov     eax, 1234
        movq    xmm0, rax
        mov     qword [XAREA + 160], 0  ; xmm0 of the area
        TRY     "xsave: xmm0 in memory at #NM, after", xsave [rbx]
        SAY_HEX r13, [XAREA + 160]
        mov     qword [XAREA + 160], 0x5678
        TRY     "xrstor: xmm0 at #NM, after", xrstor [rbx]
        SAY_HEX rbp
        movq    rax, xmm0
        call    say_hex
;= xsave: xmm0 in memory at #NM, after|7 0 4d2
;= xrstor: xmm0 at #NM, after|7 4d2 5678

        ; x87, MMX, 3DNow!
        TRY     "fld1", fld1
        TRY     "fninit", fninit
        TRY     "fnstsw", fnstsw ax
        TRY     "fwait", fwait
        TRY     "movd", movd mm0, eax
        TRY     "movntq", movntq [rbx], mm0
        TRY     "pfadd", pfadd mm0, mm1
        TRY     "emms", emms
        TRY     "femms", femms
;= fld1|7
;= fninit|7
;= fnstsw|7
;= fwait|7
;= movd|7
;= movntq|7
;= pfadd|7
;= emms|7
;= femms|7

        ; SSE and AVX.
        TRY     "movaps", movaps xmm1, xmm2
        TRY     "movups to memory", movups [rbx], xmm1
        TRY     "movq", movq xmm1, rax
        TRY     "ldmxcsr", ldmxcsr [initial_mxcsr]
        TRY     "stmxcsr", stmxcsr [rbx]
        TRY     "vmovaps", vmovaps ymm1, ymm2
        TRY     "vzeroupper", vzeroupper
;= movaps|7
;= movups to memory|7
;= movq|7
;= ldmxcsr|7
;= stmxcsr|7
;= vmovaps|7
;= vzeroupper|7

        ; SSE that has no VEX form.
        TRY     "movq2dq", movq2dq xmm1, mm1
        TRY     "movdq2q", movdq2q mm1, xmm1
        TRY     "cvtpi2ps", cvtpi2ps xmm1, mm1
        TRY     "cvtpi2pd", cvtpi2pd xmm1, mm1
        TRY     "cvtpi2pd from memory", cvtpi2pd xmm1, [rbx]
        TRY     "cvtps2pi", cvtps2pi mm1, xmm1
        TRY     "cvttps2pi", cvttps2pi mm1, xmm1
        TRY     "cvtpd2pi", cvtpd2pi mm1, xmm1
        TRY     "cvttpd2pi", cvttpd2pi mm1, xmm1
        TRY     "extrq of immediates", extrq xmm1, 8, 8
        TRY     "extrq", extrq xmm1, xmm2
        TRY     "insertq of immediates", insertq xmm1, xmm2, 8, 8
        TRY     "insertq", insertq xmm1, xmm2
        TRY     "sha1rnds4", sha1rnds4 xmm1, xmm2, 0
        TRY     "sha256rnds2", sha256rnds2 xmm1, xmm2, xmm0
;= movq2dq|7
;= movdq2q|7
;= cvtpi2ps|7
;= cvtpi2pd|7
;= cvtpi2pd from memory|7
;= cvtps2pi|7
;= cvttps2pi|7
;= cvtpd2pi|7
;= cvttpd2pi|7
;= extrq of immediates|7
;= extrq|7
;= insertq of immediates|7
;= insertq|7
;= sha1rnds4|7
;= sha256rnds2|7

        ; CR0.EM and CR4.OSFXSR.
        TRY_WITH "emms with em", CR0_EM, 0, emms
        TRY_WITH "movq2dq with em", CR0_EM, 0, movq2dq xmm1, mm1
        TRY_WITH "extrq with em", CR0_EM, 0, extrq xmm1, xmm2
        TRY_WITH "emms without osfxsr", 0, OSFXSR, emms
        TRY_WITH "movq2dq without osfxsr", 0, OSFXSR, movq2dq xmm1, mm1
        TRY_WITH "cvtps2pi without osfxsr", 0, OSFXSR, cvtps2pi mm1, xmm1
        TRY_WITH "extrq without osfxsr", 0, OSFXSR, extrq xmm1, xmm2
        TRY_WITH "sha1rnds4 without osfxsr", 0, OSFXSR, sha1rnds4 xmm1, xmm2, 0
;= emms with em|6
;= movq2dq with em|6
;= extrq with em|6
;= emms without osfxsr|0
;= movq2dq without osfxsr|6
;= cvtps2pi without osfxsr|6
;= extrq without osfxsr|6
;= sha1rnds4 without osfxsr|6

        ; What does not use these registers.
        TRY     "movnti", movnti [rbx], eax
        TRY     "sfence", sfence
        TRY     "prefetchnta", prefetchnta [rbx]
        TRY     "popcnt", popcnt eax, eax
;= movnti|0
;= sfence|0
;= prefetchnta|0
;= popcnt|0
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
