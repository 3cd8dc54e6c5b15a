; Registers: which exist, which bits they keep, which writes fault.
%include "guest.inc"

; These print "absent" if there is no such MSR.
%macro SAY_REGISTER 2                   ; name, MSR
        CHECK   %1
        mov     ecx, %2
        call    say_register
%endmacro
; The bits that fault when written alone, and the bits that are kept.
%macro SAY_BITS 2
        CHECK   %1
        mov     ebp, %2
        call    say_bits
%endmacro

main:
        SET_VECTOR 13, protection

        ; CPUID, as far as branch tracing goes.
        CHECK   "signature"
        CPUID   1
        SAY_HEX rax
;=p6 signature|686
;=core2 signature|6f6
;=penryn signature|10676
;=bonnell signature|106ca
;=silvermont signature|30678
;=knl signature|50671
;=nehalem signature|306a9
;=haswell signature|306c3
;=broadwell signature|306d4
;=goldmont signature|506c9
;=skylake signature|506e3
;=alderlake signature|90672
;=skymont signature|c0662
;=yonah signature|6e8
;=willamette signature|f29
;=nocona signature|f43
;=phenom signature|100fa0
;=zen3 signature|a20f10
;=zen4 signature|a60f12
;=via signature|6fd
;=zhaoxin signature|107b5
;=pentium-m signature|6d6
        CHECK   "vendor"
        CPUID   0
        SAY_HEX rbx
;=intel vendor|756e6547
;=amd vendor|68747541
;=via vendor|746e6543
;=zhaoxin vendor|68532020
        ; DS; then PDCM, DS_CPL, DTES64
        CHECK   "cpuid 1"
        CPUID   1
        and     edx, 1 << 21
        and     ecx, 1 << 15 | 1 << 4 | 1 << 2
        SAY_HEX rdx, rcx
;=p6,amd,none cpuid 1|0 0
;=pentium-m,willamette cpuid 1|200000 0
;=yonah cpuid 1|200000 8000
;=nocona cpuid 1|200000 14
;=freeze cpuid 1|200000 8014
        CHECK   "cpuid a"
        CPUID   0
        cmp     eax, 10
        jb      .no_a
        CPUID   10
        SAY_HEX rax
.no_a:
;=p6,pentium-m,netburst,phenom cpuid a|
;=yonah cpuid a|7280201
;=core2,penryn cpuid a|7280202
;=bonnell,silvermont,knl cpuid a|7280203
;=nehalem cpuid a|7300803
;=haswell,broadwell cpuid a|7300403
;=goldmont,skylake cpuid a|7300404
;=alderlake cpuid a|7300605
;=skymont cpuid a|d300806
;=via cpuid a|6280202
;=zhaoxin cpuid a|7300402
;=zen3,zen4 cpuid a|0
        CHECK   "cpuid 1c"
        CPUID   0
        cmp     eax, 0x1c
        jb      .no_1c
        CPUID   7, 0
        and     edx, 1 << 19
        SAY_HEX rdx
        CPUID   0x1c, 0
        SAY_HEX rax, rbx, rcx
.no_1c:
;=!arch cpuid 1c|
;=alderlake cpuid 1c|80000 4000000b 7 7
;=skymont cpuid 1c|80000 c000000b 7 f0007

%ifdef ARCH
        ; The kind of core: hybrid, leaf 1AH; leaf 23H.
        CHECK   "cpuid 7.edx, 1a"
        CPUID   7, 0
        and     edx, 1 << 15
        SAY_HEX rdx
        CPUID   0x1a, 0
        call    say_hex
;=alderlake cpuid 7.edx, 1a|8000 40000001
;=skymont cpuid 7.edx, 1a|8000 20000003
        CHECK   "cpuid 7.1, 23"
        CPUID   7, 1
        and     eax, 1 << 8
        call    say_hex
        xor     ebp, ebp
        CPUID   0
        cmp     eax, 0x23
        jb      .no_23
