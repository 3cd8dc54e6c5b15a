/*
 * The leaves of CPUID, held against the lines `cpu` and `features`, which say the same in
 * other words: who changes one of them has to change both.
 *
 * SDM vol. 2A, "CPUID"; AMD64 APM vol. 3, "CPUID".
 */
#include "leaves.h"

#include <string.h>

#include "count_of.h"

enum { EAX, EBX, ECX, EDX };
static const char *const registers[] = { "EAX", "EBX", "ECX", "EDX" };

#define LEAF_VENDOR       0
#define LEAF_FEATURES     1
#define LEAF_EXTENDED     7
#define LEAF_HYBRID       0x1a
#define LEAF_ARCH_LBR     0x1c
#define LEAF_HYPERVISOR   0x40000000u
#define LEAF_HIGH         0x80000000u
#define LEAF_AMD_FEATURES 0x80000008u
#define LEAF_AMD_PERFMON  0x80000022u
#define LEAF_RANGE        0xffff0000u /* the first leaf of a range tells its last one */

#define DS              (1u << 21) /* leaf 1, EDX */
#define DTES64          (1u << 2)  /* leaf 1, ECX */
#define DS_CPL          (1u << 4)
#define PDCM            (1u << 15)
#define HYPERVISOR      (1u << 31)
#define ARCH_LBR        (1u << 19) /* leaf 7, EDX */
#define PERFMON_VERSION 0xffu      /* leaf 0AH, EAX */
#define ARCH_LBR_DEPTHS 0xffu      /* leaf 1CH, EAX: bit n is a depth of 8 (n + 1) */
#define ARCH_LBR_LINEAR (1u << 31) /* ...the ends are addresses */
#define AMD_BRS         (1u << 31) /* leaf 80000008H, EBX */
#define AMD_FREEZES     (1u << 2)  /* leaf 80000022H, EAX */
#define AMD_LBR_V2      (1u << 1)
#define AMD_LBR_V2_SIZE 0x3f0u /* EBX: how many records */

static const struct leaf *leaf_of(const struct cpu_part *cpu, uint32_t number,
                                  uint32_t subleaf)
{
    for (size_t i = 0; i < cpu->leaf_count; i++)
        if (cpu->leaves[i].number == number && cpu->leaves[i].subleaf == subleaf)
            return &cpu->leaves[i];
    return NULL;
}

const struct leaf *cpuid_leaf(const struct cpu_part *cpu, uint32_t number)
{
    return leaf_of(cpu, number, 0);
}

bool cpuid_has_hypervisor(const struct cpu_part *cpu)
{
    const struct leaf *leaf = cpuid_leaf(cpu, LEAF_FEATURES);

    return leaf && leaf->registers[ECX] & HYPERVISOR;
}

static void take_counters(struct cpu_part *cpu)
{
    const struct leaf *leaf = cpuid_leaf(cpu, LEAF_PERFMON);
    struct perfmon_leaves leaves = { .basic = leaf ? leaf->registers : NULL };

    for (uint32_t i = 0; i < PERFMON_SUBLEAVES; i++) {
        leaf = leaf_of(cpu, LEAF_PERFMON_EXT, i);
        leaves.extended[i] = leaf ? leaf->registers : NULL;
    }
    pmu_take(&cpu->id, &leaves);
}

void cpuid_take(struct cpu_part *cpu)
{
    const struct leaf *leaf = cpuid_leaf(cpu, LEAF_ARCH_LBR);

    if (leaf) {
        cpu->id.arch_lbr_linear = leaf->registers[EAX] & ARCH_LBR_LINEAR;
        cpu->id.arch_lbr_filters = (uint8_t)(leaf->registers[EBX] & ARCH_LBR_FILTERS);
        cpu->id.arch_lbr_fields = (uint8_t)(leaf->registers[ECX] & ARCH_LBR_FIELDS);
    }
    take_counters(cpu);
    leaf = cpuid_leaf(cpu, LEAF_HYBRID);
    cpu->id.core_type = leaf ? (uint8_t)(leaf->registers[EAX] >> CORE_TYPE_SHIFT) : 0;
    leaf = cpuid_leaf(cpu, LEAF_AMD_FEATURES);
    cpu->id.amd_brs = leaf && leaf->registers[EBX] & AMD_BRS;
    leaf = cpuid_leaf(cpu, LEAF_AMD_PERFMON);
    cpu->id.amd_freezes = leaf && leaf->registers[EAX] & AMD_FREEZES;
}

