/* skip_code.h */
#include "skip_code.h"

const struct skip_word skip_words[SKIP_CODES] = {
    [SKIP_NOTHING] = { "", "" },
    [SKIP_LACKS] = { "lacks", "% was not found to work" },
    [SKIP_DIED] = { "died", "the machine died of it: see %" },
    [SKIP_LOST] = { "lost-processor",
                    "a processor did not come back: nothing more is run" },
    [SKIP_NO_APIC] = { "no-apic", "the local APIC is off: no interrupt would come" },
    [SKIP_NO_XAPIC] = { "no-xapic", "the local APIC's registers are not in memory: it is "
                                    "off, or in x2APIC mode" },
    [SKIP_NO_X2APIC] = { "no-x2apic", "the local APIC is not in x2APIC mode" },
    [SKIP_SMALL_STACK] = { "small-stack", "the stack of last-branch records is too small "
                                          "to be emptied in time" },
    [SKIP_FILTER_DROPPED] = { "filter-dropped",
                              "the filter's register does not hold what is written" },

    [SKIP_STOCK_QEMU] = { "stock-qemu", "stock QEMU is known to get this wrong" },
    [SKIP_ABOVE_4G] = { "above-4g", "its far pointers reach only the first 4 GiB, and the "
                                    "image lies above" },
    [SKIP_NO_SYSENTER] = { "no-sysenter",
                           "SYSENTER in 64-bit mode is not known of this processor" },
    [SKIP_TAKES_DB] = { "takes-db", "it takes #DB itself, by which this method stops" },
    [SKIP_TAKES_NMI] = { "takes-nmi",
                         "it takes NMI itself, by which this method empties its buffer" },
    [SKIP_TOO_LONG] = { "too-long", "it is long, and this method takes an event of its own "
                                    "for each branch" },
    [SKIP_EXCEPTIONS] = { "exceptions", "its exceptions follow each other faster than the "
                                        "small stack is emptied" },

    [SKIP_THRESHOLD] = { "threshold",
                         "the threshold exceeds the buffer size: no interrupt would come" },
    [SKIP_LIVELOCK] = { "livelock", "the IRETQ of its own interrupt would fill the buffer "
                                    "up to the threshold, for ever" },
    [SKIP_NO_EVENT] = { "no-event",
                        "this processor is not known to have an event of the name %" },
    [SKIP_EVENT_DENIED] = { "event-denied",
                            "CPUID (leaf 0AH or 23H) denies the pre-defined event %" },
    [SKIP_EVENT_NUMBER] = { "event-number",
                            "the numbers of this processor's events end at 0xff" },

    [SKIP_NO_FILTER] = { "no-filter", "this method has no filter" },
    [SKIP_OWN_IRETQ] = { "own-iretq", "the filter leaves out this method's own IRETQ, by "
                                      "which two windows are told to overlap" },
    [SKIP_LER_FAR] = { "ler-far", "no manual says whether an event that is left out as a "
                                  "far branch is kept as the last" },
    [SKIP_LER_FILTER] = { "ler-filter", "no manual says what a filter does to this last "
                                        "exception record" },
    [SKIP_BTS_RING] = { "bts-ring", "this processor's BTS cannot leave out a ring "
                                    "(CPUID.1:ECX.DS_CPL)" },
    [SKIP_BTS_KIND] = { "bts-kind", "BTS can leave out a ring, but no kind of branch" },
    [SKIP_PT_KIND] = { "pt-kind",
                       "Processor Trace can leave out a ring, but no kind of branch" },
    [SKIP_LBR_FILTER] = { "lbr-filter",
                          "this processor's last-branch records have no filter" },
    [SKIP_NO_CALLSTACK] = { "no-callstack", "this processor's last-branch records have no "
                                            "call-stack mode" },
    [SKIP_FILTER_BIT] = { "filter-bit",
                          "this processor's filter has no bit for that (CPUID.1CH:EBX)" },
};

void skip_put(struct text *out, const struct skip_reason *reason)
{
    text_string(out, skip_words[reason->code].word);
    if (reason->of) {
        text_join(out, ":", reason->of);
    }
}

static bool is_about_something(enum skip_code code)
{
    const char *at = skip_words[code].sentence;

    while (*at && *at != '%')
        at++;
    return *at;
}

enum skip_code skip_read(const char *word, size_t length, size_t *of)
{
    for (enum skip_code code = SKIP_NOTHING + 1; code < SKIP_CODES; code++) {
        const char *known = skip_words[code].word;
        size_t i = 0;

        while (i < length && known[i] && word[i] == known[i])
            i++;
        if (known[i])
            continue;
        *of = i + 1;
        if (is_about_something(code) ? i + 1 < length && word[i] == ':' : i == length)
            return code;
    }
    return SKIP_NOTHING;
}

void skip_put_sentence(struct text *out, const struct skip_reason *reason)
{
    for (const char *at = skip_words[reason->code].sentence; *at; at++) {
        if (*at == '%')
            text_string(out, reason->of);
        else
            text_bytes(out, at, 1);
    }
}
