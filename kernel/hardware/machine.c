/*
 * machine.h.  What is saved and in which order it is given back follows the rules
 * of EDK2's firmware: CR3 before anything that lies in the firmware's memory.
 */
#include "machine.h"

#include <stdbool.h>
#include <stddef.h>

#include "apic.h"
#include "debug_registers.h"
#include "handoff.h"
#include "idt.h"
#include "msr.h"
#include "paging.h"
#include "platform.h"
#include "registers.h"
#include "screen.h"
#include "serial.h"
#include "workloads.h"
#include "x86.h"

#define STACK_SIZE (16 * 1024ull)

/* SDM vol. 3A, "Task Management in 64-bit Mode". */
struct tss {
    uint32_t reserved0;
    uint64_t rsp[3];
    uint64_t reserved1;
    uint64_t ist[7];
    uint64_t reserved2;
    uint16_t reserved3, io_map;
} __attribute__((packed));
_Static_assert(sizeof(struct tss) == 104, "64-Bit TSS Format");
_Static_assert(SELECTOR_DATA == SELECTOR_CODE + 8,
               "as SYSCALL and SYSENTER load CS and SS");
_Static_assert(SELECTOR_DATA3 == SELECTOR_CODE3_32 + 8 &&
                   SELECTOR_CODE3 == SELECTOR_CODE3_32 + 16,
               "as SYSRET does");
_Static_assert(SELECTOR_CODE3_32 == (SELECTOR_CODE | 3) + 16 &&
                   SELECTOR_CODE3 == (SELECTOR_CODE | 3) + 32 &&
                   SELECTOR_SYSEXIT == (SELECTOR_CODE | 3) + 40,
               "as SYSEXIT does");

/* Operand of LGDT, LIDT and their stores. */
struct table {
    uint16_t limit;
    uint64_t base;
} __attribute__((packed));

#define DESCRIPTOR_CODE     0x00af9a000000ffffull /* 64-bit, DPL 0 */
#define DESCRIPTOR_DATA     0x00cf92000000ffffull
#define DESCRIPTOR_CODE3    0x00affa000000ffffull /* the same with DPL 3 */
#define DESCRIPTOR_DATA3    0x00cff2000000ffffull
#define DESCRIPTOR_CODE3_32 0x00cffa000000ffffull /* CS.L = 0, 4 GiB */
#define DESCRIPTOR_TSS      0x0000890000000000ull /* available 64-bit TSS */
#define DESCRIPTOR_LDT      0x0000820000000000ull

/* For workloads at ring 3, on a page of its own: nothing else is that ring's to write. */
static uint8_t user_stack[ENV_STACK_SIZE] __attribute__((aligned(PAGE_SIZE)));
_Static_assert(ENV_STACK_SIZE % PAGE_SIZE == 0, "whole pages");
_Static_assert(ENV_MEMORY_SIZE <= KERNEL_MEMORY_LEAST, "all of it is there, and mapped");

static struct workload_env workload_env;

static uint64_t gdt[SELECTOR_LDT / 8 + 2];
static uint64_t ldt[SELECTOR_BASED3 / 8 + 1];
static struct tss *tss; /* in memory that stays allocated, see give_back_task_register */
static uint64_t page_tables;
static bool is_other; /* not the first processor: of those each has these data for itself */

static struct firmware {
    enum machine_step taken; /* as far as this */
    struct table gdt, idt;
    uint16_t cs, ss, ds, es, fs, gs, ldt, tr;
    uint64_t fs_base, gs_base;
    uint64_t rflags, cr0, cr2, cr3, cr4, efer, pat, s_cet, debugctl;
    struct debug_registers debug;
    bool has_debugctl;
    uint8_t pic_master, pic_slave;
} firmware;

#define PIC_MASTER_MASK 0x21
#define PIC_SLAVE_MASK  0xa1
#define PIC_ALL         0xff

