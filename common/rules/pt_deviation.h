/*
 * The deviations that the probe of Processor Trace can find by its further trials, and how
 * far the rule that each breaks is to be trusted.
 *
 * The kernel logs the words as the facility's evidence, and the judge looks them up there.
 * Several are separated by "; ".
 */
#pragma once

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

struct pt_rule {
    const char *deviation;  /* what the evidence says where the rule is broken      */
    const char *source;     /* a title in SDM vol. 3C, "Intel Processor Trace"      */
    const char *confidence; /* stated: in the manual's words; derived: our reading  */
};
extern const struct pt_rule pt_rules[PT_DEVIATIONS]; /* that of PT_NONE is empty */

/*
 * Returns the first rule that this evidence of a deviation breaks if all that it breaks are
 * derived, else NULL: then the processor certainly deviates.
 */
const struct pt_rule *pt_deviation_derived(const char *evidence);
