/*
 * What the probe of a facility can find it to do otherwise than its manual says.
 *
 * The log has a code for each, beside the words of the evidence, and the kernel's screen,
 * the judge and the table of platforms compare codes.  The code of a deviation of Processor
 * Trace is the name of the rule that it breaks (common/rules/pt.c).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum deviation {
    NO_DEVIATION,
    DEVIATES_OTHERWISE, /* as only the evidence says */
    LEFT_BTF_SET,       /* these three by hypervisors */
    LEFT_LBR_ON,
    LEFT_LVT_OPEN,
    PT_USER_CLEAR, /* by the further trials of Processor Trace */
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
    FREEZE_BY_HAND, /* the rule freeze-by-hand */
    DEVIATIONS,
};

/* A set of them is one bit each, from bit 0 on. */
#define DEVIATION(deviation) (1u << ((deviation)-1))

#define DEVIATION_CODES (DEVIATIONS - 1)
extern const char *const deviation_codes[DEVIATION_CODES]; /* by the bit */

/* Returns the words that the evidence has for it, or NULL. */
const char *deviation_words(enum deviation);

/* The deviation with this code, or NO_DEVIATION. */
enum deviation deviation_coded(const char *code);

/* Returns the deviations that an old log names in words: it has no codes. */
uint32_t deviations_in(const char *evidence, size_t length);
