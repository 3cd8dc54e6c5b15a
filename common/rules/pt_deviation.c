/* pt_deviation.h */
#include "pt_deviation.h"

#include <stddef.h>

#include "text.h"

const struct pt_rule pt_rules[PT_DEVIATIONS] = {
    [PT_USER_CLEAR] = { "with USER clear, packets of ring 0 differ",
                        "Filtering by Current Privilege Level (CPL)", "stated" },
    [PT_OS_CLEAR] = { "with OS clear, ring 0 has packets",
                      "Filtering by Current Privilege Level (CPL)", "stated" },
    [PT_CR3_SAME] = { "with CR3_MATCH, packets differ", "Filtering by CR3", "stated" },
    [PT_CR3_OTHER] = { "with another CR3_MATCH, there are packets", "Filtering by CR3",
                       "stated" },
    [PT_RANGE] = { "with a range, the packets are not those of its code", "Filtering by IP",
                   "stated" },
    /* That title also says that MTC packets can be dropped. */
    [PT_MTC_FEW] = { "MTC: fewer than two packets in a long run",
                     "Mini Time Counter (MTC) Packet", "derived" },
    [PT_MTC_REPEATS] = { "MTC: two in a row have one value",
                         "Mini Time Counter (MTC) Packet", "derived" },
    [PT_MTC_OTHERS] = { "MTC: the other packets differ", "Mini Time Counter (MTC) Packet",
                        "derived" },
    [PT_CYC_NONE] = { "CYC: no packet", "Cycle Count (CYC) Packet", "derived" },
    [PT_CYC_OTHERS] = { "CYC: the other packets differ", "Cycle Count (CYC) Packet",
                        "derived" },
    [PT_PMI_NONE] = { "a full region does not interrupt", "ToPA PMI", "stated" },
    /* That title also says that the interrupt is not precise. */
    [PT_PMI_MORE] = { "a full region interrupts more than once", "ToPA PMI", "derived" },
    [PT_PMI_COST] = { "the interrupt of a full region costs branches", "ToPA PMI",
                      "derived" },
};

/* True if the evidence is these words, or has more of them after "; ". */
static bool says(const char *evidence, const char *words)
{
    if (!text_begins(evidence, words))
        return false;
    evidence += text_length(words);
    return !*evidence || text_begins(evidence, "; ");
}

/* The derived rule whose deviation comes first in the evidence, or NULL. */
static const struct pt_rule *derived_at(const char *evidence)
{
    for (enum pt_deviation i = PT_NONE + 1; i < PT_DEVIATIONS; i++)
        if (text_same(pt_rules[i].confidence, "derived") &&
            says(evidence, pt_rules[i].deviation))
            return &pt_rules[i];
    return NULL;
}

const struct pt_rule *pt_deviation_derived(const char *evidence)
{
    const struct pt_rule *first = derived_at(evidence), *rule = first;

    while (rule) {
        evidence += text_length(rule->deviation);
        if (!*evidence)
            return first;
        evidence += text_length("; ");
        rule = derived_at(evidence);
    }
    return NULL;
}