/* Those that the kernel tells wherever the first one of their range says that they are. */
static const struct {
    uint32_t number, subleaf;
} logged[] = {
    { LEAF_FEATURES, 0 }, { 6, 0 },          { LEAF_EXTENDED, 0 }, { LEAF_EXTENDED, 1 },
    { LEAF_PERFMON, 0 },  { 0x14, 0 },       { LEAF_HYBRID, 0 },   { LEAF_ARCH_LBR, 0 },
    { 0x40000001, 0 },    { 0x80000001, 0 }, { 0x80000007, 0 },    { LEAF_AMD_FEATURES, 0 },
    { 0x8000000a, 0 },    { 0x8000001b, 0 }, { 0x80000021, 0 },    { LEAF_AMD_PERFMON, 0 },
};

/* Older logs have nothing of leaf 23H; a log that has one of its subleaves has all. */
static bool counters_documented(struct log *log)
{
    const struct leaf *any = NULL;

    for (uint32_t i = 0; i < PERFMON_SUBLEAVES && !any; i++)
        any = leaf_of(&log->cpu, LEAF_PERFMON_EXT, i);
    for (uint32_t i = 0; i < PERFMON_SUBLEAVES; i++)
        if (any && !leaf_of(&log->cpu, LEAF_PERFMON_EXT, i))
            return log_error(log, any->line,
                             "cpuid: a part of leaf 0x23, but there is no line \"cpuid "
                             "leaf=0x23 subleaf=0x%x\"",
                             i);
    return true;
}

/* So a leaf that is not told is not there, whether or not something here rests on it. */
static bool all_logged(struct log *log)
{
    for (size_t i = 0; i < COUNT_OF(logged); i++) {
        const uint32_t number = logged[i].number, first = number & LEAF_RANGE;
        const struct leaf *range = cpuid_leaf(&log->cpu, first);

        if (!range || range->registers[EAX] < number ||
            leaf_of(&log->cpu, number, logged[i].subleaf))
            continue;
        return log_error(log, range->line,
                         "cpuid: eax=0x%x of leaf 0x%x, but there is no line \"cpuid "
                         "leaf=0x%x%s\"",
                         range->registers[EAX], first, number,
                         logged[i].subleaf ? " subleaf=0x1" : "");
    }
    return true;
}

/* None stands above the last one of its range, of which the processor would tell lies. */
static bool in_range(struct log *log, const struct leaf *leaf)
{
    const struct leaf *range = cpuid_leaf(&log->cpu, leaf->number & LEAF_RANGE);

    return (range && leaf->number <= range->registers[EAX]) ||
           log_error(log, leaf->line,
                     "cpuid: leaf=0x%x, want one up to eax=0x%x of leaf 0x%x", leaf->number,
                     range ? range->registers[EAX] : 0, leaf->number & LEAF_RANGE);
}

/* Up to its first zero, as the kernel writes it. */
static size_t put_text(char out[13], const struct leaf *leaf, const uint8_t order[3])
{
    for (size_t i = 0; i < 12; i++)
        out[i] = (char)(leaf->registers[order[i / 4]] >> 8 * (i % 4));
    out[12] = 0;
    for (size_t i = 0; out[i]; i++)
        if (out[i] < ' ' || out[i] > '~' || out[i] == '"')
            out[i] = '?';
    return strlen(out);
}

static bool vendor_agrees(struct log *log)
{
    static const uint8_t order[] = { EBX, EDX, ECX };
    const struct leaf *leaf = cpuid_leaf(&log->cpu, LEAF_VENDOR);
    char vendor[13];

    put_text(vendor, leaf, order);
    return strcmp(vendor, log->cpu.id.vendor) == 0 ||
           log_error(log, log->cpu.line,
                     "cpu: got vendor=\"%s\", want \"%s\" by leaf 0x0 in line %zu",
                     log->cpu.id.vendor, vendor, leaf->line);
}

static bool signature_agrees(struct log *log)
{
    const struct leaf *leaf = cpuid_leaf(&log->cpu, LEAF_FEATURES);

    return leaf->registers[EAX] == log->cpu.signature ||
           log_error(log, leaf->line,
                     "cpuid: eax=0x%x of leaf 0x1, but signature=0x%llx in line %zu",
                     leaf->registers[EAX], (unsigned long long)log->cpu.signature,
                     log->cpu.line);
}

