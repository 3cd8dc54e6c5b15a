/* SDM vol. 2A, "CPUID"; AMD64 APM vol. 3, "CPUID". */
#include "cpu.h"

#include <stddef.h>

#include "entry.h"
#include "msr.h"
#include "registers.h"
#include "text.h"
#include "x86.h"

enum { EAX };

#define LEAF_FEATURES 1

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

struct cpu cpu_identify(void)
{
    struct cpu cpu = { 0 };
    cpu.leaf_count = cpuid_read(cpu.leaves, cpuid);
    cpuid_decode(&cpu.id, cpu.leaves, cpu.leaf_count);
    cpuid_brand(cpu.brand, cpuid);
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

/* The core type of a hybrid processor; 0 if all cores are alike. */
static uint32_t core_kind(const struct cpu *cpu)
{
    const uint32_t *hybrid = cpuid_find(cpu->leaves, cpu->leaf_count, CPUID_LEAF_HYBRID, 0);
    return hybrid ? hybrid[EAX] : 0;
}

/* Field by field: what lies between them need not be the same. */
static bool same_id(const struct cpu_id *a, const struct cpu_id *b)
{
    return text_same(a->vendor, b->vendor) && a->signature == b->signature &&
           a->family == b->family && a->model == b->model && a->stepping == b->stepping &&
           a->ds == b->ds && a->dtes64 == b->dtes64 && a->ds_cpl == b->ds_cpl &&
           a->pdcm == b->pdcm && a->lbr_format == b->lbr_format &&
           a->arch_lbr == b->arch_lbr && a->arch_lbr_depths == b->arch_lbr_depths &&
           a->arch_lbr_linear == b->arch_lbr_linear &&
           a->arch_lbr_filters == b->arch_lbr_filters &&
           a->arch_lbr_fields == b->arch_lbr_fields && a->amd_lbr_v2 == b->amd_lbr_v2 &&
           a->amd_lbr_v2_depth == b->amd_lbr_v2_depth && a->amd_freezes == b->amd_freezes &&
           a->amd_global_counters == b->amd_global_counters && a->amd_brs == b->amd_brs &&
           a->perfmon == b->perfmon && a->events_denied == b->events_denied &&
           a->general_counters == b->general_counters &&
           a->fixed_counters == b->fixed_counters && a->core_type == b->core_type;
}

bool cpu_alike(const struct cpu *a, const struct cpu *b)
{
    return same_id(&a->id, &b->id) && a->microcode == b->microcode &&
           a->model == b->model && a->lbr_depth == b->lbr_depth &&
           a->lbr_from_flags == b->lbr_from_flags && a->misc_enable == b->misc_enable &&
           a->perf_capabilities == b->perf_capabilities && core_kind(a) == core_kind(b) &&
           text_same(a->brand, b->brand);
}
