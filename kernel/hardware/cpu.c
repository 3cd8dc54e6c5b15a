/* SDM vol. 2A, "CPUID"; AMD64 APM vol. 3, "CPUID". */
#include "cpu.h"

#include <stddef.h>

#include "entry.h"
#include "msr.h"
#include "registers.h"
#include "text.h"
#include "x86.h"

enum { EAX, EBX, ECX, EDX };

#define LEAF_FEATURES     1
#define LEAF_EXTENDED     7
#define LEAF_HYBRID       0x1a
#define LEAF_ARCH_LBR     0x1c
#define LEAF_HYPERVISOR   0x40000000u
#define LEAF_HIGHEST_EXT  0x80000000u
#define LEAF_AMD_FEATURES 0x80000008u
#define LEAF_AMD_PERFMON  0x80000022u
#define LEAF_BRAND        0x80000002u
#define LEAF_BRAND_LAST   0x80000004u
#define FAMILY_EXTENDED   0xf /* the extended family is added to this one            */
#define FAMILY_P6         6   /* from here on the extended model counts (as in Linux) */

static void put4(char *to, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        to[i] = (char)(word >> 8 * i);
}

/* A word of text in three registers. */
static void put12(char *to, uint32_t a, uint32_t b, uint32_t c)
{
    put4(to, a);
    put4(to + 4, b);
    put4(to + 8, c);
    to[12] = 0;
}

static void identify_signature(struct cpu *cpu)
{
    uint32_t s = cpu->signature;
    uint32_t family = s >> 8 & 0xf;
    cpu->id.stepping = s & 0xf;
    cpu->id.model = s >> 4 & 0xf;
    cpu->id.family = family == FAMILY_EXTENDED ? family + (s >> 20 & 0xff) : family;
    if (cpu->id.family >= FAMILY_P6)
        cpu->id.model |= (s >> 16 & 0xf) << 4;
}

static void identify_brand(struct cpu *cpu)
{
    uint32_t r[4];
    cpuid(LEAF_HIGHEST_EXT, 0, r);
    if (r[EAX] < LEAF_BRAND_LAST)
        return;
    char *to = cpu->brand;
    for (uint32_t leaf = LEAF_BRAND; leaf <= LEAF_BRAND_LAST; leaf++, to += 16) {
        cpuid(leaf, 0, r);
        for (int i = 0; i < 4; i++)
            put4(to + 4 * i, r[i]);
    }
}

static void identify_amd(struct cpu *cpu)
{
    uint32_t r[4];
    cpuid(LEAF_HIGHEST_EXT, 0, r);
    uint32_t highest = r[EAX];
    if (highest >= LEAF_AMD_FEATURES) {
        cpuid(LEAF_AMD_FEATURES, 0, r);
        cpu->id.amd_brs = r[EBX] & BIT(31);
    }
    if (highest < LEAF_AMD_PERFMON)
        return;
    cpuid(LEAF_AMD_PERFMON, 0, r);
    cpu->id.amd_lbr_v2 = r[EAX] & BIT(1);
    cpu->id.amd_freezes = r[EAX] & BIT(2);
    cpu->id.amd_lbr_v2_depth = (uint8_t)(r[EBX] >> 4 & 0x3f);
}

/* The revision appears in the MSR only after CPUID ran with it zeroed. */
static uint64_t microcode(void)
{
    uint64_t value = 0;
    uint32_t r[4];
    msr_write(MSR_BIOS_SIGN_ID, 0);
    cpuid(LEAF_FEATURES, 0, r);
    msr_read(MSR_BIOS_SIGN_ID, &value);
    uint64_t intel = value >> 32;
    return intel ? intel : value;
}

/*
 * What the log shows of CPUID, in this order: what tells processors apart, and what a
 * later reader may want to know of the trace hardware.  Leaf 3, the serial number of
 * some processors, is none of it.
 */
static const struct {
    uint32_t leaf, subleaf;
} shown[] = {
    { 0, 0 },          { 1, 0 },          { 6, 0 },          { 7, 0 },
    { 7, 1 },          { 0xa, 0 },        { 0x14, 0 },       { 0x1a, 0 },
    { 0x1c, 0 },       { 0x23, 0 },       { 0x23, 1 },       { 0x23, 2 },
    { 0x23, 3 },       { 0x40000000, 0 }, { 0x40000001, 0 }, { 0x80000000, 0 },
    { 0x80000001, 0 }, { 0x80000007, 0 }, { 0x80000008, 0 }, { 0x8000000a, 0 },
    { 0x8000001b, 0 }, { 0x80000021, 0 }, { 0x80000022, 0 },
};
_Static_assert(sizeof shown / sizeof shown[0] <= CPUID_LEAVES_MAX, "they find room");

#define LEAF_RANGE 0xffff0000u /* the first leaf of a range tells its highest one */

/* A leaf above the highest of its range answers with that of another. */
static void identify_leaves(struct cpu *cpu, bool hypervisor)
{
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        struct cpuid_leaf leaf = { .leaf = shown[i].leaf, .subleaf = shown[i].subleaf };
        uint32_t range = leaf.leaf & LEAF_RANGE, highest[4];
        if (range == LEAF_HYPERVISOR && !hypervisor)
            continue;
        cpuid(range, 0, highest);
        if (leaf.leaf > highest[EAX])
            continue;
        cpuid(leaf.leaf, leaf.subleaf, leaf.registers);
        cpu->leaves[cpu->leaf_count++] = leaf;
    }
}