void machine_load_code(uint64_t selector);

static void load_tables(const struct table *new_gdt, const struct table *new_idt)
{
    __asm__ volatile("lgdt %[gdt]; lidt %[idt]"
                     :
                     : [gdt] "m"(*new_gdt), [idt] "m"(*new_idt)
                     : "memory");
}

/* Reads a leaf of the range that begins at `first`; zeros if the range does not have it. */
static void cpuid_if_there(uint32_t first, uint32_t leaf, uint32_t out[4])
{
    uint32_t range[4];
    cpuid(first, 0, range);
    if (range[0] >= leaf)
        cpuid(leaf, 0, out);
    else
        __builtin_memset(out, 0, 4 * sizeof *out);
}

/*
 * Call this while the firmware has the machine: in guests of SEV-ES and TDX, CPUID raises
 * an exception, which the firmware's handler takes.  The MSR is read only if CPUID
 * announces SEV, as firmware and Linux do (EDK2, OvmfPkg, "CheckSevFeatures";
 * arch/x86/boot/compressed/sev.c).
 */
static const char *encryption_refuses(void)
{
    uint32_t tdx[4], sev[4];
    cpuid_if_there(RANGE_BASIC, LEAF_TDX, tdx);
    cpuid_if_there(RANGE_EXTENDED, LEAF_SEV, sev);
    const struct platform *row =
        platform_encrypted(tdx, sev[0] & SEV_SUPPORTED ? rdmsr(MSR_AMD_SEV_STATUS) : 0);
    return row ? row->refused : NULL;
}

const char *machine_lacks(void)
{
    uint32_t r[4];
    const char *refused = encryption_refuses();
    if (refused)
        return refused;
    cpuid(LEAF_EXTENDED_FEATURES, 0, r);
    if (!(r[3] & FEATURE_NX))
        return "no page can be marked as not executable: XD is disabled in the firmware's "
               "setup, or absent";
    if (read_cr4() & CR4_CET && rdmsr(MSR_S_CET) & S_CET_SHADOW_STACK)
        return "the firmware runs on shadow stacks (CET), which are not supported yet";
    if (read_cr4() & CR4_FRED)
        return "the firmware has turned FRED on (CR4[32]): events do not use an IDT then";
    return NULL;
}

/* SDM vol. 3A, "Segment Descriptors". */
#define DESCRIPTOR_ACCESSED BIT(40)
#define DESCRIPTOR_READABLE BIT(41) /* of code; of data: writable; of a TSS: busy */
#define DESCRIPTOR_BUSY     BIT(41)
#define DESCRIPTOR_IS_CODE  BIT(43)
#define DESCRIPTOR_SEGMENT  BIT(44) /* of code or data */
#define DESCRIPTOR_PRESENT  BIT(47)
#define DESCRIPTOR_DPL(d)   ((d) >> 45 & 3)
#define DESCRIPTOR_LONG     BIT(53)         /* CS.L                           */
#define DESCRIPTOR_KIND     (0x9full << 40) /* present, system, type          */
#define DESCRIPTOR_KIND_TSS (0x8bull << 40)
#define DESCRIPTOR_KIND_LDT (0x82ull << 40)
#define SELECTOR_RPL(s)     ((s)&3u)
#define SELECTOR_OF_LDT     4u
#define SELECTOR_INDEX(s)   ((s) & ~7u)

/* The descriptor of `bytes` bytes that this selector finds in the GDT, or NULL. */
static const uint64_t *find_descriptor(const struct table *table, uint16_t selector,
                                       size_t bytes)
{
    uint64_t at = SELECTOR_INDEX(selector);
    bool is_there = at && !(selector & SELECTOR_OF_LDT) && at + bytes - 1 <= table->limit;
    return is_there ? (const uint64_t *)(table->base + at) : NULL;
}

