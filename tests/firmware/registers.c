/* registers.h.  SDM vol. 3A, "System Registers"; vol. 4. */
#include "registers.h"

#include "enter.h"
#include "firmware.h"

#define PAGE 4096u

static UINT64 rdmsr(UINT32 msr)
{
    UINT32 low, high;
    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
    return (UINT64)high << 32 | low;
}

static void wrmsr(UINT32 msr, UINT64 value)
{
    __asm__ volatile("wrmsr" : : "c"(msr), "a"((UINT32)value), "d"((UINT32)(value >> 32)));
}

static void cpuid(UINT32 leaf, UINT32 out[4])
{
    __asm__ volatile("cpuid"
                     : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3])
                     : "a"(leaf), "c"(0));
}

static UINT8 inb(UINT16 port)
{
    UINT8 value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static void outb(UINT16 port, UINT8 value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

#define REGISTER(name)                                                  \
    static UINT64 read_##name(void)                                     \
    {                                                                   \
        UINT64 value;                                                   \
        __asm__ volatile("mov %%" #name ", %0" : "=r"(value));          \
        return value;                                                   \
    }                                                                   \
    static void write_##name(UINT64 value)                              \
    {                                                                   \
        __asm__ volatile("mov %0, %%" #name : : "r"(value) : "memory"); \
    }
REGISTER(cr0)
REGISTER(cr2)
REGISTER(cr3)
REGISTER(cr4)
REGISTER(dr0)
REGISTER(dr1)
REGISTER(dr2)
REGISTER(dr3)
REGISTER(dr6)
REGISTER(dr7)

#define SEGMENT(name)                                          \
    static UINT16 read_##name(void)                            \
    {                                                          \
        UINT16 value;                                          \
        __asm__ volatile("mov %%" #name ", %0" : "=r"(value)); \
        return value;                                          \
    }
SEGMENT(cs)
SEGMENT(ss)
SEGMENT(ds)
SEGMENT(es)
SEGMENT(fs)
SEGMENT(gs)
#define LOAD(name, value) \
    __asm__ volatile("mov %0, %%" #name : : "r"((UINT16)(value)) : "memory")

static UINT64 read_cr8(void)
{
    UINT64 value;
    __asm__ volatile("mov %%cr8, %0" : "=r"(value));
    return value;
}

/* What the processor has. */
static struct has {
    BOOLEAN intel, ds, pt, pcid, smep, smap, umip, pke, pks, avx, fsgsbase, x2apic;
    BOOLEAN arch_lbr;
    UINT32 counters, fixed, perfmon;
} find(void)
{
    UINT32 zero[4], one[4], seven[4], ten[4] = { 0 };
    cpuid(0, zero);
    cpuid(1, one);
    cpuid(7, seven);
    if (zero[0] >= 10)
        cpuid(10, ten);
    return (struct has){
        .intel = zero[1] == 0x756e6547, /* "Genu" */
        .ds = one[3] >> 21 & 1,
        .pcid = one[2] >> 17 & 1,
        .avx = (one[2] >> 26 & 1) && (one[2] >> 28 & 1),
        .fsgsbase = seven[1] & 1,
        .smep = seven[1] >> 7 & 1,
        .smap = seven[1] >> 20 & 1,
        .pt = seven[1] >> 25 & 1,
        .umip = seven[2] >> 2 & 1,
        .pke = seven[2] >> 3 & 1,
        .pks = seven[2] >> 31 & 1,
        .arch_lbr = seven[3] >> 19 & 1,
        .x2apic = rdmsr(0x1b) >> 10 & 1,
        .perfmon = ten[0] & 0xff,
        .counters = ten[0] >> 8 & 0xff,
        .fixed = ten[3] & 0x1f,
    };
}

#define EFER            0xc0000080
#define EFER_SCE        1
#define LSTAR           0xc0000082
#define FS_BASE         0xc0000100
#define GS_BASE         0xc0000101
#define KERNEL_GS_BASE  0xc0000102
#define PAT             0x277
#define PAT_7           (0xffull << 56)
#define DEBUGCTL        0x1d9
#define DEBUGCTL_BTF    2
#define PERFEVTSEL0     0x186
#define AMD_PERFEVTSEL0 0xc0010000
#define SELECT          0x4300c4 /* enabled: branches, of all rings */
#define LBR_SELECT      0x1c8
#define DS_AREA         0x600
#define CR0_WP          (1u << 16)
#define CR3_PCD         0x10
#define CR3_PCID        0x123
#define CR4_TSD         (1u << 2)
#define CR4_PCE         (1u << 8)
#define CR4_UMIP        (1u << 11)
#define CR4_FSGSBASE    (1u << 16)
#define CR4_PCIDE       (1u << 17)
#define CR4_OSXSAVE     (1u << 18)
#define CR4_SMEP        (1u << 20)
#define CR4_SMAP        (1u << 21)
#define CR4_PKE         (1u << 22)
#define CR4_PKS         (1u << 24)
#define PKRS            0x6e1
#define KEYS            0x55555554 /* all but the first may not be used */
#define XCR0_AVX        7

/* Selectors of its own GDT, which begins as the firmware's does. */
#define TSS       0x100
#define LDT       0x110
#define DATA_DS   0x120
#define DATA_ES   0x128
#define LOST_FS   0x130 /* a TSS when it was loaded */
#define LOST_GS   0x138 /* not there any more       */
#define GDT_LIMIT 0x13f

/* Of its LDT, in the same page. */
#define LDT_DS      0x0c
#define LDT_ES      0x14
#define LDT_LOST_FS 0x1c /* no segment any more  */
#define LDT_LOST_GS 0x24 /* beyond the limit now */
#define LDT_AT      (PAGE / 2)
#define LDT_LIMIT   0x1f

static UINT64 *entry(const struct registers *r, UINT16 selector)
{
    return (UINT64 *)(r->gdt + selector);
}

static void fill_system(UINT64 to[2], UINT64 kind, UINT64 base, UINT64 limit)
{
    to[0] = kind << 40 | (base & 0xffffff) << 16 | (base >> 24 & 0xff) << 56 | limit;
    to[1] = base >> 32;
}

static void system_entry(const struct registers *r, UINT16 selector, UINT64 kind,
                         UINT64 base)
{
    fill_system(entry(r, selector), kind, base, 0x67);
}

static void gate(const struct registers *r, unsigned vector, void (*code)(void))
{
    UINT64 at = (UINT64)code, *to = (UINT64 *)(r->idt + vector * 16);
    UINT16 cs = read_cs();
    to[0] = (at & 0xffff) | (UINT64)cs << 16 | 0x8eull << 40 | (at >> 16 & 0xffff) << 48;
    to[1] = at >> 32;
}

#define DATA     0x00cf93000000ffffull /* accessed */
#define KIND_TSS 0x89ull
#define KIND_LDT 0x82ull

/* Of 32 bits: they are half as long, and in 64-bit mode none can be gone through. */
static void fill_32bit_idt(const struct registers *r)
{
    for (UINTN i = 0; i < 256; i++)
        ((UINT64 *)r->idt)[i] = 0x00008e0000100000 | i;
}

void registers_prepare(struct registers *r)
{
    struct table table;
    __asm__ volatile("sgdt %0" : "=m"(table));
    BS->SetMem(r->gdt, PAGE, 0);
    BS->CopyMem(r->gdt, (void *)table.base, table.limit + 1u);
    for (UINTN at = 8; at <= table.limit; at += 8)
        if (*entry(r, (UINT16)at) >> 44 & 1)
            *entry(r, (UINT16)at) |= 1ull << 40;        /* accessed */
    system_entry(r, TSS, KIND_TSS | 2, (UINT64)r->tss); /* busy */
    fill_system(entry(r, LDT), KIND_LDT, (UINT64)r->gdt + LDT_AT, LDT_LIMIT);
    *entry(r, LDT_AT + LDT_DS / 8 * 8) = *entry(r, LDT_AT + LDT_ES / 8 * 8) = DATA;
    *entry(r, DATA_DS) = *entry(r, DATA_ES) = DATA;
    system_entry(r, LOST_FS, KIND_TSS, (UINT64)r->tss);
    __asm__ volatile("sidt %0" : "=m"(table));
    BS->CopyMem(r->idt, (void *)table.base, table.limit + 1u);
    gate(r, 1, enter_db);
    gate(r, 2, enter_nmi);
    if (r->has_32bit_idt)
        fill_32bit_idt(r);
}

/* From a table that has them, and which is then exchanged. */
static void load_lost(const struct registers *r)
{
    static const UINT64 data[] = { DATA, DATA };
    const UINT64 tss[] = { entry(r, TSS)[0] & ~(1ull << 41), entry(r, TSS)[1] };
    struct table table = { 0xffff, (UINT64)data - LOST_FS };
    __asm__ volatile("lgdt %0" : : "m"(table) : "memory");
    LOAD(fs, LOST_FS);
    LOAD(gs, LOST_GS);
    table.base = (UINT64)tss - TSS;
    __asm__ volatile("lgdt %0; ltr %1" : : "m"(table), "r"((UINT16)TSS) : "memory");
}

/* The same of an LDT, which is exchanged, too. */
static void load_lost_of_ldt(void)
{
    static const UINT64 data[] = { 0, DATA, DATA, DATA, DATA };
    UINT64 ldt[2];
    fill_system(ldt, KIND_LDT, (UINT64)data, sizeof data - 1);
    struct table table = { 0xffff, (UINT64)ldt - LDT };
    __asm__ volatile("lgdt %0; lldt %1" : : "m"(table), "r"((UINT16)LDT) : "memory");
    LOAD(fs, LDT_LOST_FS);
    LOAD(gs, LDT_LOST_GS);
}

/*
 * No interrupt may come in between: the tables with the selectors that are lost have no
 * code segment for its handler.
 */
static void set_segments(struct registers *r)
{
    struct saved *s = &r->saved;
    UINT64 rflags;
    struct table gdt = { GDT_LIMIT, (UINT64)r->gdt };
    __asm__ volatile("sgdt %0; sidt %1" : "=m"(s->gdt), "=m"(s->idt));
    struct table idt = { r->has_32bit_idt ? 0x7ff : s->idt.limit, (UINT64)r->idt };
    s->ds = read_ds();
    s->es = read_es();
    s->fs = read_fs();
    s->gs = read_gs();
    s->fs_base = rdmsr(FS_BASE);
    s->gs_base = rdmsr(GS_BASE);
    __asm__ volatile("pushfq; popq %0; cli" : "=r"(rflags) : : "memory");
    load_lost(r);
    if (r->uses_ldt)
        load_lost_of_ldt();
    __asm__ volatile("lgdt %0; lidt %1" : : "m"(gdt), "m"(idt) : "memory");
    __asm__ volatile("lldt %0" : : "r"((UINT16)LDT));
    LOAD(ds, r->uses_ldt ? LDT_DS : DATA_DS);
    LOAD(es, r->uses_ldt ? LDT_ES : DATA_ES);
    wrmsr(FS_BASE, 0x123456789000);
    wrmsr(GS_BASE, 0xfffffedcba987000);
    __asm__ volatile("pushq %0; popfq" : : "r"(rflags) : "memory", "cc");
}

/* OVMF starts an AP with the first processor's selectors and then gives it another GDT. */
static UINT16 if_there(const struct table *gdt, UINT16 selector)
{
    return selector < gdt->limit ? selector : 0;
}

/*
 * No interrupt may come in between: its handler returns with the selectors that it found,
 * and those of the table that goes cannot be loaded from the one that comes.
 */
static void unset_segments(const struct registers *r)
{
    const struct saved *s = &r->saved;
    UINT64 rflags;
    __asm__ volatile("pushfq; popq %0; cli" : "=r"(rflags) : : "memory");
    __asm__ volatile("lgdt %0; lidt %1" : : "m"(s->gdt), "m"(s->idt) : "memory");
    LOAD(ds, if_there(&s->gdt, s->ds));
    LOAD(es, if_there(&s->gdt, s->es));
    LOAD(fs, if_there(&s->gdt, s->fs));
    LOAD(gs, if_there(&s->gdt, s->gs));
    __asm__ volatile("lldt %0" : : "r"((UINT16)0));
    wrmsr(FS_BASE, s->fs_base);
    wrmsr(GS_BASE, s->gs_base);
    __asm__ volatile("pushq %0; popfq" : : "r"(rflags) : "memory", "cc");
}

static UINT64 cr4_of(const struct has *has)
{
    return CR4_TSD | CR4_PCE | (has->umip ? CR4_UMIP : 0) | (has->pcid ? CR4_PCIDE : 0) |
           (has->fsgsbase ? CR4_FSGSBASE : 0) | (has->smep ? CR4_SMEP : 0) |
           (has->smap ? CR4_SMAP : 0) | (has->pke ? CR4_PKE : 0) |
           (has->pks ? CR4_PKS : 0) | (has->avx ? CR4_OSXSAVE : 0);
}

static UINT64 read_xcr0(void)
{
    UINT32 low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (UINT64)high << 32 | low;
}

static void write_xcr0(UINT64 value)
{
    __asm__ volatile("xsetbv" : : "a"((UINT32)value), "d"((UINT32)(value >> 32)), "c"(0));
}

static UINT32 read_pkru(void)
{
    UINT32 low, high;
    __asm__ volatile("rdpkru" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static void write_pkru(UINT64 value)
{
    __asm__ volatile("wrpkru" : : "a"((UINT32)value), "c"(0), "d"(0));
}

/* What CR4 has just made accessible. */
static void set_extended(struct registers *r, const struct has *has)
{
    struct saved *s = &r->saved;
    if (has->pke) {
        s->pkru = read_pkru();
        write_pkru(KEYS);
    }
    if (has->pks) {
        s->pkrs = rdmsr(PKRS);
        wrmsr(PKRS, KEYS);
    }
    if (has->avx) {
        s->xcr0 = read_xcr0();
        write_xcr0(XCR0_AVX);
        r->has_avx = TRUE;
    }
}

static void unset_extended(const struct registers *r, const struct has *has)
{
    const struct saved *s = &r->saved;
    if (has->pke)
        write_pkru(s->pkru);
    if (has->pks)
        wrmsr(PKRS, s->pkrs);
    if (has->avx)
        write_xcr0(s->xcr0);
}

static void set_control(struct registers *r, const struct has *has)
{
    struct saved *s = &r->saved;
    s->cr0 = read_cr0();
    s->cr3 = read_cr3();
    s->cr4 = read_cr4();
    s->efer = rdmsr(EFER);
    s->pat = rdmsr(PAT);
    wrmsr(EFER, s->efer ^ EFER_SCE);
    wrmsr(PAT, s->pat ^ (PAT_7 & 0x0606060606060606)); /* WB, WT, WP or UC- */
    write_cr4(s->cr4 | cr4_of(has));
    set_extended(r, has);
    write_cr3((s->cr3 & ~0xfffull) | (has->pcid ? CR3_PCID : CR3_PCD));
    write_cr2(0x0123456789abcde8);
    if (r->traces == TRACES_LBR)
        write_cr0(s->cr0 & ~CR0_WP); /* elsewhere tables are read-only */
}

static void unset_control(const struct registers *r, const struct has *has)
{
    const struct saved *s = &r->saved;
    unset_extended(r, has);
    write_cr3(s->cr3 & ~0xfffull);
    write_cr4(s->cr4);
    write_cr3(s->cr3);
    write_cr0(s->cr0);
    wrmsr(EFER, s->efer);
    wrmsr(PAT, s->pat);
}

/* A breakpoint at an instruction is armed in DR0; the others have an address each. */
static void set_debug(struct registers *r)
{
    r->saved.dr7 = read_dr7();
    write_dr0((UINT64)enter_watched);
    write_dr1(0x1111111111);
    write_dr2(0x2222222222);
    write_dr3(0x3333333333);
    write_dr6(0xffff0ff4);
    write_dr7(r->has_32bit_idt ? 0x400 : 0x33300702); /* G0 */
}

static UINT32 select_register(const struct has *has)
{
    return has->intel ? PERFEVTSEL0 : AMD_PERFEVTSEL0;
}

#define RTIT_CTL              0x570
#define RTIT_OUTPUT_BASE      0x560
#define RTIT_OUTPUT_MASK_PTRS 0x561
#define RTIT_ON               0x2005 /* branches of ring 0 */
#define DEBUGCTL_BTS          0xc0   /* TR and BTS         */
#define BTS_BYTES             (100 * 24)
#define DEBUGCTL_LBR          1
#define LBR_CTL               0x14ce
#define LBR_DEPTH             0x14cf
#define LBR_ON                0x7f0003 /* all branches of ring 0 */

static void trace_by_pt(struct registers *r)
{
    r->saved.rtit_ctl = rdmsr(RTIT_CTL);
    wrmsr(RTIT_OUTPUT_BASE, (UINT64)r->buffer);
    wrmsr(RTIT_OUTPUT_MASK_PTRS, PAGE - 1);
    wrmsr(RTIT_CTL, RTIT_ON);
}

/* SDM vol. 3B, "IA-32e Mode DS Save Area": a ring. */
static void trace_by_bts(struct registers *r)
{
    UINT64 *area = (UINT64 *)(r->tss + PAGE / 2), begin = (UINT64)r->buffer;
    area[0] = area[1] = begin;
    area[2] = begin + BTS_BYTES;
    area[3] = begin + 2 * BTS_BYTES;
    wrmsr(DS_AREA, (UINT64)area);
    wrmsr(DEBUGCTL, DEBUGCTL_BTS);
}

static void set_trace(struct registers *r, const struct has *has)
{
    struct saved *s = &r->saved;
    s->debugctl = rdmsr(DEBUGCTL);
    s->select = rdmsr(select_register(has));
    s->lstar = rdmsr(LSTAR);
    s->kernel_gs_base = rdmsr(KERNEL_GS_BASE);
    wrmsr(DEBUGCTL, DEBUGCTL_BTF);
    wrmsr(select_register(has), SELECT);
    wrmsr(LSTAR, 0x123456789000);
    wrmsr(KERNEL_GS_BASE, 0x234567890000);
    if (has->intel && !has->arch_lbr) {
        s->lbr_select = rdmsr(LBR_SELECT);
        wrmsr(LBR_SELECT, 0x45);
    }
    if (has->arch_lbr)
        s->lbr_ctl = rdmsr(LBR_CTL);
    if (has->ds) {
        s->ds_area = rdmsr(DS_AREA);
        wrmsr(DS_AREA, 0x345678900000);
    }
    if (r->traces == TRACES_PT)
        trace_by_pt(r);
    if (r->traces == TRACES_BTS)
        trace_by_bts(r);
    if (r->traces == TRACES_LBR && has->arch_lbr)
        wrmsr(LBR_CTL, LBR_ON);
    else if (r->traces == TRACES_LBR)
        wrmsr(DEBUGCTL, DEBUGCTL_LBR);
}

static void unset_trace(const struct registers *r, const struct has *has)
{
    const struct saved *s = &r->saved;
    if (r->traces == TRACES_PT)
        wrmsr(RTIT_CTL, s->rtit_ctl);
    wrmsr(DEBUGCTL, s->debugctl);
    wrmsr(select_register(has), s->select);
    wrmsr(LSTAR, s->lstar);
    wrmsr(KERNEL_GS_BASE, s->kernel_gs_base);
    if (has->intel && !has->arch_lbr)
        wrmsr(LBR_SELECT, s->lbr_select);
    if (has->arch_lbr)
        wrmsr(LBR_CTL, s->lbr_ctl);
    if (has->ds)
        wrmsr(DS_AREA, s->ds_area);
}

#define PIC_MASTER  0x21
#define PIC_SLAVE   0xa1
#define COMMAND_NMI 0x4400u

#define LVT_TIMER  0x320
#define LVT_MASKED 0x10000u

static UINT32 apic(const struct has *has, UINT32 offset)
{
    if (has->x2apic)
        return (UINT32)rdmsr(0x800 + offset / 16);
    return *(volatile UINT32 *)((rdmsr(0x1b) & ~0xfffull) + offset);
}

static void set_apic(const struct has *has, UINT32 offset, UINT32 value)
{
    if (has->x2apic)
        wrmsr(0x800 + offset / 16, value);
    else
        *(volatile UINT32 *)((rdmsr(0x1b) & ~0xfffull) + offset) = value;
}

/* No interrupt comes any more, not even where the firmware turns them on. */
static void silence(struct registers *r, const struct has *has)
{
    __asm__ volatile("cli");
    r->saved.pic_master = inb(PIC_MASTER);
    r->saved.pic_slave = inb(PIC_SLAVE);
    r->saved.lvt_timer = apic(has, LVT_TIMER);
    set_apic(has, LVT_TIMER, r->saved.lvt_timer | LVT_MASKED);
    outb(PIC_MASTER, 0xff);
    outb(PIC_SLAVE, 0xff);
}

void registers_set(struct registers *r)
{
    struct has has = find();
    if (r->has_32bit_idt)
        silence(r, &has);
    set_segments(r);
    set_control(r, &has);
    set_debug(r);
    set_trace(r, &has);
    if (r->is_first && !r->has_32bit_idt) {
        r->saved.pic_master = inb(PIC_MASTER);
        r->saved.pic_slave = inb(PIC_SLAVE);
        outb(PIC_MASTER, r->saved.pic_master ^ 0x80);
        outb(PIC_SLAVE, r->saved.pic_slave ^ 0x20);
    }
}

void registers_unset(struct registers *r)
{
    struct has has = find();
    if (r->is_first) {
        outb(PIC_MASTER, r->saved.pic_master);
        outb(PIC_SLAVE, r->saved.pic_slave);
    }
    unset_trace(r, &has);
    write_dr7(r->saved.dr7);
    unset_control(r, &has);
    r->has_avx = FALSE;
    unset_segments(r);
    if (r->has_32bit_idt) {
        set_apic(&has, LVT_TIMER, r->saved.lvt_timer);
        __asm__ volatile("sti");
    }
}

static void add(struct values *values, const char *group, const char *name, UINT64 is)
{
    if (values->count < VALUES_MAX)
        values->at[values->count++] = (struct value){ group, name, is };
}

static UINT64 sum_of(const UINT8 *bytes, UINTN count)
{
    UINT64 sum = 0;
    for (UINTN i = 0; i < count; i++)
        sum = sum * 0x100000001b3 + bytes[i];
    return sum;
}

static void read_segments(struct values *v)
{
    struct table gdt, idt;
    UINT16 tr, ldt;
    __asm__ volatile("sgdt %0; sidt %1; str %2; sldt %3"
                     : "=m"(gdt), "=m"(idt), "=m"(tr), "=m"(ldt));
    add(v, "segments", "cs", read_cs());
    add(v, "segments", "ss", read_ss());
    add(v, "segments", "ds", read_ds());
    add(v, "segments", "es", read_es());
    add(v, "fs", "fs", read_fs());
    add(v, "fs", "gs", read_gs());
    add(v, "fs", "fs_base", rdmsr(FS_BASE));
    add(v, "fs", "gs_base", rdmsr(GS_BASE));
    add(v, "gdt", "gdt base", gdt.base);
    add(v, "gdt", "gdt limit", gdt.limit);
    add(v, "gdt", "gdt bytes", sum_of((UINT8 *)gdt.base, gdt.limit + 1u));
    add(v, "idt", "idt base", idt.base);
    add(v, "idt", "idt limit", idt.limit);
    add(v, "idt", "idt bytes", sum_of((UINT8 *)idt.base, idt.limit + 1u));
    add(v, "tr", "tr", tr);
    add(v, "ldt", "ldt", ldt);
}

static void read_control(struct values *v, const struct has *has)
{
    add(v, "cr0", "cr0", read_cr0());
    add(v, "cr2", "cr2", read_cr2());
    add(v, "cr3", "cr3", read_cr3());
    add(v, "cr4", "cr4", read_cr4());
    add(v, "cr8", "cr8", read_cr8());
    add(v, "efer", "efer", rdmsr(EFER));
    add(v, "pat", "pat", rdmsr(PAT));
    add(v, "xcr0", "xcr0", read_cr4() & CR4_OSXSAVE ? read_xcr0() : 0);
    add(v, "keys", "pkru", read_cr4() & CR4_PKE ? read_pkru() : 0);
    add(v, "keys", "pkrs", has->pks ? rdmsr(PKRS) : 0);
}

static void read_mtrrs(struct values *v)
{
    static const UINT32 fixed[] = { 0x250, 0x258, 0x259, 0x268, 0x269, 0x26a,
                                    0x26b, 0x26c, 0x26d, 0x26e, 0x26f, 0x2ff };
    UINT64 cap = rdmsr(0xfe), sum = 0;
    for (UINTN i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        sum = sum * 31 + rdmsr(fixed[i]);
    for (UINT32 i = 0; i < 2 * (cap & 0xff); i++)
        sum = sum * 31 + rdmsr(0x200 + i);
    add(v, "mtrrs", "mtrrs", sum);
}

static void read_debug(struct values *v)
{
    add(v, "dr", "dr0", read_dr0());
    add(v, "dr", "dr1", read_dr1());
    add(v, "dr", "dr2", read_dr2());
    add(v, "dr", "dr3", read_dr3());
    add(v, "dr", "dr6", read_dr6());
    add(v, "dr", "dr7", read_dr7());
}

static void read_msrs(struct values *v, const struct has *has)
{
    add(v, "syscall", "star", rdmsr(0xc0000081));
    add(v, "syscall", "lstar", rdmsr(LSTAR));
    add(v, "syscall", "cstar", rdmsr(0xc0000083));
    add(v, "syscall", "fmask", rdmsr(0xc0000084));
    add(v, "syscall", "sysenter_cs", rdmsr(0x174));
    add(v, "syscall", "sysenter_esp", rdmsr(0x175));
    add(v, "syscall", "sysenter_eip", rdmsr(0x176));
    add(v, "syscall", "kernel_gs_base", rdmsr(KERNEL_GS_BASE));
    add(v, "debugctl", "debugctl", rdmsr(DEBUGCTL));
    add(v, "counters", "select", rdmsr(select_register(has)));
    for (UINT32 i = 1; has->intel && i < has->counters; i++)
        add(v, "counters", "select of another", rdmsr(PERFEVTSEL0 + i));
    if (has->intel && has->perfmon >= 2) {
        add(v, "counters", "fixed_ctr_ctrl", rdmsr(0x38d));
        add(v, "counters", "global_ctrl", rdmsr(0x38f));
    }
    if (has->intel) {
        add(v, "misc_enable", "misc_enable", rdmsr(0x1a0));
        add(v, "lbr", has->arch_lbr ? "lbr_ctl" : "lbr_select",
            rdmsr(has->arch_lbr ? LBR_CTL : LBR_SELECT));
        add(v, "lbr", "lbr_depth", has->arch_lbr ? rdmsr(LBR_DEPTH) : 0);
    }
    if (has->ds) {
        add(v, "ds", "ds_area", rdmsr(DS_AREA));
    }
    if (has->pt) {
        add(v, "pt", "rtit_ctl", rdmsr(0x570));
        add(v, "pt", "rtit_status", (UINT32)rdmsr(0x571)); /* without its count of bytes */
        add(v, "pt", "rtit_output_base", rdmsr(0x560));
        add(v, "pt", "rtit_cr3_match", rdmsr(0x572));
    }
}

void registers_pend_nmi(void)
{
    volatile UINT32 *base = (volatile UINT32 *)(rdmsr(0x1b) & ~0xfffull);
    base[0x310 / 4] = base[0x20 / 4]; /* itself: the shorthand for that takes no NMI */
    enter_block_nmis(&base[0x300 / 4], COMMAND_NMI);
    base[0x300 / 4] = COMMAND_NMI;
}

static void read_interrupts(struct values *v, const struct has *has, BOOLEAN is_first)
{
    volatile UINT32 *io = (volatile UINT32 *)0xfec00000;
    UINT64 sum = 0;
    add(v, "apic", "apic_base", rdmsr(0x1b));
    add(v, "apic", "tpr", apic(has, 0x80));
    add(v, "apic", "spurious", apic(has, 0xf0));
    for (UINT32 lvt = 0x320; lvt <= 0x370; lvt += 0x10)
        add(v, "apic", "lvt", apic(has, lvt) & ~0x1000u); /* without: being delivered */
    add(v, "apic", "timer count", apic(has, 0x380));
    add(v, "apic", "timer divide", apic(has, 0x3e0));
    if (!is_first)
        return;
    add(v, "pic", "pic master", inb(PIC_MASTER));
    add(v, "pic", "pic slave", inb(PIC_SLAVE));
    for (UINT32 i = 0x10; i < 0x10 + 2 * 24; i++) {
        io[0] = i;
        sum = sum * 31 + (io[4] & ~0x5000u); /* without: being delivered, remote IRR */
    }
    add(v, "io_apic", "io_apic", sum);
}

void registers_read(struct values *v, BOOLEAN is_first)
{
    struct has has = find();
    v->count = 0;
    read_segments(v);
    read_control(v, &has);
    read_mtrrs(v);
    read_debug(v);
    read_msrs(v, &has);
    read_interrupts(v, &has, is_first);
}