.leaf:  mov     ecx, ebp
        CPUID   0x23
        SAY_HEX rax, rbx, rcx, rdx
        inc     ebp
        cmp     ebp, 4
        jb      .leaf
.no_23:
;=alderlake cpuid 7.1, 23|0
;=skymont cpuid 7.1, 23|100 f 3 8 0 ff 77 0 0 fc 3 fc 3 1f7f 0 0 0
%endif

        SAY_BITS "debugctl faults, keeps", DEBUGCTL
;=p6,nocona debugctl faults, keeps|ffffffffffffff80 7f
;=pentium-m debugctl faults, keeps|0 3dff
;=yonah debugctl faults, keeps|fffffffffffffe3c 1c3
;=willamette debugctl faults, keeps|ffffffffffffffe0 1f
;=core2,bonnell,none debugctl faults, keeps|ffffffffffffe03c 1fc3
;=penryn,silvermont,knl debugctl faults, keeps|ffffffffffffa03c 5fc3
;=nehalem,goldmont debugctl faults, keeps|ffffffffffff803c 7fc3
;=haswell,broadwell,skylake debugctl faults, keeps|ffffffffffff003c ffc3
;=arch debugctl faults, keeps|ffffffffffff803c 7fc2
;=phenom,zen3 debugctl faults, keeps|40 3f
;=zen4 debugctl faults, keeps|7c 1803

        SAY_BITS "select faults, keeps", 0x1c8
;=silvermont,knl select faults, keeps|fffffffffffffc00 1ff
;=nehalem select faults, keeps|fffffffffffffe00 1ff
;=haswell,broadwell,goldmont,skylake select faults, keeps|fffffffffffffc00 3ff
;=none select faults, keeps|0 0
;=lbr,!silvermont,!knl,!nehalem,!haswell,!broadwell,!goldmont,!skylake select faults, keeps|absent

        SAY_BITS "1c9 faults, keeps", 0x1c9
;=pentium-m 1c9 faults, keeps|ffffffffffffffff 0
;=yonah 1c9 faults, keeps|0 8000007
;=core2 1c9 faults, keeps|0 8000003
;=penryn 1c9 faults, keeps|0 3
;=bonnell,silvermont,knl 1c9 faults, keeps|fffffffffffffff8 7
;=nehalem,haswell,broadwell 1c9 faults, keeps|fffffffffffffff0 f
;=goldmont,skylake 1c9 faults, keeps|ffffffffffffffe0 1f
;=none 1c9 faults, keeps|0 0
;=p6,netburst,arch,amd 1c9 faults, keeps|absent
        SAY_BITS "1da faults, keeps", 0x1da
;=lbr,!netburst 1da faults, keeps|absent
;=none 1da faults, keeps|0 0
;=willamette 1da faults, keeps|0 3
;=nocona 1da faults, keeps|0 f

        SAY_BITS "lbr_ctl faults, keeps", 0x14ce
;=lbr,!arch lbr_ctl faults, keeps|absent
;=none lbr_ctl faults, keeps|0 0
;=arch lbr_ctl faults, keeps|ffffffffff80fff0 7f000f

        ; FROM and TO: bit 62 alone is not canonical, bit 63 is a flag on one.
        SAY_BITS "from faults, keeps", FROM0
;=p6,pentium-m,phenom,zen3 from faults, keeps|ffffffffffffffff 0
;=yonah,willamette,nocona,core2,penryn,bonnell,silvermont from faults, keeps|0 ffffffffffffffff
;=nehalem,haswell,broadwell,knl,goldmont from faults, keeps|7fff800000000000 80007fffffffffff
;=skylake,arch from faults, keeps|ffff800000000000 7fffffffffff
;=zen4 from faults, keeps|0 81ffffffffffffff
;=none from faults, keeps|0 0
%ifndef PACKED
        SAY_BITS "to faults, keeps", TO0