/* Base and limit where a descriptor has them; what is above 4 GiB comes after it. */
static uint64_t spread(uint64_t base, uint64_t limit)
{
    return limit | (base & 0xffffff) << 16 | (base >> 24 & 0xff) << 56;
}

static uint64_t base_of(const uint64_t descriptor[2])
{
    return (descriptor[0] >> 16 & 0xffffff) | (descriptor[0] >> 56 & 0xff) << 24 |
           descriptor[1] << 32;
}

/* SDM vol. 3A, "TSS Descriptor in 64-bit mode".  The selector, or 0: none of that kind. */
static uint16_t if_system(const struct table *table, uint16_t selector, uint64_t kind)
{
    const uint64_t *descriptor = find_descriptor(table, selector, sizeof(uint64_t[2]));
    bool is = descriptor && ((*descriptor | DESCRIPTOR_BUSY) & DESCRIPTOR_KIND) == kind;
    return is ? selector : 0;
}

/* Reads RFLAGS, of which none is wanted here: with NT set, say, IRETQ would fault. */
static uint64_t take_rflags(void)
{
    uint64_t before;
    __asm__ volatile("pushfq; popq %[before]; pushq %[own]; popfq"
                     : [before] "=&r"(before)
                     : [own] "i"((int)RFLAGS_ONE)
                     : "cc", "memory");
    return before;
}

/* The firmware's side of everything below. */
static struct firmware save(void)
{
    struct firmware f;
    f.rflags = take_rflags();
    __asm__ volatile(
        "sgdt %[gdt]; sidt %[idt]; sldt %[ldt]; str %[tr]"
        : [gdt] "=m"(f.gdt), [idt] "=m"(f.idt), [ldt] "=m"(f.ldt), [tr] "=m"(f.tr));
    /* TR may be our own, from the last time or the last start. */
    f.tr = if_system(&f.gdt, f.tr, DESCRIPTOR_KIND_TSS);
    f.ldt = if_system(&f.gdt, f.ldt, DESCRIPTOR_KIND_LDT);
    f.cs = read_cs();
    f.ss = read_ss();
    f.ds = read_ds();
    f.es = read_es();
    f.fs = read_fs();
    f.gs = read_gs();
    f.fs_base = rdmsr(MSR_FS_BASE);
    f.gs_base = rdmsr(MSR_GS_BASE);
    f.cr0 = read_cr0();
    f.cr2 = read_cr2();
    f.cr3 = read_cr3();
    f.cr4 = read_cr4();
    f.efer = rdmsr(MSR_EFER);
    f.pat = rdmsr(MSR_PAT);
    f.debug = debug_registers_read();
    f.s_cet = f.cr4 & CR4_CET ? rdmsr(MSR_S_CET) : 0;
    f.pic_master = inb(PIC_MASTER_MASK);
    f.pic_slave = inb(PIC_SLAVE_MASK);
    return f;
}

extern const uint8_t text_begin[] __attribute__((visibility("hidden")));
extern const uint8_t text_end[] __attribute__((visibility("hidden")));
extern const uint8_t workloads_begin[] __attribute__((visibility("hidden")));
extern const uint8_t workloads_end[] __attribute__((visibility("hidden")));
extern const uint8_t rodata_begin[] __attribute__((visibility("hidden")));
extern const uint8_t rodata_end[] __attribute__((visibility("hidden")));
extern const uint8_t data_begin[] __attribute__((visibility("hidden")));
extern const uint8_t data_end[] __attribute__((visibility("hidden")));

/* Maps a range, whose middle is accessed otherwise, to memory that lies `away` from it. */
static void map_around(struct paging *paging, uint64_t begin, uint64_t end,
                       enum access access, uint64_t middle, uint64_t middle_end,
                       enum access middle_access, uint64_t away)
{
    paging_map_to(paging, begin, middle, begin + away, access);
    paging_map_to(paging, middle, middle_end, middle + away, middle_access);
    paging_map_to(paging, middle_end, end, middle_end + away, access);
}

