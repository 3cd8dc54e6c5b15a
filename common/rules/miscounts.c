/*
 * Counters that count wrong: errata of events, and hypervisors.
 *
 * Each rule here accounts for a count that is off by a few events, on the processors or the
 * hypervisor that it names, and says how far off it may be.  A vendor's list of events can
 * name an erratum whose text nobody has read: then the bound is chosen, and a difference is
 * measured.
 */
#include "rule.h"

#include "pmu.h"
#include "text.h"

#define BRANCHES_RETIRED 0xc4
#define INSNS_RETIRED    0xc0

#define PERFMON "intel/perfmon, the field \"Errata\" of Intel's event files"

static uint64_t excess(const struct rule_count *count)
{
    return count->counted > count->most ? count->counted - count->most : 0;
}

static uint64_t error(const struct rule_count *count)
{
    return count->counted < count->least ? count->least - count->counted : excess(count);
}

/* Each interrupt is two far transfers: its entry and its IRETQ. */
static uint64_t far_transfers(const struct rule_count *count)
{
    return count->far + 2 * count->interrupts;
}

/* The large core of a hybrid has the same model number and no such erratum. */
static bool is_over_at_far(const struct rule_place *place, const struct rule_count *count)
{
    return place->id && place->id->core_type != CORE_TYPE_CORE &&
           count->event == BRANCHES_RETIRED && excess(count) &&
           excess(count) <= far_transfers(count);
}

static bool is_off_by_few(const struct rule_place *place, const struct rule_count *count)
{
    (void)place;
    return count->event == BRANCHES_RETIRED && error(count) &&
           error(count) <= 1 + count->interrupts;
}

static bool is_off_on_small_core(const struct rule_place *place,
                                 const struct rule_count *count)
{
    return place->id && place->id->core_type != CORE_TYPE_CORE &&
           is_off_by_few(place, count);
}

/* Linux raises periods below this one. */
#define INSNS_PERIOD 128

static bool is_of_small_period(const struct rule_place *place,
                               const struct rule_count *count)
{
    (void)place;
    return count->event == INSNS_RETIRED && count->period < INSNS_PERIOD && error(count) &&
           error(count) <= count->period;
}

static bool is_of_unsafe_period(const struct rule_place *place,
                                const struct rule_count *count)
{
    (void)place;
    return count->period && count->period < PERIOD_SAFE && excess(count) &&
           excess(count) <= PERIOD_SAFE;
}

#define XEN_EXCESS 64 /* for each interrupt; the bound is chosen */

/* Of many interrupts the excess is at most what the workload has itself: also chosen. */
static bool is_over_on_xen(const struct rule_place *place, const struct rule_count *count)
{
    const uint64_t most = XEN_EXCESS * count->interrupts;

    return place->platform && text_same(place->platform->name, "xen") && excess(count) &&
           excess(count) <= most && excess(count) <= XEN_EXCESS + count->most;
}

/*
 * What the probe's counter counts beside three near branches, where no manual states it. Of
 * an event whose number itself is unconfirmed, any count may be right that has the kinds of
 * branches which it counted in the probe, if those were not all.
 */
static bool is_by_row(const struct rule_place *place, const struct rule_count *count)
{
    const struct pmu *pmu = place->id ? pmu_find(place->id) : NULL;

    if (!pmu || is_confirmed(pmu->confidence))
        return false;
    if (pmu->confidence == UNCONFIRMED)
        return count->counted >= count->near &&
               (!count->exact || excess(count) <= far_transfers(count));
    return excess(count) && excess(count) <= far_transfers(count);
}

static bool counts_nothing(const struct rule_place *place, const struct rule_probe *found)
{
    (void)place;
    return found->facility == FACILITY_PMI && found->result == DEAD &&
           text_ends(found->evidence, "nothing was counted");
}

static bool is_unconfirmed_and_dead(const struct rule_place *place,
                                    const struct rule_probe *found)
{
    const struct pmu *pmu = place->id ? pmu_find(place->id) : NULL;

    return pmu && pmu->confidence == UNCONFIRMED && counts_nothing(place, found);
}

/* Nehalem and Westmere, as Linux has them. */
static const struct rule_cpus nehalem[] = {
    { .models = { 0x1a, 0x1e, 0x2e, 0x25, 0x2c, 0x2f } },
    { .models = { 0 } },
};

/* KVM's tests name all Atoms to Sierra Forest. */
static const struct rule_cpus atoms[] = {
    { .models = { 0x37, 0x4a, 0x4c, 0x4d, 0x5a, 0x5d, 0x5c, 0x5f, 0x7a, 0x86, 0x96,
                  0x9c } },
    { .models = { 0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xbe, 0xaa, 0xac, 0xb5, 0xc5, 0xc6, 0xaf,
                  0xb6 } },
    { .models = { 0 } },
};

