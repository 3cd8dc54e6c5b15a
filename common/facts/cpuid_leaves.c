/* cpuid_leaves.h.  SDM vol. 2A, "CPUID"; AMD64 APM vol. 3, "CPUID". */
#include "cpuid_leaves.h"

#include "pmu.h"
#include "text.h"

enum { EAX, EBX, ECX, EDX };

#define BIT(n) (1u << (n))

#define LEAF_VENDOR       0
#define LEAF_FEATURES     1
#define LEAF_PT           0x14
#define LEAF_ARCH_LBR     0x1c
#define LEAF_BRAND        0x80000002u
#define LEAF_BRAND_LAST   0x80000004u
#define LEAF_AMD_FEATURES 0x80000008u
#define LEAF_AMD_PERFMON  0x80000022u
#define FAMILY_EXTENDED   0xf /* the extended family is added to this one            */
#define FAMILY_P6         6   /* from here on the extended model counts (as in Linux) */

/*
 * The leaves that the log shows: those that tell processors apart, and those that describe
 * the trace hardware.  Leaf 3 is left out: some processors have their serial number there.
 */
static const struct {
    uint32_t leaf, subleaf;
} shown[] = {
    { 0, 0 },
    { 1, 0 },
    { 6, 0 },
    { 7, 0 },
    { 7, 1 },
    { 0xa, 0 },
    { 0x14, 0 },
    { 0x14, 1 },
    { 0x1a, 0 },
    { 0x1c, 0 },
    { 0x23, 0 },
    { 0x23, 1 },
    { 0x23, 2 },
    { 0x23, 3 },
    { 0x40000000, 0 },
    { 0x40000001, 0 },
    { 0x80000000, 0 },
    { 0x80000001, 0 },
    { 0x80000007, 0 },
    { 0x80000008, 0 },
    { 0x8000000a, 0 },
    { 0x8000001b, 0 },
    { 0x80000021, 0 },
    { 0x80000022, 0 },
    { CPUID_LEAF_SECOND_NAME, 0 },
};
_Static_assert(sizeof shown / sizeof shown[0] <= CPUID_LEAVES_MAX,
               "CPUID_LEAVES_MAX is too small");

#define LEAF_RANGE     0xffffff00u /* the first leaf of a range gives its highest one */
#define ECX_HYPERVISOR BIT(31)

/*
 * A leaf above the highest of its range returns the data of another leaf.  A hypervisor may
 * give its name and still say that its highest leaf is 0 (Linux,
 * Documentation/virt/kvm/x86/cpuid.rst).
 */
size_t cpuid_read(struct cpuid_leaf leaves[CPUID_LEAVES_MAX],
                  void (*cpuid)(uint32_t leaf, uint32_t subleaf, uint32_t registers[4]))
{
    uint32_t features[4], highest[4];
    size_t count = 0;

    cpuid(LEAF_FEATURES, 0, features);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        struct cpuid_leaf leaf = { .leaf = shown[i].leaf, .subleaf = shown[i].subleaf };
        uint32_t range = leaf.leaf & LEAF_RANGE;

        if (range >> 30 == CPUID_LEAF_HYPERVISOR >> 30 && !(features[ECX] & ECX_HYPERVISOR))
            continue;
        cpuid(range, 0, highest);
        if (leaf.leaf != range && leaf.leaf > highest[EAX])
            continue;
        cpuid(leaf.leaf, leaf.subleaf, leaf.registers);
        if (leaf.leaf == CPUID_LEAF_SECOND_NAME && !cpuid_is_second_name(leaf.registers))
            continue;
        leaves[count++] = leaf;
    }
    return count;
}

/* True if a processor with these leaves has this one, whose range begins at `range`. */
static bool is_enumerated(const struct cpuid_leaf *leaves, size_t count, uint32_t leaf,
                          uint32_t range)
{
    const uint32_t *features = cpuid_find(leaves, count, LEAF_FEATURES, 0);
    const uint32_t *highest = cpuid_find(leaves, count, range, 0);

    if (range == CPUID_LEAF_HYPERVISOR && !(features && features[ECX] & ECX_HYPERVISOR))
        return false;
    return leaf == range || leaf == LEAF_FEATURES || (highest && leaf <= highest[EAX]);
}