;=p6,phenom,zen3 to faults, keeps|ffffffffffffffff 0
;=nocona,core2,penryn,bonnell,silvermont,goldmont to faults, keeps|0 ffffffffffffffff
;=nehalem,haswell,broadwell,knl,skylake,arch to faults, keeps|ffff800000000000 7fffffffffff
;=zen4 to faults, keeps|0 c1ffffffffffffff
;=none to faults, keeps|0 0
%endif
        SAY_BITS "ler faults, keeps", LER_FROM
;=p6,pentium-m,netburst,amd ler faults, keeps|ffffffffffffffff 0
;=yonah ler faults, keeps|0 ffffffff
;=core2,penryn,bonnell,silvermont ler faults, keeps|0 ffffffffffffffff
;=nehalem,haswell,broadwell,knl,goldmont ler faults, keeps|7fff800000000000 80007fffffffffff
;=skylake,arch ler faults, keeps|ffff800000000000 7fffffffffff
;=none ler faults, keeps|0 0
%ifdef INFO0
        SAY_BITS "info faults, keeps", INFO0
;=skylake info faults, keeps|1fffffffffff0000 e00000000000ffff
;=alderlake info faults, keeps|ffffffffff0000 ff0000000000ffff
;=skymont info faults, keeps|ffff00ffff0000 ff0000ff0000ffff
%endif
        SAY_BITS "ds_area faults, keeps", DS_AREA
;=p6,amd ds_area faults, keeps|absent
;=pentium-m,yonah,willamette ds_area faults, keeps|0 ffffffff
;=none,dtes64 ds_area faults, keeps|ffff800000000000 7fffffffffff

        SAY_REGISTER "perf_capabilities", 0x345
;=p6,pentium-m,netburst,amd perf_capabilities|absent
;=none,yonah perf_capabilities|0
;=core2 perf_capabilities|82
;=penryn perf_capabilities|10c2
;=bonnell perf_capabilities|c1
;=silvermont,knl perf_capabilities|32c1
;=nehalem perf_capabilities|31c3
;=haswell,broadwell perf_capabilities|32c4
;=goldmont perf_capabilities|33c6
;=skylake perf_capabilities|33c5
;=arch perf_capabilities|34ff
        SAY_BITS "perf_capabilities faults", 0x345
;=p6,pentium-m,netburst,amd perf_capabilities faults|absent
;=none perf_capabilities faults|0 0
;=yonah,freeze perf_capabilities faults|ffffffffffffffff 0

        SAY_REGISTER "misc_enable", 0x1a0
;=p6,amd misc_enable|absent
;=pentium-m misc_enable|111088
;=yonah misc_enable|264973488
;=netburst misc_enable|22851089
;=core2 misc_enable|4062973489
;=penryn misc_enable|4066a53489
;=bonnell misc_enable|60941488
;=freeze,!core2,!penryn,!bonnell misc_enable|851089
;=none misc_enable|173c89
        ; Bits 7, 11 and 12 cannot be changed.
        mov     ecx, 0x1a0
        call    exists
        jc      .no_misc_enable
        CHECK   "misc_enable read-only bits"
        WRMSR   0x1a0, 0x1800
        SAY_MSR_BITS 0x1a0, 0x1880
;=freeze,netburst,pentium-m,yonah misc_enable read-only bits|1080
;=none misc_enable read-only bits|1880
.no_misc_enable:

        CHECK   "which exist"
        mov     ebx, which
.which: mov     ecx, [rbx]
        call    exists
        jc      .absent
        SAY_DWORD [rbx]
.absent:
        add     ebx, 4
        cmp     ebx, which_end
        jb      .which