static const struct rule_cpus crestmont[] = {
    { .models = { 0xaf, 0xaa, 0xac, 0xb5, 0xc5, 0xc6 } },
    { .models = { 0 } },
};

static const struct rule_cpus skylake[] = {
    { .models = { 0x4e, 0x5e, 0x8e, 0x9e, 0xa5, 0xa6, 0x55 } },
    { .models = { 0 } },
};

static const struct rule_cpus haswell_broadwell[] = {
    { .models = { 0x3c, 0x3f, 0x45, 0x46, 0x3d, 0x47, 0x4f, 0x56 } },
    { .models = { 0 } },
};

static const struct rule_cpus haswell_nehalem[] = {
    { .models = { 0x3c, 0x3f, 0x45, 0x46, 0x1a, 0x1e, 0x2e } },
    { .models = { 0 } },
};

static const struct rule rows[] = {
    {
        .name = "count-far",
        .errata = "SRF7, MTL013, ARL011",
        .sentence = "On small cores up to Sierra Forest, event C4H counts a far transfer "
                    "once more: far CALL, JMP and RET, IRET, and the entry of an "
                    "interrupt.",
        .source = "kvm-unit-tests, lib/x86/pmu.c; " PERFMON "; once more is chosen",
        .confidence = ERRATUM,
        .cpus = atoms,
        .explains_count = is_over_at_far,
    },
    {
        .name = "count-skl091",
        .errata = "SKL091",
        .sentence =
            "On the Skylake family, a count of retired branches may be wrong by one, and "
            "by one more for each interrupt.",
        .source = PERFMON "; the erratum's text was not found",
        .confidence = UNCONFIRMED,
        .cpus = skylake,
        .explains_count = is_off_by_few,
    },
    {
        .name = "count-srf6",
        .errata = "SRF6, MTL012, ARL010",
        .sentence = "On Crestmont, a count of all retired branches may be wrong by one, "
                    "and by one more for each interrupt.",
        .source = PERFMON "; the erratum's text was not found",
        .confidence = UNCONFIRMED,
        .cpus = crestmont,
        .explains_count = is_off_on_small_core,
    },
    {
        .name = "count-insns",
        .errata = "BDM11, BDM55, HSD11, HSD140",
        .sentence = "With a period below 128, the count of retired instructions may be "
                    "wrong by up to one period.",
        .source = "Linux, arch/x86/events/intel/core.c, bdw_limit_period(); " PERFMON
                  "; the bound is chosen",
        .confidence = ERRATUM,
        .cpus = haswell_broadwell,
        .explains_count = is_of_small_period,
    },
    {
        .name = "count-small-period",
        .errata = "HSW11, HSW143",
        .sentence =
            "With a period below 32, a counter's interrupts may follow one another without "
            "end, or be up to 32 more than its count, which may be too high by up to 32.",
        .source = "Linux, arch/x86/events/intel/core.c, hsw_limit_period() and "
                  "nhm_limit_period()",
        .confidence = ERRATUM,
        .cpus = haswell_nehalem,
        .explains_count = is_of_unsafe_period,
        .property = "bt-small-period",
    },
    {
        .name = "small-periods-few",
        .sentence = "At most half of a log's runs by a counter with a period below 32, and "
                    "two more, differ as that erratum says.",
        .source = "the probe, in which such a period works; the bound is chosen",
        .confidence = STATED,
        .of_run = true,
    },
    {
        .name = "count-nehalem",
        .errata = "AAK100, AAP53, BD53",
        .sentence = "On Nehalem and Westmere a counter may count wrong or not at all, "
                    "although the kernel makes the writes by which Linux prevents it.",
        .source = "Linux, arch/x86/events/intel/core.c, intel_pmu_nhm_workaround(), which "
                  "says that the writes prevent it",
        .confidence = UNCONFIRMED,
        .cpus = nehalem,
        .explains_probe = counts_nothing,
    },
    {
        .name = "count-xen",
        .sentence =
            "On Xen each interrupt of a counter may make its count too high by up to 64 "
            "events, but by no more in all than the count itself and 64.",
        .source = "rr, src/PerfCounters_x86.h, \"Overcount triggered by PMU interrupts\"; "
                  "the bound is chosen",
        .confidence = DERIVED,
        .explains_count = is_over_on_xen,
    },
    {
        .name = "count-row",
        .sentence = "Besides near branches, a counter counts what the processor's row of "
                    "events says.",
        .source = "common/facts/pmu.c, where no manual states it",
        .confidence = UNCONFIRMED,
        .explains_count = is_by_row,
        .explains_probe = is_unconfirmed_and_dead,
    },
};
RULE_TABLE(miscount_rules, rows);