/*
 * Nothing of the firmware's is mapped, not even the first page: a stray access is
 * a page fault with a name and not a silent change.  The image's data are those at `data`.
 */
static struct paging build_tables(struct memory *memory, uint64_t data)
{
    struct paging paging = paging_empty(memory, read_cr4() & CR4_LA57 ? 5 : 4);
    map_around(&paging, (uint64_t)text_begin, (uint64_t)text_end, PAGE_CODE,
               (uint64_t)workloads_begin, (uint64_t)workloads_end, PAGE_USER_CODE, 0);
    paging_map(&paging, (uint64_t)rodata_begin, (uint64_t)rodata_end, PAGE_CONSTANT);
    map_around(&paging, (uint64_t)data_begin, (uint64_t)data_end, PAGE_DATA,
               (uint64_t)user_stack, (uint64_t)user_stack + sizeof user_stack,
               PAGE_USER_DATA, data - (uint64_t)data_begin);
    uint64_t code_end, code = workloads_code(&code_end); /* the first of the memory */
    if (code)
        paging_map(&paging, code, code_end, PAGE_USER_CODE);
    paging_map(&paging, code ? code_end : memory->base, memory->base + memory->size,
               PAGE_DATA);
    uint64_t apic = apic_page();
    if (apic)
        paging_map(&paging, apic, apic + PAGE_SIZE, PAGE_DEVICE);
    return paging;
}

/* What the first processor alone talks through. */
static void map_devices(struct paging *paging)
{
    uint64_t serial_end, serial = serial_registers(&serial_end);
    if (serial)
        paging_map(paging, serial, serial_end, PAGE_DEVICE);
    uint64_t screen_end, screen = screen_memory(&screen_end);
    if (screen)
        paging_map(paging, screen, screen_end, PAGE_PICTURE);
}

static void fill_gdt(void)
{
    gdt[SELECTOR_CODE / 8] = DESCRIPTOR_CODE;
    gdt[SELECTOR_DATA / 8] = DESCRIPTOR_DATA;
    gdt[SELECTOR_CODE3_32 / 8] = DESCRIPTOR_CODE3_32;
    gdt[SELECTOR_DATA3 / 8] = DESCRIPTOR_DATA3;
    gdt[SELECTOR_CODE3 / 8] = DESCRIPTOR_CODE3;
    gdt[SELECTOR_SYSEXIT / 8] = DESCRIPTOR_DATA3;
    gdt[SELECTOR_TSS / 8] = DESCRIPTOR_TSS | spread((uint64_t)tss, sizeof *tss - 1);
    gdt[SELECTOR_TSS / 8 + 1] = (uint64_t)tss >> 32;
    gdt[SELECTOR_LDT / 8] = DESCRIPTOR_LDT | spread((uint64_t)ldt, sizeof ldt - 1);
    gdt[SELECTOR_LDT / 8 + 1] = (uint64_t)ldt >> 32;
    ldt[SELECTOR_BASED3 / 8] = DESCRIPTOR_CODE3_32 | spread(PART_BASE, 0);
}

static struct tss *take_tss(struct memory *memory)
{
    struct tss *taken = memory_take(memory, sizeof *taken);
    taken->io_map = sizeof *taken;
    taken->rsp[0] = (uint64_t)memory_take(memory, STACK_SIZE) + STACK_SIZE;
    for (unsigned i = 0; i < IST_COUNT; i++)
        taken->ist[i] = (uint64_t)memory_take(memory, STACK_SIZE) + STACK_SIZE;
    return taken;
}

void machine_prepare(struct memory *memory, uint64_t trampoline)
{
    tss = take_tss(memory);
    struct paging paging = build_tables(memory, (uint64_t)data_begin);
    map_devices(&paging);
    if (trampoline)
        paging_map(&paging, trampoline, trampoline + PAGE_SIZE, PAGE_DATA);
    page_tables = (uint64_t)paging.top;
    workload_env = (struct workload_env){ (uint64_t)user_stack + sizeof user_stack,
                                          apic_page(), memory->base };
    idt_fill();
}