;=p6 which exist|c1 186 1d9 1db 1dc 1dd 1de
;=pentium-m which exist|40 43 44 47 c1 186 1a0 1c9 1d9 1db 1dc 1dd 1de 600
;=yonah which exist|40 43 44 47 c1 186 1a0 1c9 1d9 1db 1dc 1dd 1de 345 600
;=willamette which exist|1a0 1d7 1d8 1d9 1da 1db 1dc 1dd 1de 600
;=nocona which exist|1a0 1d7 1d8 1d9 1da 600 680 687 688 68f 6c0 6cf
;=core2,penryn which exist|40 43 60 63 c1 186 1a0 1c9 1d9 1db 1dc 1dd 1de 309 345 38e 600
;=bonnell which exist|40 43 44 47 60 63 64 67 c1 186 1a0 1c9 1d9 1db 1dc 1dd 1de 309 345 38e 600
;=silvermont which exist|34 40 43 44 47 60 63 64 67 c1 186 1a0 1c8 1c9 1d9 1db 1dc 1dd 1de 309 345 38e 4c1 600
;=knl which exist|34 c1 186 1a0 1c8 1c9 1d9 1db 1dc 1dd 1de 309 345 38e 4c1 600 680 687 6c0
;=nehalem,haswell,broadwell which exist|34 c1 186 1a0 1c8 1c9 1d9 1db 1dc 1dd 1de 309 345 38e 4c1 600 680 687 688 68f 6c0 6cf
;=goldmont which exist|34 c1 186 1a0 1c8 1c9 1d9 1db 1dc 1dd 1de 309 345 38e 391 4c1 600 680 687 688 68f 690 69f 6c0 6cf 6d0 6df
;=skylake which exist|34 c1 186 1a0 1c8 1c9 1d9 1db 1dc 1dd 1de 309 345 38e 391 4c1 600 680 687 688 68f 690 69f 6c0 6cf 6d0 6df dc0 ddf
;=alderlake which exist|34 c1 186 1a0 1d9 1dd 1de 1e0 309 30c 345 38e 391 4c1 600 1200 121f 14ce 14cf 1500 151f 1600 161f
;=skymont which exist|34 c1 186 1a0 1d9 1dd 1de 1e0 309 30d 30f 345 38e 391 4c1 600 1200 121f 14ce 14cf 1500 151f 1600 161f 1900 191d 1980 1998
;=phenom which exist|1d9 1db 1dc 1dd 1de c0010000 c0010007
;=zen3 which exist|1d9 1db 1dc 1dd 1de c000010f c0010000 c0010300 c001031f c0010007 c0010200 c001020b
;=zen4 which exist|1d9 1db 1dc 1dd 1de c000010e c000010f c0010000 c0010300 c001031f c0000300 c0000303 c0010007 c0010200 c001020b
;=none which exist|34 40 43 44 47 60 63 64 67 68 c1 186 1a0 1c8 1c9 1d7 1d8 1d9 1da 1db 1dc 1dd 1de 1e0 309 30c 30d 30f 345 38e 391 3f1 4c1 600 680 687 688 68f 690 69f 6c0 6cf 6d0 6df dc0 ddf 1200 121f 1220 14ce 14cf 1500 151f 1520 1600 161f 1620 1900 191d 1921 1980 198c 1998 199c c000010e c000010f c0010000 c0010300 c001031f c0000300 c0000303 c0010007 c0010200 c001020b

%ifdef ARCH
        ; IA32_LBR_DEPTH: the supported depths, and what a write does.
        CHECK   "lbr_depth faults"
        mov     ebx, depths
.depth: mov     eax, [rbx]
        mov     dword [faulted], 0
        WRMSR   LBR_DEPTH, [rbx]
        cmp     dword [faulted], 0
        je      .good
        SAY_HEX [rbx]
.good:  add     ebx, 8
        cmp     ebx, depths_end
        jb      .depth
;=arch lbr_depth faults|0 4 18 28 40 21
        CHECK   "lbr_depth clears"
        WRMSR   LBR_DEPTH, 8
        WRMSR   FROM0, 0x1234
        WRMSR   INFO0, 0x12
        WRMSR   LBR_DEPTH, 8
        SAY_MSR FROM0, INFO0
        mov     ecx, FROM0 + 7
        call    exists
        sbb     rax, rax
        call    say_hex
        mov     ecx, FROM0 + 8
        call    exists
        sbb     rax, rax
        call    say_hex