bool cpuid_lacks(const struct cpuid_leaf *leaves, size_t count, struct cpuid_leaf *missing)
{
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        uint32_t leaf = shown[i].leaf, subleaf = shown[i].subleaf;

        if (leaf == CPUID_LEAF_SECOND_NAME || (leaf == LEAF_PT && subleaf == 1) ||
            !is_enumerated(leaves, count, leaf, leaf & LEAF_RANGE) ||
            cpuid_find(leaves, count, leaf, subleaf))
            continue;
        *missing = (struct cpuid_leaf){ .leaf = leaf, .subleaf = subleaf };
        return true;
    }
    return false;
}

void cpuid_brand(char brand[CPUID_BRAND_SIZE],
                 void (*cpuid)(uint32_t leaf, uint32_t subleaf, uint32_t registers[4]))
{
    uint32_t r[4];

    for (size_t i = 0; i < CPUID_BRAND_SIZE; i++)
        brand[i] = 0;
    cpuid(CPUID_LEAF_HIGHEST, 0, r);
    if (r[EAX] < LEAF_BRAND_LAST)
        return;
    for (uint32_t leaf = LEAF_BRAND; leaf <= LEAF_BRAND_LAST; leaf++) {
        cpuid(leaf, 0, r);
        for (int i = 0; i < 16; i++)
            *brand++ = (char)(r[i / 4] >> 8 * (i % 4));
    }
}

const uint32_t *cpuid_find(const struct cpuid_leaf *leaves, size_t count, uint32_t leaf,
                           uint32_t subleaf)
{
    for (size_t i = 0; i < count; i++)
        if (leaves[i].leaf == leaf && leaves[i].subleaf == subleaf)
            return leaves[i].registers;
    return NULL;
}

/* Twelve letters in three registers, up to the first zero; what cannot be printed is ?. */
static void take_text(char to[13], const uint32_t *leaf, int a, int b, int c)
{
    const uint32_t words[3] = { leaf[a], leaf[b], leaf[c] };

    for (int i = 0; i < 12; i++)
        to[i] = (char)(words[i / 4] >> 8 * (i % 4));
    to[12] = 0;
    for (int i = 0; to[i]; i++)
        if (to[i] < ' ' || to[i] > '~' || to[i] == '"')
            to[i] = '?';
}

bool cpuid_is_second_name(const uint32_t registers[4])
{
    char name[13];

    take_text(name, registers, EBX, ECX, EDX);
    return text_same(name, HYPERVISOR_KVM) || text_same(name, HYPERVISOR_XEN);
}

static void take_hypervisor(struct cpu_id *id, const struct cpuid_leaf *leaves,
                            size_t count)
{
    const uint32_t *second = cpuid_find(leaves, count, CPUID_LEAF_SECOND_NAME, 0);
    const uint32_t *leaf = second && cpuid_is_second_name(second)
                               ? second
                               : cpuid_find(leaves, count, CPUID_LEAF_HYPERVISOR, 0);

    if (leaf)
        take_text(id->hypervisor, leaf, EBX, ECX, EDX);
}

/* "Version Information Returned by CPUID in EAX". */
void cpuid_take_signature(struct cpu_id *id, uint32_t signature)
{
    uint32_t family = signature >> 8 & 0xf;

    id->signature = signature;
    id->stepping = signature & 0xf;
    id->model = signature >> 4 & 0xf;
    id->family = family == FAMILY_EXTENDED ? family + (signature >> 20 & 0xff) : family;
    if (id->family >= FAMILY_P6)
        id->model |= (signature >> 16 & 0xf) << 4;
}

