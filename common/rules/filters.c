/*
 * Filters of branch records: by ring, by kind of branch, and call-stack mode.
 *
 * The LBR stack has LBR_SELECT, IA32_LBR_CTL or AMD's DebugExtnCtl, with the bits of the
 * model's row.  A filter by ring tests the ring that a branch enters, and architectural LBR
 * then hides FROM.  BTS has BTS_OFF_OS and BTS_OFF_USR; no source says which ring they
 * test. Processor Trace generates no packets in a filtered-out ring (pt.c).  In call-stack
 * mode the stack holds the calls that have not returned.
 */
#include "rule.h"

#include "visible.h"

#define CALL_STACK_SOURCE \
    "SDM vol. 3B, \"Last Branch, Call Stack, Interrupt, and Exception Recording\""
#define PT_SOURCE "SDM vol. 3C, \"Intel Processor Trace\", "
#define LER_SOURCE \
    "SDM vol. 3B, \"Last Branch Records\": the last event record obeys the same filters"

static const struct filter_form *form_of(const struct rule_place *place)
{
    return place->filter ? record_filter_form(place->method, place->model) : NULL;
}

static bool filters_records(const struct rule_place *place)
{
    return form_of(place);
}

static bool filters_rings(const struct rule_place *place)
{
    return form_of(place) && place->filter & FILTER_RINGS &&
           place->method->filtered != FILTERED_BY_PT;
}

static bool hides_from(const struct rule_place *place)
{
    return form_of(place) && place->filter & FILTER_RINGS && form_of(place)->hides_from;
}

static bool selects_nothing(const struct rule_place *place)
{
    const struct filter_form *form = form_of(place);

    return form && filter_selects_nothing(form, filter_register(form, ~0u, place->filter));
}

static bool is_bts(const struct rule_place *place)
{
    return place->filter && place->method->filtered == FILTERED_BY_BTS;
}

static bool is_pt(const struct rule_place *place)
{
    return place->filter && place->method->filtered == FILTERED_BY_PT;
}

static bool is_ler(const struct rule_place *place)
{
    return place->filter && place->method->filtered == FILTERED_BY_LER;
}

static bool is_ler_by_ring(const struct rule_place *place)
{
    return is_ler(place) && place->filter & FILTER_RINGS;
}

static bool is_bts_by_ring(const struct rule_place *place)
{
    return is_bts(place) && place->filter & FILTER_RINGS;
}

static bool is_call_stack(const struct rule_place *place)
{
    return place->filter & LEAVES_OUT(FILTER_CALLSTACK);
}

static bool empties(const struct rule_place *place)
{
    return is_call_stack(place) && form_of(place) && form_of(place)->empties;
}

static bool moves_tos(const struct rule_place *place)
{
    return is_call_stack(place) && !empties(place);
}

static struct rule_basis of_filter(const struct rule_place *place)
{
    return (struct rule_basis){ form_of(place)->source, form_of(place)->confidence };
}

static struct rule_basis of_rings(const struct rule_place *place)
{
    return (struct rule_basis){ form_of(place)->ring_source, STATED };
}

static bool is_call_or_return(const struct rule_record *record)
{
    const enum kind kind = record->transfer.kind;

    return kind == KIND_CALL || kind == KIND_ICALL || kind == KIND_RET;
}

static bool is_in_ring3(const struct rule_record *record, uint64_t at)
{
    return ring_of(record->workload, at - record->at) != 0;
}

static bool changes_ring(const struct rule_record *record)
{
    return is_in_ring3(record, record->transfer.from) !=
           is_in_ring3(record, record->transfer.to);
}

static bool is_any(const struct rule_record *record)
{
    (void)record;
    return true;
}

static bool is_returned_call(const struct rule_record *record)
{
    return (record->class == EXTRA || record->class == LOST) &&
           (record->transfer.kind == KIND_CALL || record->transfer.kind == KIND_ICALL);
}

static bool selects_far(const struct rule_place *place)
{
    return form_of(place) && place->filter & LEAVES_OUT(FILTER_FAR) &&
           !form_of(place)->includes && place->method->filtered == FILTERED_BY_LBR;
}

static bool is_exception(const struct rule_record *record)
{
    return record->class == EXTRA && record->transfer.kind == KIND_EXC &&
           rule_stub_at(record, record->transfer.to);
}

#define ADDRESS_SIZE 0x67
#define LOOPNE       0xe0 /* and after it LOOPE, LOOP, JrCXZ */
#define JRCXZ        0xe3

static bool is_loop(const struct rule_record *record)
{
    uint64_t from = record->transfer.from;

    if (record->class != EXTRA && record->class != LOST)
        return false;
    while (rule_code_at(record, from) == ADDRESS_SIZE)
        from++;
    return rule_code_at(record, from) >= LOOPNE && rule_code_at(record, from) <= JRCXZ;
}

