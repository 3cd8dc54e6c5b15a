/*
 * The last exception record (LER): the branch before the last interrupt or exception.
 *
 * On an event the processor copies the newest branch record into it.  Architectural LBR
 * calls it the last event record; there the filters of the LBR stack govern it.
 */
#include "rule.h"

static bool is_ler(const struct rule_place *place)
{
    return place->method->last_event;
}

static bool is_event(const struct transfer *t)
{
    return t->kind == KIND_INT || t->kind == KIND_EXC;
}

static bool are_alike(const struct transfer *a, const struct transfer *b)
{
    return a->from == b->from && a->to == b->to;
}

/*
 * True if the workload's last event before any #DB directly follows this one, and the other
 * side holds the newest branch before both that is no event.
 */
static bool is_of_event(const struct rule_record *record)
{
    struct expected expected;
    struct transfer t, last = { .from = 0 }, before = last, branch = last,
                       before_both = last;
    uint64_t i = 0;

    if (record->workload->packed || !record->other) /* a program: it has no events */
        return false;
    expected_of(&expected, record->workload, record->at, record->call, record->back, NULL);
    while (i < record->events->before_db && expected.source.next(&expected.source, &t)) {
        if (kind_is_mark(t.kind))
            continue;
        i++;
        if (is_event(&t))
            before = last, before_both = branch;
        else
            branch = t;
        last = t;
    }
    return is_event(&before) && are_alike(&before, &record->transfer) &&
           are_alike(&before_both, record->other);
}

#define INT_N 0xcd
#define INT3  0xcc

/* What raised an event: 0 is an exception, then come INT n, INT3 and INTO. */
static unsigned cause_of(const struct rule_record *record, const struct transfer *event)
{
    const unsigned code = rule_code_at(record, event->from);

    if (event->kind == KIND_EXC)
        return 0;
    return code == INT_N ? 1 : code == INT3 ? 2 : 3;
}

#define CAUSES 4 /* the first, an exception, updates the LER for certain */

/* For each cause: the branch before its last event, and that event's number among all. */
struct last_events {
    struct transfer before[CAUSES];
    uint64_t number[CAUSES]; /* 0: there is none */
};

/* Returns the cause of the last event, where events of the causes in `without` do not
 * count; CAUSES: there is none. */
static unsigned newest_cause(const struct last_events *events, unsigned without)
{
    unsigned newest = CAUSES;

    for (unsigned i = 0; i < CAUSES; i++)
        if (events->number[i] && !(without >> i & 1) &&
            (newest == CAUSES || events->number[i] > events->number[newest]))
            newest = i;
    return newest;
}

/*
 * True if the workload's last event before any #DB is of INT n, INT3 or INTO, and the LER
 * is as if that kind, and maybe another of these, did not update it: it holds the branch
 * before the last event of the rest, or is empty if there is none.  SAME asks whether any
 * difference can be so.
 */
static bool ends_in_software(const struct rule_record *record)
{
    struct last_events events = { .number = { 0 } };
    struct expected expected;
    struct transfer t, before = { .from = 0 };
    uint64_t i = 0, count = 0;
    unsigned last;

    if (record->workload->packed) /* a program: it has no events */
        return false;
    expected_of(&expected, record->workload, record->at, record->call, record->back, NULL);
    while (i < record->events->before_db && expected.source.next(&expected.source, &t)) {
        i += !kind_is_mark(t.kind);
        if (is_event(&t)) {
            const unsigned cause = cause_of(record, &t);

            events.before[cause] = before;
            events.number[cause] = ++count;
        }
        before = t;
    }
    last = newest_cause(&events, 0);
    for (unsigned without = 2; last < CAUSES && without < 1u << CAUSES; without += 2) {
        const unsigned held = newest_cause(&events, without);

        if ((without >> last & 1) == 0)
            continue;
        if (record->class == SAME ||
            (record->class == LOST
                 ? held == CAUSES
                 : held < CAUSES && are_alike(&events.before[held], &record->transfer) &&
                       !are_alike(&events.before[last], &record->transfer)))
            return true;
    }
    return false;
}

/* Intel's older chapters and AMD's manual say "interrupt or exception" and no more. */
static struct rule_basis of_software(const struct rule_place *place)
{
    if (place->model && place->model->ler_of_int)
        return (struct rule_basis){ "SDM vol. 3B, \"Last Branch Records\"", STATED };
    return (
        struct rule_basis){ "SDM vol. 3B, \"Last Exception Records\"; AMD64 APM vol. 2, "
                            "\"Control-Transfer Recording MSRs\"",
                            UNCONFIRMED };
}

static const struct rule rows[] = {
    {
        .name = "ler-one",
        .sentence = "The last exception record (LER) holds one branch: the one before the "
                    "most recent interrupt or exception, if any.",
        .source = "SDM vol. 3B, \"Last Exception Records\"; AMD64 APM vol. 2, "
                  "\"Control-Transfer Recording MSRs\"",
        .confidence = STATED,
        .applies = is_ler,
        .workload = "int",
        .property = "bt-no-ler",
    },
    {
        .name = "ler-db",
        .sentence = "A #DB does not update the LER, because LBR is cleared before it is "
                    "delivered.",
        .source = "SDM vol. 3C, \"Details of Vectored-Event Injection\"; AMD64 APM vol. 2, "
                  "\"Control-Transfer Recording MSRs\"",
        .confidence = STATED,
        .applies = is_ler,
        .workload = "tf_db",
        .property = "bt-ler-db",
    },
    {
        .name = "ler-event-after-event",
        .sentence =
            "If one event directly follows another, the LER holds the record of the "
            "first.",
        .source = "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording (P6 "
                  "Family Processors)\": copied from the newest record",
        .confidence = DERIVED,
        .applies = is_ler,
        .explains = is_of_event,
        .of_ends = true,
        .workload = "exc_nested",
    },
    {
        .name = "ler-software",
        .sentence = "INT n, INT3 and INTO update the LER like any other event.",
        .basis = of_software,
        .applies = is_ler,
        .explains = ends_in_software,
        .of_ends = true,
        .of_all = true,
        .workload = "int3",
    },
};
RULE_TABLE(ler_rules, rows);