static void take_arch_lbr(struct cpu_id *id, const uint32_t *leaf)
{
    id->arch_lbr_depths = (uint8_t)leaf[EAX];
    id->arch_lbr_linear = leaf[EAX] & BIT(31);
    id->arch_lbr_filters = (uint8_t)(leaf[EBX] & ARCH_LBR_FILTERS);
    id->arch_lbr_fields = (uint8_t)(leaf[ECX] & ARCH_LBR_FIELDS);
}

static void take_counters(struct cpu_id *id, const struct cpuid_leaf *leaves, size_t count)
{
    struct perfmon_leaves perfmon = { .basic = cpuid_find(leaves, count, LEAF_PERFMON, 0) };

    for (uint32_t i = 0; i < PERFMON_SUBLEAVES; i++)
        perfmon.extended[i] = cpuid_find(leaves, count, LEAF_PERFMON_EXT, i);
    if (perfmon.basic)
        id->perfmon = (uint8_t)perfmon.basic[EAX];
    pmu_take(id, &perfmon);
}

void cpuid_decode(struct cpu_id *id, const struct cpuid_leaf *leaves, size_t count)
{
    const uint32_t *leaf;

    if ((leaf = cpuid_find(leaves, count, LEAF_VENDOR, 0)))
        take_text(id->vendor, leaf, EBX, EDX, ECX);
    if ((leaf = cpuid_find(leaves, count, LEAF_FEATURES, 0))) {
        cpuid_take_signature(id, leaf[EAX]);
        id->ds = leaf[EDX] & BIT(21);
        id->dtes64 = leaf[ECX] & BIT(2);
        id->ds_cpl = leaf[ECX] & BIT(4);
        id->pdcm = leaf[ECX] & BIT(15);
        id->has_hypervisor = leaf[ECX] & BIT(31);
    }
    if (id->has_hypervisor)
        take_hypervisor(id, leaves, count);
    if ((leaf = cpuid_find(leaves, count, CPUID_LEAF_EXTENDED, 0))) {
        id->arch_lbr = leaf[EDX] & BIT(19);
        id->tsx = leaf[EBX] & (BIT(4) | BIT(11));
        id->pt = leaf[EBX] & BIT(25);
    }
    if (id->pt && (leaf = cpuid_find(leaves, count, LEAF_PT, 0))) {
        id->pt_cr3 = leaf[EBX] & BIT(0);
        id->pt_psb = leaf[EBX] & BIT(1);
        id->pt_preserves = leaf[EBX] & BIT(6);
        id->pt_ranges = leaf[EBX] & BIT(2);
        id->pt_mtc = leaf[EBX] & BIT(3);
        id->pt_topa = leaf[ECX] & BIT(0);
        id->pt_topa_regions = leaf[ECX] & BIT(1);
        id->pt_single = leaf[ECX] & BIT(2);
    }
    if (id->pt && (leaf = cpuid_find(leaves, count, LEAF_PT, 1))) {
        id->pt_range_count = leaf[EAX] & 7;
        id->pt_mtc_periods = (uint16_t)(leaf[EAX] >> 16);
    }
    if (id->arch_lbr && (leaf = cpuid_find(leaves, count, LEAF_ARCH_LBR, 0)))
        take_arch_lbr(id, leaf);
    if ((leaf = cpuid_find(leaves, count, CPUID_LEAF_HYBRID, 0)))
        id->core_type = (uint8_t)(leaf[EAX] >> CORE_TYPE_SHIFT);
    if ((leaf = cpuid_find(leaves, count, LEAF_AMD_FEATURES, 0)))
        id->amd_brs = leaf[EBX] & BIT(31);
    if ((leaf = cpuid_find(leaves, count, LEAF_AMD_PERFMON, 0))) {
        id->amd_global_counters = leaf[EAX] & BIT(0);
        id->amd_lbr_v2 = leaf[EAX] & BIT(1);
        id->amd_freezes = leaf[EAX] & BIT(2);
        id->amd_lbr_v2_depth = (uint8_t)(leaf[EBX] >> 4 & 0x3f);
    }
    take_counters(id, leaves, count);
}
