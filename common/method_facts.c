/*
 * The methods: what each needs, and what of an expected trace it can show.
 */
#include "method_facts.h"

#include "text.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

const struct method_facts methods_known[] = {
    {
        .name = "step",
        .about = "RFLAGS.TF: a stop after every instruction",
        .needs = NEEDS(FACILITY_STEP),
        .stops = true,
        .every_insn = true,
        .blind_handlers = true,
        .event_each = true,
    },
    {
        .name = "btf",
        .about = "TF and DEBUGCTL.BTF: a stop after every taken branch",
        .needs = NEEDS(FACILITY_BTF),
        .stops = true,
        .blind_handlers = true,
        .event_each = true,
    },
    {
        .name = "btf+lbr",
        .about = "the same, with both ends from the newest entry of the LBR stack",
        .needs = NEEDS(FACILITY_BTF) | NEEDS(FACILITY_LBR),
        .blind_handlers = true,
        .event_each = true,
    },
    {
        .name = "lbr",
        .about = "the last branch records: the newest, as many as the stack is deep",
        .needs = NEEDS(FACILITY_LBR),
        .ring_lbr = true,
        .ends_at_db = true,
        .filtered = FILTERED_BY_LBR,
    },
    {
        .name = "bts",
        .about = "the branch trace store: every branch into a buffer in memory",
        .needs = NEEDS(FACILITY_BTS),
        .ring_buffer = true,
        .filtered = FILTERED_BY_BTS,
    },
    {
        .name = "bts-pmi",
        .about = "the same in a small buffer, which an interrupt empties again and again",
        .needs = NEEDS(FACILITY_BTS),
        .drained = true,
        .filtered = FILTERED_BY_BTS,
    },
    {
        .name = "bts-each",
        .about = "the same with an interrupt for every branch",
        .needs = NEEDS(FACILITY_BTS),
        .drained = true,
        .by_nmi = true,
        .threshold = 2,
        .event_each = true,
        .filtered = FILTERED_BY_BTS,
    },
    {
        .name = "none",
        .about = "no tracing: what the others cost is told by this",
        .silent = true,
    },
    {
        .name = "tr",
        .about = "DEBUGCTL.TR alone: messages on the bus, and nothing stored",
        .needs = NEEDS(FACILITY_TR),
        .silent = true,
    },
    {
        .name = "lbr-stream",
        .about =
            "the last branch records, read by a counter's interrupt before one is lost",
        .needs = NEEDS(FACILITY_LBR) | NEEDS(FACILITY_PMI),
        .ends_at_db = true,
        .counted = true,
        .by_nmi = true,
        .least_depth = LBR_STREAM_DEPTH_MIN,
        .filtered = FILTERED_BY_LBR,
        .overlaps = true,
    },
    {
        .name = "pmi",
        .about = "a counter's interrupt: a stop at every Nth event, as of taken branches",
        .needs = NEEDS(FACILITY_PMI),
        .stops = true,
        .counted = true,
        .sampled = true,
        .by_nmi = true,
        .event_each = true,
    },
    {
        .name = "ler",
        .about = "the last exception record: the branch before the last event",
        .needs = NEEDS(FACILITY_LER),
        .newest = 1,
        .ends_at_db = true,
        .last_event = true,
        .filtered = FILTERED_BY_LER,
    },
    {
        .name = "brs",
        .about = "AMD branch sampling: pieces of the trace, begun by a counter",
        .needs = NEEDS(FACILITY_BRS) | NEEDS(FACILITY_PMI),
        .counted = true,
        .pieces = true,
        .by_nmi = true,
    },
};
const size_t methods_known_count = COUNT_OF(methods_known);

const struct method_facts *method_named(const char *name)
{
    for (size_t i = 0; i < methods_known_count; i++)
        if (text_same(methods_known[i].name, name))
            return &methods_known[i];
    return NULL;
}
