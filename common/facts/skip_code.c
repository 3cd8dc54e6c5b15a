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
    [SKIP_SMALL_STACK] = { "small-stack",
                           "the LBR stack is too small to be read before it wraps" },
    [SKIP_FILTER_DROPPED] = { "filter-dropped",
                              "the filter's register does not hold what is written" },

    [SKIP_STOCK_QEMU] = { "stock-qemu", "stock QEMU is known to get this wrong" },
    [SKIP_ABOVE_4G] = { "above-4g", "its far pointers reach only the first 4 GiB, and the "
                                    "image lies above" },
    [SKIP_NO_SYSENTER] = { "no-sysenter",
                           "this processor is not known to have SYSENTER in 64-bit mode" },
    [SKIP_TAKES_DB] = { "takes-db",
                        "the workload handles #DB itself, but this method needs #DB" },
    [SKIP_TAKES_NMI] = { "takes-nmi", "the workload handles NMI itself, but this method "
                                      "empties its buffer by NMI" },
    [SKIP_TOO_LONG] = { "too-long", "the workload is long, and this method takes an "
                                    "exception or interrupt for each branch" },
    [SKIP_EXCEPTIONS] = { "exceptions", "its exceptions follow each other faster than the "
                                        "small stack is emptied" },

    [SKIP_THRESHOLD] = { "threshold", "the threshold leaves no room in the buffer for the "
                                      "interrupt's entry" },
    [SKIP_LIVELOCK] = { "livelock", "the IRETQ of each interrupt would refill the buffer "
                                    "to the threshold: a livelock" },
    [SKIP_NO_EVENT] = { "no-event",
                        "this processor is not known to have an event of the name %" },
    [SKIP_EVENT_DENIED] = { "event-denied", "CPUID leaf 0AH or 23H reports that the event "
                                            "% is not available" },
    [SKIP_EVENT_NUMBER] = { "event-number",
                            "the numbers of this processor's events end at 0xff" },

    [SKIP_NO_FILTER] = { "no-filter", "this method has no filter" },
    [SKIP_OWN_IRETQ] = { "own-iretq", "the filter excludes this method's own IRETQ, which "
                                      "shows that two readings of the stack overlap" },
    [SKIP_LER_FAR] = { "ler-far", "no manual says whether an event updates the LER while "
                                  "far branches are filtered out" },
    [SKIP_LER_FILTER] = { "ler-filter", "no manual says what a filter does to this last "
                                        "exception record" },
    [SKIP_BTS_RING] = { "bts-ring",
                        "this processor's BTS cannot filter by ring (CPUID.1:ECX.DS_CPL)" },
    [SKIP_BTS_KIND] = { "bts-kind", "BTS can filter by ring, but not by kind of branch" },
    [SKIP_PT_KIND] = { "pt-kind",
                       "Processor Trace can filter by ring, but not by kind of branch" },
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