/* One may announce itself and give no name, or one without the leaf that has the name. */
static bool hypervisor_agrees(struct log *log)
{
    static const uint8_t order[] = { EBX, ECX, EDX };
    const struct leaf *leaf = cpuid_leaf(&log->cpu, LEAF_HYPERVISOR);
    struct span got = log->cpu.hypervisor;
    char name[13];

    if (!cpuid_has_hypervisor(&log->cpu))
        return (got.length == 0 && !leaf) ||
               log_error(log, got.length ? log->cpu.line : leaf->line,
                         "%s, but ECX[31] of leaf 0x1 in line %zu announces no hypervisor",
                         got.length ? "cpu: it names a hypervisor"
                                    : "cpuid: leaf 0x40000000",
                         cpuid_leaf(&log->cpu, LEAF_FEATURES)->line);
    if (!leaf)
        return true;
    put_text(name, leaf, order);
    return span_is(got, name) ||
           log_error(log, log->cpu.line,
                     "cpu: got hypervisor=\"%.*s\", want \"%s\" by leaf 0x40000000 in line "
                     "%zu",
                     SPAN(got), name, leaf->line);
}

/* A field of the line `features`, and the bits that say the same. */
struct held {
    const char *field;
    uint64_t logged;
    uint32_t leaf;
    uint8_t which;
    uint32_t mask;
};

static bool feature_agrees(struct log *log, const struct held *held)
{
    const struct leaf *leaf = cpuid_leaf(&log->cpu, held->leaf);
    const uint32_t lowest = held->mask & -held->mask;
    uint64_t want = 0;

    if (leaf)
        want = (leaf->registers[held->which] & held->mask) / lowest;
    return held->logged == want ||
           log_error(log, log->cpu.features_line,
                     "features: %s is %llu, want %llu by bit %d of %s of leaf 0x%x%s",
                     held->field, (unsigned long long)held->logged,
                     (unsigned long long)want, __builtin_ctz(held->mask),
                     registers[held->which], held->leaf,
                     leaf ? "" : ", which there is not");
}

static bool features_agree(struct log *log)
{
    const struct cpu_id *id = &log->cpu.id;
    const struct held all[] = {
        { .field = "ds",
          .logged = id->ds,
          .leaf = LEAF_FEATURES,
          .which = EDX,
          .mask = DS },
        { .field = "dtes64",
          .logged = id->dtes64,
          .leaf = LEAF_FEATURES,
          .which = ECX,
          .mask = DTES64 },
        { .field = "ds_cpl",
          .logged = id->ds_cpl,
          .leaf = LEAF_FEATURES,
          .which = ECX,
          .mask = DS_CPL },
        { .field = "pdcm",
          .logged = id->pdcm,
          .leaf = LEAF_FEATURES,
          .which = ECX,
          .mask = PDCM },
        { .field = "arch_lbr",
          .logged = id->arch_lbr,
          .leaf = LEAF_EXTENDED,
          .which = EDX,
          .mask = ARCH_LBR },
        { .field = "perfmon",
          .logged = id->perfmon,
          .leaf = LEAF_PERFMON,
          .which = EAX,
          .mask = PERFMON_VERSION },
        { .field = "amd_lbr_v2",
          .logged = id->amd_lbr_v2,
          .leaf = LEAF_AMD_PERFMON,
          .which = EAX,
          .mask = AMD_LBR_V2 },
        { .field = "amd_lbr_v2_depth",
          .logged = id->amd_lbr_v2_depth,
          .leaf = LEAF_AMD_PERFMON,
          .which = EBX,
          .mask = AMD_LBR_V2_SIZE },
        /* the last one: it counts where the processor has architectural LBR */
        { .field = "arch_lbr_depths",
          .logged = id->arch_lbr_depths,
          .leaf = LEAF_ARCH_LBR,
          .which = EAX,
          .mask = ARCH_LBR_DEPTHS },
    };
    size_t count = COUNT_OF(all) - !id->arch_lbr;

    for (size_t i = 0; i < count; i++)
        if (!feature_agrees(log, &all[i]))
            return false;
    return id->arch_lbr || id->arch_lbr_depths == 0 ||
           log_error(log, log->cpu.features_line,
                     "features: arch_lbr_depths=0x%x, but arch_lbr=0", id->arch_lbr_depths);
}

bool cpuid_agrees(struct log *log)
{
    /* the last one tells what else a processor with a long mode has, and all have it */
    const uint32_t wanted[] = { LEAF_VENDOR, LEAF_FEATURES, LEAF_HIGH };

    for (size_t i = 0; i < COUNT_OF(wanted); i++)
        if (!cpuid_leaf(&log->cpu, wanted[i]))
            return log_error(log, log->line, "model: no line \"cpuid leaf=0x%x\" before it",
                             wanted[i]);
    for (size_t i = 0; i < log->cpu.leaf_count; i++)
        if (!in_range(log, &log->cpu.leaves[i]))
            return false;
    return vendor_agrees(log) && signature_agrees(log) && hypervisor_agrees(log) &&
           all_logged(log) && counters_documented(log) && features_agree(log);
}