struct machine_ap machine_prepare_ap(struct memory *memory, uint64_t trampoline)
{
    struct machine_ap ap = { .tss = take_tss(memory) };
    ap.data = (uint64_t)memory_take(memory, (uint64_t)(data_end - data_begin));
    struct paging paging = build_tables(memory, ap.data);
    if (trampoline)
        paging_map(&paging, trampoline, trampoline + PAGE_SIZE, PAGE_CODE);
    ap.tables = (uint64_t)paging.top;
    return ap;
}

void machine_copy_data(const struct machine_ap *ap)
{
    __builtin_memcpy((void *)ap->data, data_begin, (size_t)(data_end - data_begin));
}

/*
 * Workloads lie on pages of ring 3, and ring 0 runs and reads them too.  Keys would protect
 * them.
 */
#define CR4_NOT_OURS (CR4_PGE | CR4_PCIDE | CR4_SMEP | CR4_SMAP | CR4_PKE | CR4_PKS)

/*
 * From the CR3 on the image's data are this processor's own, so before it none of them is
 * written: what was saved waits on the stack, which lies in memory that both tables map.
 */
static struct firmware enter_tables(uint64_t tables)
{
    struct firmware f = save();
    /*
     * Bits may have been left set (INIT does not clear them either), and with BTS
     * the next branch would be stored where the own tables map nothing.
     */
    f.has_debugctl = msr_read(MSR_DEBUGCTL, &f.debugctl);
    if (f.has_debugctl)
        msr_write(MSR_DEBUGCTL, 0);
    if (f.cr4 & CR4_CET) {
        wrmsr(MSR_S_CET, 0); /* no branch of ours ends at an ENDBR64 */
        write_cr4(f.cr4 & ~CR4_CET);
    }
    wrmsr(MSR_EFER, f.efer | EFER_NXE);
    write_cr0(f.cr0 | CR0_WP);
    write_cr4(read_cr4() & ~CR4_NOT_OURS);
    /* Points that are drawn leave the processor by the line and not one by one. */
    wrmsr(MSR_PAT, (f.pat & ~PAT_1) | PAT_1_WRITE_COMBINING);
    write_cr3(tables);
    return f;
}

static void load_own_segments(void)
{
    fill_gdt(); /* each time: LTR refuses a TSS that it has marked busy */

    struct table own_gdt = { sizeof gdt - 1, (uint64_t)gdt };
    struct table own_idt = { IDT_BYTES - 1, (uint64_t)idt_table() };
    load_tables(&own_gdt, &own_idt);
    machine_load_code(SELECTOR_CODE);
    write_ss(SELECTOR_DATA);
    write_ds(SELECTOR_DATA);
    write_es(SELECTOR_DATA);
    __asm__ volatile("lldt %[ldt]" : : [ldt] "r"((uint16_t)SELECTOR_LDT));
    __asm__ volatile("ltr %[tss]" : : [tss] "r"((uint16_t)SELECTOR_TSS));
    debug_registers_clear();
}

static void take_as_far_as(enum machine_step last)
{
    struct firmware f = enter_tables(page_tables);
    f.taken = last;
    firmware = f;
    if (last == MACHINE_TABLES)
        return;
    load_own_segments();
    if (last == MACHINE_SEGMENTS)
        return;
    if (!is_other) {
        outb(PIC_MASTER_MASK, PIC_ALL);
        outb(PIC_SLAVE_MASK, PIC_ALL);
    }
    apic_take();
}

void machine_take(void)
{
    take_as_far_as(MACHINE_INTERRUPTS);
}

void machine_try(enum machine_step last)
{
    take_as_far_as(last);
    machine_give_back();
}