const uint32_t *cpu_leaf(const struct cpu *cpu, uint32_t leaf, uint32_t subleaf)
{
    for (size_t i = 0; i < cpu->leaf_count; i++)
        if (cpu->leaves[i].leaf == leaf && cpu->leaves[i].subleaf == subleaf)
            return cpu->leaves[i].registers;
    return NULL;
}

static void identify_counters(struct cpu *cpu)
{
    struct perfmon_leaves leaves = { .basic = cpu_leaf(cpu, LEAF_PERFMON, 0) };
    for (uint32_t i = 0; i < PERFMON_SUBLEAVES; i++)
        leaves.extended[i] = cpu_leaf(cpu, LEAF_PERFMON_EXT, i);
    if (leaves.basic)
        cpu->id.perfmon = (uint8_t)leaves.basic[EAX];
    pmu_take(&cpu->id, &leaves);
}

struct cpu cpu_identify(void)
{
    struct cpu cpu = { 0 };
    uint32_t r[4];
    cpuid(0, 0, r);
    uint32_t highest = r[EAX];
    put12(cpu.id.vendor, r[EBX], r[EDX], r[ECX]);

    cpuid(LEAF_FEATURES, 0, r);
    cpu.signature = r[EAX];
    cpu.id.ds = r[EDX] & BIT(21);
    cpu.id.dtes64 = r[ECX] & BIT(2);
    cpu.id.ds_cpl = r[ECX] & BIT(4);
    cpu.id.pdcm = r[ECX] & BIT(15);
    bool hypervisor = r[ECX] & BIT(31);
    identify_signature(&cpu);

    if (highest >= LEAF_EXTENDED) {
        cpuid(LEAF_EXTENDED, 0, r);
        cpu.id.arch_lbr = r[EDX] & BIT(19);
    }
    if (cpu.id.arch_lbr && highest >= LEAF_ARCH_LBR) {
        cpuid(LEAF_ARCH_LBR, 0, r);
        cpu.id.arch_lbr_depths = (uint8_t)r[EAX];
        cpu.id.arch_lbr_linear = r[EAX] >> 31;
        cpu.id.arch_lbr_filters = (uint8_t)(r[EBX] & ARCH_LBR_FILTERS);
        cpu.id.arch_lbr_fields = (uint8_t)(r[ECX] & ARCH_LBR_FIELDS);
    }
    if (highest >= LEAF_HYBRID) {
        cpuid(LEAF_HYBRID, 0, r);
        cpu.id.core_type = (uint8_t)(r[EAX] >> CORE_TYPE_SHIFT);
    }
    if (hypervisor) {
        cpuid(LEAF_HYPERVISOR, 0, r);
        put12(cpu.hypervisor, r[EBX], r[ECX], r[EDX]);
    }
    identify_amd(&cpu);
    identify_brand(&cpu);
    identify_leaves(&cpu, hypervisor);
    identify_counters(&cpu);
    cpu.microcode = microcode();

    cpu.has_misc_enable = msr_read(MSR_MISC_ENABLE, &cpu.misc_enable);
    cpu.has_perf_capabilities =
        cpu.id.pdcm && msr_read(MSR_PERF_CAPABILITIES, &cpu.perf_capabilities);
    cpu.id.lbr_format = (uint8_t)(cpu.perf_capabilities & PERF_CAPABILITIES_LBR_FORMAT);

    cpu.pmu = pmu_find(&cpu.id);
    cpu.model = model_find(&cpu.id);
    if (cpu.model) {
        cpu.lbr_depth = model_lbr_depth(cpu.model, &cpu.id);
        cpu.lbr_from_flags = entry_from_flags(&cpu.model->lbr, cpu.id.lbr_format);
    }
    return cpu;
}

/* Which core of a hybrid processor it is; 0 where they are all alike. */
static uint32_t core_kind(const struct cpu *cpu)
{
    const uint32_t *hybrid = cpu_leaf(cpu, LEAF_HYBRID, 0);
    return hybrid ? hybrid[EAX] : 0;
}

/* Field by field: what lies between them need not be the same. */
static bool same_id(const struct cpu_id *a, const struct cpu_id *b)
{
    return text_same(a->vendor, b->vendor) && a->family == b->family &&
           a->model == b->model && a->stepping == b->stepping && a->ds == b->ds &&
           a->dtes64 == b->dtes64 && a->ds_cpl == b->ds_cpl && a->pdcm == b->pdcm &&
           a->lbr_format == b->lbr_format && a->arch_lbr == b->arch_lbr &&
           a->arch_lbr_depths == b->arch_lbr_depths &&
           a->arch_lbr_linear == b->arch_lbr_linear &&
           a->arch_lbr_filters == b->arch_lbr_filters &&
           a->arch_lbr_fields == b->arch_lbr_fields && a->amd_lbr_v2 == b->amd_lbr_v2 &&
           a->amd_lbr_v2_depth == b->amd_lbr_v2_depth && a->amd_freezes == b->amd_freezes &&
           a->amd_brs == b->amd_brs && a->perfmon == b->perfmon &&
           a->events_denied == b->events_denied && a->events_by_23 == b->events_by_23 &&
           a->inserts_event == b->inserts_event &&
           a->general_counters == b->general_counters &&
           a->fixed_counters == b->fixed_counters && a->core_type == b->core_type;
}

bool cpu_alike(const struct cpu *a, const struct cpu *b)
{
    return same_id(&a->id, &b->id) && a->signature == b->signature &&
           a->microcode == b->microcode && a->model == b->model &&
           a->lbr_depth == b->lbr_depth && a->lbr_from_flags == b->lbr_from_flags &&
           a->misc_enable == b->misc_enable &&
           a->perf_capabilities == b->perf_capabilities && core_kind(a) == core_kind(b) &&
           text_same(a->brand, b->brand);
}
