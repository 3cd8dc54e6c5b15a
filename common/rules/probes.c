/*
 * What the probe of a facility may find although the processor is right: rules that no
 * manual states, or states in one place and not in another, and errata of the probe's own
 * trials.
 *
 * Each accounts for one evidence, which the log holds in words.
 */
#include "rule.h"

#include "deviation.h"
#include "text.h"

static bool is_deviation(const struct rule_probe *found, enum facility facility,
                         const char *evidence)
{
    return found->facility == facility && found->result == DEVIATES &&
           text_same(found->evidence, evidence);
}

static bool is_of_bts(const struct rule_place *place, const struct rule_probe *found)
{
    (void)place;
    return found->facility == FACILITY_FREEZE && found->result == DEVIATES &&
           text_begins(found->evidence, "the interrupt ") &&
           text_ends(found->evidence, "; that of BTS did not");
}

static bool counters_go_on(const struct rule_place *place, const struct rule_probe *found)
{
    (void)place;
    return is_deviation(found, FACILITY_FREEZE, "the counters go on");
}

static bool stack_goes_on(const struct rule_place *place, const struct rule_probe *found)
{
    (void)place;
    return is_deviation(found, FACILITY_FREEZE, "the interrupt's entry was recorded") ||
           (found->facility == FACILITY_FREEZE && found->result == DEAD &&
            text_same(found->evidence, "accepted, but the interrupt froze nothing"));
}

static bool fuses_with_pair(const struct rule_place *place, const struct rule_probe *found)
{
    (void)place;
    return is_deviation(found, FACILITY_LBR,
                        "FROM is a fused instruction although DebugCtl.LBR is set");
}

static bool is_by_hand(const struct rule_place *place, const struct rule_probe *found)
{
    (void)place;
    return found->facility == FACILITY_FREEZE && found->result == DEVIATES &&
           found->deviations == DEVIATION(FREEZE_BY_HAND);
}

#define BELOW(microcode, stepping) \
    .steppings = 1u << (stepping), .microcode_below = (microcode)
static const struct rule_cpus goldmont[] = {
    { .models = { 0x5c }, BELOW(0x0e, 2) },
    { .models = { 0x5c }, BELOW(0x2e, 9) },
    { .models = { 0x5c }, BELOW(0x08, 10) },
    { .models = { 0x5f }, BELOW(0x28, 1) },
    { .models = { 0x7a }, BELOW(0x28, 1) },
    { .models = { 0x7a }, BELOW(0x06, 8) },
    { .models = { 0 } },
};

static const struct rule_cpus bonnell[] = {
    { .models = { 0x1c }, .steppings = 0x3ff },
    { .models = { 0 } },
};

static const struct rule rows[] = {
    {
        .name = "freeze-bts",
        .sentence = "The interrupt of a full BTS buffer freezes LBR and the counters, as "
                    "that of a counter does.",
        .source = "SDM vol. 3B, \"Freezing LBR and Performance Counters on PMI\"; vol. 4, "
                  "the bits of IA32_PERF_GLOBAL_STATUS, does not name it",
        .confidence = UNCONFIRMED,
        .explains_probe = is_of_bts,
        .property = "bt-bts-no-freeze",
    },
    {
        .name = "freeze-by-hand",
        .sentence = "Writing LBR_FRZ to PerfCntrGlobalStatusSet (C0000303H) freezes AMD's "
                    "LBR stack.",
        .source = "AMD's Processor Programming References, PerfCntrGlobalStatusSet",
        .confidence = UNCONFIRMED,
        .explains_probe = is_by_hand,
        .property = "bt-no-soft-freeze",
    },
    {
        .name = "freeze-goldmont",
        .errata = "none known",
        .sentence = "With old microcode Goldmont and Goldmont Plus do not freeze their "
                    "counters.",
        .source = "Linux before 3daa96d67274, arch/x86/events/intel/core.c, "
                  "counter_freezing_ucodes",
        .confidence = ERRATUM,
        .cpus = goldmont,
        .explains_probe = counters_go_on,
    },
    {
        .name = "freeze-bonnell",
        .errata = "none known",
        .sentence = "Bonnell below stepping 10 does not freeze the LBR stack at an "
                    "interrupt.",
        .source = "Linux, arch/x86/events/intel/lbr.c, intel_pmu_lbr_init_atom()",
        .confidence = ERRATUM,
        .cpus = bonnell,
        .explains_probe = stack_goes_on,
    },
    {
        .name = "lbr-pair-fused",
        .sentence =
            "With DebugCtl.LBR set, FROM is the branch itself, even if the processor "
            "fused that branch just before.",
        .source = "AMD64 APM vol. 2, \"Last Branch Stack Registers\", which does not say "
                  "whether earlier fused operations are dropped",
        .confidence = DERIVED,
        .explains_probe = fuses_with_pair,
    },
};
RULE_TABLE(probe_rules, rows);
