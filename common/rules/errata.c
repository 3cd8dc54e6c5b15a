/*
 * Errata: what some processors do contrary to their manuals.
 *
 * An erratum is a rule like any other, with the vendor's identifiers and the processors
 * that have it.  It accounts only for the difference that it describes, and only there.
 * An erratum that the kernel works around makes no difference in the trace.
 */
#include "rule.h"

#include "count_of.h"

/* Broadwell.  Xen has 56H as well, for which Intel's lists have no identifier. */
static bool has_ler_to_top(const struct rule_place *place)
{
    static const uint8_t numbers[] = { 0x3d, 0x47, 0x4f, 0x56 };

    return place->method->last_event && rule_is_intel_6(place, numbers, COUNT_OF(numbers));
}

static bool has_rep_64(const struct rule_place *place)
{
    static const uint8_t knights_landing[] = { 0x57 };

    return place->method->every_insn &&
           rule_is_intel_6(place, knights_landing, COUNT_OF(knights_landing));
}

static const struct rule rows[] = {
    {
        .name = "ler-to-top",
        .errata = "BDM131, BDW120, BDF93, BDH80, BDX93",
        .sentence =
            "Bits 63:61 of the LER's TO need not match the sign bit of the address, so "
            "the kernel sign-extends TO after reading it.",
        .source = "Xen, xen/arch/x86/hvm/vmx/vmx.c, ler_to_fixup_check()",
        .confidence = ERRATUM,
        .applies = has_ler_to_top,
        .of_no_record = true, /* kernel/methods/ler.c works around it */
        .workload = "int",
        .property = "bt-ler-to-top",
    },
    {
        .name = "step-rep-64",
        .errata = "none known",
        .sentence = "While RCX is above 16, one step executes up to 64 iterations of a REP "
                    "string instruction; with 16 or less it executes one.",
        .source = "rr, src/Task.cc; rr#1904, rr#1948",
        .confidence = ERRATUM,
        .applies = has_rep_64,
        .platform = ON_SILICON,
        .of_no_record = true, /* tools/judge/rounds.c counts the stops */
        .workload = "rep",
        .property = "bt-rep-64",
    },
};
RULE_TABLE(errata_rules, rows);