bool machine_debugctl(uint64_t *value)
{
    *value = firmware.debugctl;
    return firmware.has_debugctl;
}

void machine_take_ap(const struct machine_ap *ap)
{
    struct firmware f = enter_tables(ap->tables);
    f.taken = MACHINE_INTERRUPTS;
    firmware = f;
    tss = ap->tss;
    is_other = true;
    load_own_segments();
    apic_take();
}

/*
 * The next load finds this descriptor: nothing else of this GDT is read.  Loading sets a
 * bit in a descriptor, and the firmware's GDT may be read-only; or it may have been
 * exchanged since the firmware loaded the selector.
 */
static void show_descriptor(uint16_t selector, const uint64_t *descriptor)
{
    struct table table = { UINT16_MAX, (uint64_t)descriptor - SELECTOR_INDEX(selector) };
    __asm__ volatile("lgdt %[table]" : : [table] "m"(table) : "memory");
}

/* The same for a selector of an LDT, for which there is one that begins elsewhere. */
static void load_by_ldt(uint16_t selector, const uint64_t *descriptor,
                        void (*load)(uint16_t))
{
    const uint64_t base = (uint64_t)descriptor - SELECTOR_INDEX(selector);
    const uint64_t entry[2] = { DESCRIPTOR_LDT | spread(base, UINT16_MAX), base >> 32 };
    show_descriptor(SELECTOR_LDT, entry);
    __asm__ volatile("lldt %[ldt]" : : [ldt] "r"((uint16_t)SELECTOR_LDT) : "memory");
    load(selector);
}

/* In the GDT, or in the LDT that the firmware has; 0: none is there. */
static uint64_t data_descriptor(const struct firmware *f, uint16_t selector)
{
    const uint64_t *found = find_descriptor(&f->gdt, selector, sizeof *found);
    const uint64_t *ldt_entry = find_descriptor(&f->gdt, f->ldt, sizeof(uint64_t[2]));
    if (selector & SELECTOR_OF_LDT && ldt_entry &&
        SELECTOR_INDEX(selector) + sizeof *found - 1 <= (*ldt_entry & UINT16_MAX))
        found = (const uint64_t *)(base_of(ldt_entry) + SELECTOR_INDEX(selector));
    return found ? *found : 0;
}

/*
 * A data segment is loaded from a copy of the firmware's descriptor, or, where that cannot
 * be loaded, from one that makes no difference in 64-bit mode.  (U-Boot's FS is 20H, where
 * its GDT has a TSS.)
 */
static void give_back_data(const struct firmware *f, uint16_t selector,
                           void (*load)(uint16_t))
{
    uint64_t d = data_descriptor(f, selector);
    bool is_readable = !(d & DESCRIPTOR_IS_CODE) || d & DESCRIPTOR_READABLE;
    bool loads = d & DESCRIPTOR_SEGMENT && d & DESCRIPTOR_PRESENT && is_readable &&
                 DESCRIPTOR_DPL(d) >= SELECTOR_RPL(selector);
    uint64_t copy = (loads ? d : DESCRIPTOR_DATA3) | DESCRIPTOR_ACCESSED;
    if (selector & SELECTOR_OF_LDT) {
        load_by_ldt(selector, &copy, load);
        return;
    }
    show_descriptor(selector, &copy);
    load(selector);
}

/* With which it runs, so both can be loaded unless its GDT was exchanged. */
static void give_back_code_and_stack(const struct firmware *f)
{
    const uint64_t *found = find_descriptor(&f->gdt, f->cs, sizeof *found);
    const uint64_t wanted =
        DESCRIPTOR_SEGMENT | DESCRIPTOR_PRESENT | DESCRIPTOR_IS_CODE | DESCRIPTOR_LONG;
    bool loads = found && (*found & wanted) == wanted && !DESCRIPTOR_DPL(*found);
    uint64_t copy = (loads ? *found : DESCRIPTOR_CODE) | DESCRIPTOR_ACCESSED;
    show_descriptor(f->cs, &copy);
    machine_load_code(f->cs);

    copy = DESCRIPTOR_DATA | DESCRIPTOR_ACCESSED;
    show_descriptor(f->ss, &copy);
    write_ss(f->ss);
}