static const struct rule rows[] = {
    {
        .name = "pt-ring",
        .sentence =
            "Code in a filtered-out ring generates no packets: generation stops and "
            "resumes at ring changes.",
        .source = PT_SOURCE "\"Filtering by Current Privilege Level (CPL)\"",
        .confidence = STATED,
        .applies = is_pt,
        .workload = "ring3_sys",
        .property = "bt-pt-ignore-os",
    },
    {
        .name = "pt-ring-to",
        .sentence = "For a branch into a filtered-out ring, TO is unknown, because TIP.PGD "
                    "has no address.",
        .source = PT_SOURCE "\"Packet Generation Disable (TIP.PGD)\"",
        .confidence = STATED,
        .applies = is_pt,
        .workload = "ring3_sys",
        .property = "bt-pt-ignore-os",
    },
    {
        .name = "pt-ring-from",
        .sentence = "For a branch out of a filtered-out ring, FROM is unknown, because "
                    "TIP.PGE has only the target.",
        .source = PT_SOURCE "\"Packet Generation Enable (TIP.PGE)\"",
        .confidence = STATED,
        .applies = is_pt,
        .workload = "ring3_sys",
        .property = "bt-pt-ignore-os",
    },
    {
        .name = "bts-ring",
        .sentence = "BTS stores only branches of the ring that is not filtered out.",
        .source = "SDM vol. 3B, \"CPL-Qualified Branch Trace Mechanism\"",
        .confidence = STATED,
        .applies = is_bts,
        .workload = "ring3",
    },
    {
        .name = "filter-kinds",
        .sentence = "Branches that the filter excludes are not recorded.",
        .basis = of_filter,
        .applies = filters_records,
        .explains = is_call_or_return,
        .workload = "kinds",
    },
    {
        .name = "filter-exceptions",
        .sentence = "A filter of far branches by LBR_SELECT[8] also excludes exceptions.",
        .source = "SDM vol. 3B, \"Filtering of Last Branch Records\", says \"far "
                  "branches\"; no recording has one",
        .confidence = UNCONFIRMED,
        .applies = selects_far,
        .explains = is_exception,
        .workload = "ud",
    },
    {
        .name = "filter-loop",
        .sentence = "A filter of conditional branches (Jcc) also excludes LOOP and JrCXZ.",
        .source = "SDM vol. 3C, table \"COFI Type for Branch Instructions\", says so of "
                  "Processor Trace; no recording has one",
        .confidence = UNCONFIRMED,
        .applies = filters_records,
        .explains = is_loop,
        .workload = "loop_next",
    },
    {
        .name = "ler-filtered",
        .sentence =
            "The LER holds the last branch that passes the filter before the event.",
        .source = LER_SOURCE,
        .confidence = STATED,
        .applies = is_ler,
        .workload = "kinds",
    },
    {
        .name = "ler-ring",
        .sentence = "An event that enters a filtered-out ring does not update the LER.",
        .source = LER_SOURCE,
        .confidence = DERIVED,
        .applies = is_ler_by_ring,
        .explains = is_any,
        .workload = "ring3_int",
    },
    {
        .name = "filter-ring",
        .sentence = "For a branch between rings, the LBR filter tests the ring of TO.",
        .basis = of_rings,
        .applies = filters_rings,
        .workload = "ring3",
    },
    {
        .name = "bts-ring-from",
        .sentence = "For a branch between rings, the BTS filter tests the ring of FROM.",
        .source =
            "Linux, arch/x86/events/intel/ds.c: with BTS_OFF_OS kernel addresses leak",
        .confidence = UNCONFIRMED,
        .applies = is_bts_by_ring,
        .explains = changes_ring,
        .of_audit = true,
        .workload = "ring3",
    },
    {
        .name = "filter-nothing",
        .sentence = "If IA32_LBR_CTL selects no branch type, nothing is recorded.",
        .source = "measured by one author on one hybrid processor, not reviewed",
        .confidence = UNCONFIRMED,
        .applies = selects_nothing,
        .explains = is_any,
        .workload = "loop",
    },
    {
        .name = "filter-hides-from",
        .sentence = "For a branch out of a filtered-out ring, FROM is all ones.",
        .source = "SDM vol. 3B, \"Last Branch Records\"",
        .confidence = STATED,
        .applies = hides_from,
        .workload = "ring3",
    },
    {
        .name = "callstack-open",
        .sentence =
            "In call-stack mode only calls that have not returned are kept: a return "
            "removes the newest record.",
        .source = CALL_STACK_SOURCE "; recording of Coffee Lake",
        .confidence = STATED,
        .applies = is_call_stack,
        .of_audit = true,
        .workload = "callstack",
    },
    {
        .name = "callstack-next",
        .sentence = "In call-stack mode a CALL to the next instruction is not recorded.",
        .source = CALL_STACK_SOURCE,
        .confidence = STATED,
        .applies = is_call_stack,
        .workload = "call_next",
    },
    {
        .name = "callstack-empties",
        .sentence = "In call-stack mode a removed entry reads as empty.",
        .source = "no manual says what is read there then",
        .confidence = UNCONFIRMED,
        .applies = empties,
        .explains = is_returned_call,
        .workload = "callstack_deep",
    },
    {
        .name = "callstack-tos",
        .sentence = "In call-stack mode a return only moves TOS: after more calls than the "
                    "stack has entries, it exposes entries of later calls, which read as "
                    "older ones.",
        .source = CALL_STACK_SOURCE,
        .confidence = DERIVED,
        .applies = moves_tos,
        .explains = is_returned_call,
        .workload = "callstack_deep",
    },
};
RULE_TABLE(filter_rules, rows);
