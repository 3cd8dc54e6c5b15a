/*
 * Deviations that the further trials of the probe of Processor Trace can find.
 *
 * The kernel logs the words as the facility's evidence, and the judge looks them up there.
 * Several are separated by "; ".
 */
#pragma once

#include "rule.h"

enum pt_deviation {
    PT_NONE,
    PT_USER_CLEAR,
    PT_OS_CLEAR,
    PT_CR3_SAME,
    PT_CR3_OTHER,
    PT_RANGE,
    PT_MTC_FEW,
    PT_MTC_REPEATS,
    PT_MTC_OTHERS,
    PT_CYC_NONE,
    PT_CYC_OTHERS,
    PT_PMI_NONE,
    PT_PMI_MORE,
    PT_PMI_COST,
    PT_DEVIATIONS,
};

/* The words in the evidence; NULL for PT_NONE. */
const char *pt_deviation_evidence(enum pt_deviation);

/*
 * Returns the first rule that this evidence of a deviation breaks if all that it breaks are
 * derived, else NULL: then the processor certainly deviates.
 */
const struct rule *pt_derived_rule(const char *evidence);
