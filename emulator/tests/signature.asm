; CPUID.40000000H: the emulator's signature, in silicon mode and otherwise; and
; CPUID.40000001H: what it was told to do beyond its model.
; variants none= silicon=bt-silicon=on quiet=bt-silicon=on+bt-smi=0 parts=bt-skid=100+bt-smi=1000 hidden=bt-silicon=on+tcg-cpuid=off without=branch-trace=none+bt-silicon=on
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
        CPUID   0x40000001
        mov     [seen], eax
        mov     [seen + 4], ebx
        mov     [seen + 8], ecx
        mov     [seen + 12], edx
        CHECK   "beyond the model"
        SAY_DWORD [seen], [seen + 4], [seen + 8], [seen + 12]
;=@none,@quiet,@hidden,@without/via,@silicon/zhaoxin,@silicon beyond the model|0 0 0 0
;=!via,!zhaoxin,@silicon/@parts beyond the model|0 1 0 0
        ret

seen:   dd      0, 0, 0, 0