/*
 * TR cannot be loaded with the null selector that firmware usually has there: the
 * own TSS then stays, unused, in memory that boot/ leaves allocated.  LTR refuses a
 * descriptor that is marked busy, as the firmware's is.
 */
static void give_back_task_register(const struct firmware *f)
{
    const uint64_t *found = find_descriptor(&f->gdt, f->tr, sizeof(uint64_t[2]));
    if (!found)
        return;
    const uint64_t copy[2] = { found[0] & ~DESCRIPTOR_BUSY, found[1] };
    show_descriptor(f->tr, copy);
    __asm__ volatile("ltr %[tr]" : : [tr] "r"(f->tr) : "memory");
}

/* The way to ring 3 emptied the selectors that it may not use. */
static void give_back_segments(const struct firmware *f)
{
    give_back_code_and_stack(f);
    give_back_data(f, f->ds, write_ds);
    give_back_data(f, f->es, write_es);
    if (read_fs() != f->fs)
        give_back_data(f, f->fs, write_fs);
    if (read_gs() != f->gs)
        give_back_data(f, f->gs, write_gs);
    wrmsr(MSR_FS_BASE, f->fs_base);
    wrmsr(MSR_GS_BASE, f->gs_base);
    give_back_task_register(f);
    load_tables(&f->gdt, &f->idt);
    __asm__ volatile("lldt %[ldt]" : : [ldt] "r"(f->ldt));
}

void machine_give_back(void)
{
    const struct firmware f = firmware; /* on the stack: see enter_tables */
    if (f.taken >= MACHINE_INTERRUPTS)
        apic_give_back();
    if (f.taken >= MACHINE_INTERRUPTS && !is_other) {
        outb(PIC_SLAVE_MASK, f.pic_slave);
        outb(PIC_MASTER_MASK, f.pic_master);
    }
    wrmsr(MSR_PAT, f.pat);
    write_cr3(f.cr3 & ~CR3_PCID); /* or CR4 refuses PCIDE */
    write_cr4(f.cr4 & ~CR4_CET);
    write_cr3(f.cr3);
    write_cr0(f.cr0);
    wrmsr(MSR_EFER, f.efer);
    if (f.has_debugctl)
        msr_write(MSR_DEBUGCTL, f.debugctl);
    if (f.taken >= MACHINE_SEGMENTS)
        give_back_segments(&f);
    if (f.cr4 & CR4_CET) {
        write_cr4(f.cr4);
        wrmsr(MSR_S_CET, f.s_cet);
    }
    write_cr2(f.cr2);
    debug_registers_write(&f.debug); /* from here on a breakpoint is the firmware's */
    __asm__ volatile("pushq %[rflags]; popfq" : : [rflags] "r"(f.rflags) : "cc", "memory");
}

const struct workload_env *machine_workload_env(void)
{
    return &workload_env;
}

uint64_t machine_ring0_stack(void)
{
    return tss->rsp[0];
}

uint64_t machine_address(const struct frame *frame)
{
    return frame->cs == SELECTOR_BASED3 ? (uint32_t)(frame->rip + PART_BASE) : frame->rip;
}

bool machine_runs_32_bits(const struct frame *frame)
{
    return frame->cs == SELECTOR_BASED3 || frame->cs == SELECTOR_CODE3_32;
}

uint64_t machine_code_at(uint64_t address)
{
    uint64_t end, begin = workloads_code(&end);
    if (address >= begin && address < end)
        return end - address;
    begin = (uint64_t)text_begin, end = (uint64_t)text_end;
    return address >= begin && address < end ? end - address : 0;
}
