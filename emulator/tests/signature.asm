; CPUID.40000000H: the emulator's signature, in silicon mode and otherwise.
; variants none= silicon=bt-silicon=on parts=bt-skid=100+bt-smi=1000 hidden=bt-silicon=on+tcg-cpuid=off without=branch-trace=none+bt-silicon=on
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
;=@silicon signature|TCG-as-metal
;=@hidden signature|
        ret

seen:   dd      0, 0, 0, 0
