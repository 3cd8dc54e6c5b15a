/* deviation.h */
#include "deviation.h"

#include <stdbool.h>

#include "text.h"

#define BIT_OF(deviation) [(deviation)-1]

const char *const deviation_codes[DEVIATION_CODES] = {
    BIT_OF(DEVIATES_OTHERWISE) = "other",
    BIT_OF(LEFT_BTF_SET) = "left-btf",
    BIT_OF(LEFT_LBR_ON) = "left-lbr",
    BIT_OF(LEFT_LVT_OPEN) = "left-lvt",
    BIT_OF(PT_USER_CLEAR) = "pt-user-clear",
    BIT_OF(PT_OS_CLEAR) = "pt-os-clear",
    BIT_OF(PT_CR3_SAME) = "pt-cr3-same",
    BIT_OF(PT_CR3_OTHER) = "pt-cr3-other",
    BIT_OF(PT_RANGE) = "pt-range",
    BIT_OF(PT_MTC_FEW) = "pt-mtc",
    BIT_OF(PT_MTC_REPEATS) = "pt-mtc-changes",
    BIT_OF(PT_MTC_OTHERS) = "pt-mtc-alone",
    BIT_OF(PT_CYC_NONE) = "pt-cyc",
    BIT_OF(PT_CYC_OTHERS) = "pt-cyc-alone",
    BIT_OF(PT_PMI_NONE) = "pt-pmi",
    BIT_OF(PT_PMI_MORE) = "pt-pmi-once",
    BIT_OF(PT_PMI_COST) = "pt-pmi-cost",
    BIT_OF(FREEZE_BY_HAND) = "freeze-by-hand",
};

const char *deviation_words(enum deviation deviation)
{
    static const char *const words[DEVIATIONS] = {
        [LEFT_BTF_SET] = "delivering #DB left BTF set",
        [LEFT_LBR_ON] = "delivering #DB left recording on",
        [LEFT_LVT_OPEN] = "the interrupt left its entry of the local vector table open",
        [PT_USER_CLEAR] = "with USER clear, packets of ring 0 differ",
        [PT_OS_CLEAR] = "with OS clear, ring 0 has packets",
        [PT_CR3_SAME] = "with CR3_MATCH, packets differ",
        [PT_CR3_OTHER] = "with another CR3_MATCH, there are packets",
        [PT_RANGE] = "with a range, the packets are not those of its code",
        [PT_MTC_FEW] = "MTC: fewer than two packets in a long run",
        [PT_MTC_REPEATS] = "MTC: two in a row have one value",
        [PT_MTC_OTHERS] = "MTC: the other packets differ",
        [PT_CYC_NONE] = "CYC: no packet",
        [PT_CYC_OTHERS] = "CYC: the other packets differ",
        [PT_PMI_NONE] = "a full region does not interrupt",
        [PT_PMI_MORE] = "a full region interrupts more than once",
        [PT_PMI_COST] = "the interrupt of a full region costs branches",
        [FREEZE_BY_HAND] = "writing LBR_FRZ freezes nothing",
    };

    return words[deviation];
}

enum deviation deviation_coded(const char *code)
{
    for (enum deviation i = DEVIATES_OTHERWISE; i < DEVIATIONS; i++)
        if (text_same(deviation_codes[i - 1], code))
            return i;
    return NO_DEVIATION;
}

/* True if these are the deviation's words, and no more. */
static bool is_said(enum deviation deviation, const char *at, size_t length)
{
    const char *words = deviation_words(deviation);
    size_t i = 0;

    while (words && i < length && words[i] == at[i])
        i++;
    return words && i == length && !words[i];
}

static enum deviation deviation_said(const char *at, size_t length)
{
    for (enum deviation i = DEVIATES_OTHERWISE + 1; i < DEVIATIONS; i++)
        if (is_said(i, at, length))
            return i;
    return DEVIATES_OTHERWISE;
}

/* Several are separated by "; ". */
uint32_t deviations_in(const char *evidence, size_t length)
{
    uint32_t found = 0;

    for (size_t begin = 0, end; begin <= length; begin = end + 2) {
        for (end = begin; end < length && evidence[end] != ';'; end++) {
        }
        found |= DEVIATION(deviation_said(evidence + begin, end - begin));
    }
    return found;
}