;=arch lbr_depth clears|0 0 0 ffffffffffffffff

        ; FROM, TO and INFO at the depth and above cannot be accessed: the first of
        ; the 64 numbers of each that cannot be read, and that cannot be written.
%macro ACCESSIBLE 2                     ; name, depth
        CHECK   %1
        mov     r14d, %2
        call    accessible
%endmacro
        ACCESSIBLE "accessible at depth 8", 8
        ACCESSIBLE "accessible at depth 16", 16
        ACCESSIBLE "accessible at depth 32", 32
;=arch accessible at depth 8|8 8 8 8 8 8
;=arch accessible at depth 16|10 10 10 10 10 10
;=arch accessible at depth 32|20 20 20 20 20 20
%endif
        ret

which:  dd      0x34, 0x40, 0x43, 0x44, 0x47, 0x60, 0x63, 0x64, 0x67, 0x68, 0xc1, 0x186, 0x1a0
        dd      0x1c8, 0x1c9, 0x1d7, 0x1d8, 0x1d9, 0x1da, 0x1db, 0x1dc
        dd      0x1dd, 0x1de, 0x1e0, 0x309, 0x30c, 0x30d, 0x30f, 0x345, 0x38e, 0x391, 0x3f1
        dd      0x4c1, 0x600, 0x680, 0x687, 0x688, 0x68f, 0x690, 0x69f
        dd      0x6c0, 0x6cf, 0x6d0, 0x6df, 0xdc0, 0xddf
        dd      0x1200, 0x121f, 0x1220, 0x14ce, 0x14cf
        dd      0x1500, 0x151f, 0x1520, 0x1600, 0x161f, 0x1620
        dd      0x1900, 0x191d, 0x1921, 0x1980, 0x198c, 0x1998, 0x199c
        dd      0xc000010e, 0xc000010f, 0xc0010000, 0xc0010300
        dd      0xc001031f, 0xc0000300, 0xc0000303, 0xc0010007, 0xc0010200, 0xc001020b
which_end:
depths: dq      0, 4, 8, 16, 24, 32, 40, 64, 33
depths_end:

%ifdef ARCH
; For FROM, TO and INFO, prints the first entry that cannot be read, and that cannot be
; written; 99 if one above it can.
accessible:                             ; r14: the depth
        WRMSR   LBR_DEPTH, r14
        mov     ebp, FROM0
        call    .register
        mov     ebp, TO0
        call    .register
        mov     ebp, INFO0
.register:
        mov     byte [write], 0
        call    .count
        mov     byte [write], 1
.count: xor     r12d, r12d              ; entry
        mov     r13d, 64                ; the first that cannot
.next:  lea     ecx, [rbp + r12]
        mov     dword [faulted], 0
        xor     eax, eax
        xor     edx, edx
        cmp     byte [write], 0
        jne     .write
        rdmsr
        jmp     .done
.write: wrmsr
.done:  cmp     dword [faulted], 0
        je      .good
        cmp     r13d, 64
        cmove   r13d, r12d
        jmp     .again
.good:  cmp     r13d, 64
        je      .again
        mov     r13d, 0x99
.again: inc     r12d
        cmp     r12d, 64
        jb      .next
        SAY_HEX r13
        ret
write:  db      0
%endif

exists:                                 ; ecx; carry if not
        mov     dword [faulted], 0
        rdmsr
        cmp     dword [faulted], 1
        cmc
        ret

say_register:                           ; ecx
        call    exists
        jc      say_absent
        shl     rdx, 32
        or      rax, rdx
        jmp     say_hex
say_absent:
        SAY     "absent"
        ret

say_bits:                               ; ebp
        mov     ecx, ebp
        call    exists
        jc      say_absent
        BITS_SUBROUTINE
        TRY_SUBROUTINES
