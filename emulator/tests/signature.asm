; CPUID.40000000H: the emulator's signature, in silicon mode and otherwise; and
; CPUID.40000001H: what it was told to do beyond its model; and CR4.FRED.
; variants none= silicon=bt-silicon=on quiet=bt-silicon=on+bt-smi=0 parts=bt-skid=100+bt-smi=1000 hidden=bt-silicon=on+tcg-cpuid=off xen=bt-signature=XenVMMXenVMM+bt-smi=1000 short=bt-signature=bhyve+bt-silicon=on fred=bt-fred=on without=branch-trace=none+bt-silicon=on
%include "guest.inc"

main:
        CPUID   0x40000000
        mov     [seen], ebx
        mov     [seen + 4], ecx
        mov     [seen + 8], edx
        CHECK   "signature"
        mov     rsi, seen
        call    say
;=@none,@parts,@without signature|TCGTCGTCGTCG
;=@silicon,@quiet signature|TCG-as-metal
;=@hidden signature|
;=@xen signature|XenVMMXenVMM
;=@short signature|bhyve
        CPUID   0x40000001
        mov     [seen], eax
        mov     [seen + 4], ebx
        mov     [seen + 8], ecx
        mov     [seen + 12], edx
        CHECK   "beyond the model"
        SAY_DWORD [seen], [seen + 4], [seen + 8], [seen + 12]
;=@none,@quiet,@hidden,@without,@xen,@short/via,@silicon/zhaoxin,@silicon beyond the model|0 0 0 0
;=!via,!zhaoxin,@silicon/@parts beyond the model|0 1 0 0

        ; FRED is on, has no effect, and can be written again.
        mov     rax, cr4
        mov     cr4, rax
        mov     r12, cr4
        CHECK   "CR4 bit 32", SAY_BIT r12, 32
;=@none CR4 bit 32|0
;=@fred CR4 bit 32|1
        ret

seen:   dd      0, 0, 0, 0
