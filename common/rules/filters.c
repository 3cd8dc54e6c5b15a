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

#include "decode.h"
#include "known.h"
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

/* A call that only another bit of Nehalem's LBR_SELECT leaves out, by what Linux says. */
static bool is_left_out_by_another(const struct rule_record *record)
{
    const struct filter_form *form = form_of(record->place);
    const uint32_t filter = record->place->filter;
    struct transfer made;

    return record->class == EXTRA && rule_is_made(record, &made) &&
           !(filter & filter_of_kind(made.kind)) &&
           filter_form_apply(form, filter).left_out & filter_of_kind(made.kind);
}

static void expect_all(struct expected *expected, const struct rule_run *run)
{
    expected_of(expected, run->workload, run->at, run->call, run->back, NULL);
}

/* FROM may be hidden. */
static bool is_record_of(const struct rule_run *run, const struct transfer *got,
                         const struct transfer *made)
{
    return got->to == made->to &&
           (got->from == made->from ||
            (got->from == BRANCH_FILTERED && hides_from(&run->place)));
}

/* True if the records are the same, except for ends that a rule accounts for. */
static bool are_same_but_ends(const struct rule_run *run, struct source *got,
                              struct source *want)
{
    uint64_t at = 0;

    while (rule_skip(got, at) && rule_skip(want, at)) {
        const struct difference d = check(got, want);
        const struct rule_step step = rule_of_difference(run, run, &d, rule_explains);

        if (d.class == SAME)
            return true;
        if (!step.rule || !step.rule->of_ends)
            return false;
        at += d.index + 1;
    }
    return false;
}

unsigned rule_rings_of(const struct rule_run *run, struct source *got)
{
    struct record_filter filter = record_filter_for(
        run->place.method, run->place.model, run->place.filter, run->workload, run->at);
    struct expected expected;
    struct visible visible;
    unsigned rings = 0;

    if (run->place.emulated || run->workload->packed)
        return 0;
    for (filter.decides = RING_LEFT; filter.decides <= RING_EITHER; filter.decides++) {
        expect_all(&expected, run);
        visible_through(
            &visible, &expected.source, run->place.method,
            visible_capacity(run->place.method, run->place.model, run->capacity), filter);
        if (are_same_but_ends(run, got, &visible.source))
            rings |= RING_DECIDES(filter.decides);
    }
    return rings;
}

/* All branches between rings are as if the filter tested TO, or either end. */
static const char *are_of_other_ring(const struct rule_run *run, const struct difference *d,
                                     struct source *got, struct source *want)
{
    const unsigned rings = workload_has_ring3(run->workload) ? rule_rings_of(run, got) : 0;

    (void)d, (void)want;
    if (rings & RING_DECIDES(RING_ENTERED))
        return "branches between rings have records by the ring that they enter";
    return rings & RING_DECIDES(RING_EITHER) ? "branches between rings all have records"
                                             : NULL;
}

/* The LER holds the branch before the last event, which enters a filtered-out ring. */
static const char *is_before_filtered(const struct rule_run *run,
                                      const struct difference *d, struct source *got,
                                      struct source *want)
{
    struct transfer t, before = { .kind = KIND_NONE };
    struct expected expected;
    bool is = false;

    (void)got, (void)want;
    if (run->workload->packed || d->got_ended || run->records != 1)
        return NULL;
    expect_all(&expected, run);
    while (expected.source.next(&expected.source, &t)) {
        const unsigned ring = ring_of(run->workload, t.to - run->at);

        if (t.kind == KIND_INT || t.kind == KIND_EXC)
            is = !record_filter_shows(run->place.filter, ring) &&
                 is_record_of(run, &d->got, &before);
        if (!kind_is_mark(t.kind))
            before = t;
    }
    return is ? "the LER holds the branch before an event that the filter leaves out"
              : NULL;
}

/* The records are those of a filter that leaves out no kind of branch. */
static const char *are_of_all_kinds(const struct rule_run *run, const struct difference *d,
                                    struct source *got, struct source *want)
{
    struct expected expected;
    struct visible visible;

    (void)d, (void)want;
    if (run->workload->packed)
        return NULL;
    expect_all(&expected, run);
    visible_through(&visible, &expected.source, run->place.method,
                    visible_capacity(run->place.method, run->place.model, run->capacity),
                    record_filter_for(run->place.method, run->place.model,
                                      run->place.filter & ~FILTER_KINDS, run->workload,
                                      run->at));
    got->rewind(got);
    return check(got, &visible.source).class == SAME
               ? "branches are recorded although the filter selects none"
               : NULL;
}

/* The records are those of a stack in which a removed entry reads as empty. */
static const char *are_open_calls(const struct rule_run *run, const struct difference *d,
                                  struct source *got, struct source *want)
{
    struct record_filter filter = record_filter_for(
        run->place.method, run->place.model, run->place.filter, run->workload, run->at);
    struct expected expected;
    struct visible visible;

    (void)d, (void)want;
    if (run->workload->packed || !run->records) /* an empty stack shows no mode */
        return NULL;
    expect_all(&expected, run);
    filter.empties = true;
    visible_through(&visible, &expected.source, run->place.method, run->capacity, filter);
    got->rewind(got);
    return check(got, &visible.source).class == SAME ? "no removed entry is exposed" : NULL;
}

static bool is_call(const struct rule_run *run, const struct transfer *t)
{
    const struct rule_record record = rule_record_of(run, t);
    struct transfer made;

    return rule_is_made(&record, &made) &&
           (made.kind == KIND_CALL || made.kind == KIND_ICALL);
}

static uint64_t length_of(struct source *source)
{
    struct transfer ignored;
    uint64_t count = 0;

    source->rewind(source);
    while (source->next(source, &ignored))
        count++;
    source->rewind(source);
    return count;
}

/*
 * The newest records are the open calls, and in each older entry some call is read.  Only
 * in a stack that was full is there such an entry: else an empty one comes before it, and
 * the kernel reads no further.
 */
static const char *are_with_removed(const struct rule_run *run, const struct difference *d,
                                    struct source *got, struct source *want)
{
    struct record_filter filter = record_filter_for(
        run->place.method, run->place.model, run->place.filter, run->workload, run->at);
    struct expected expected;
    struct visible visible;
    struct transfer t;
    uint64_t removed;

    (void)d;
    expect_all(&expected, run);
    filter.empties = false;
    visible_through(&visible, &expected.source, run->place.method, run->capacity, filter);
    removed = length_of(&visible.source) - length_of(want);
    got->rewind(got);
    for (uint64_t i = 0; i < removed; i++)
        if (!got->next(got, &t) || !is_call(run, &t))
            return NULL;
    return removed && check(got, want).class == SAME ? "removed entries are not empty"
                                                     : NULL;
}

static bool selects_far(const struct rule_place *place)
{
    return form_of(place) && place->filter & LEAVES_OUT(FILTER_FAR) &&
           !form_of(place)->includes && place->method->filtered == FILTERED_BY_LBR;
}

/* In call-stack mode a record that is kept displaces others: see struct kept. */
static bool is_exception(const struct rule_record *record)
{
    struct transfer made;

    return record->class == EXTRA && !is_call_stack(record->place) &&
           rule_is_made(record, &made) && made.kind == KIND_EXC &&
           made.from == record->transfer.from;
}

#define LOOPNE \
    0xe0 /* and after it LOOPE, LOOP, JrCXZ: each has one more byte, and any prefixes */
#define JRCXZ 0xe3

static bool is_loop_at(const struct rule_record *record, uint64_t from)
{
    uint64_t opcode = from - 2;
    struct insn insn;

    if (!decode_of(record->workload, record->at, from, &insn))
        return false;
    opcode += insn.length; /* in a longer Jcc this byte is the sign of the displacement */
    return insn.kind == KIND_JCC && rule_code_at(record, opcode) >= LOOPNE &&
           rule_code_at(record, opcode) <= JRCXZ;
}

static bool is_loop(const struct rule_record *record)
{
    struct transfer made;

    return (record->class == EXTRA || record->class == LOST) &&
           record->place->filter & LEAVES_OUT(FILTER_JCC) &&
           !is_call_stack(record->place) && rule_is_made(record, &made) &&
           is_loop_at(record, made.from);
}

/* An expected trace in which all LOOPs, or all exceptions, are calls to call-stack mode. */
struct kept {
    struct source source;
    struct expected of;
    const struct rule_run *run;
    enum kind kind;
};

static bool kept_next(struct source *source, struct transfer *t)
{
    struct kept *kept = (struct kept *)source;
    struct rule_record record;

    if (!kept->of.source.next(&kept->of.source, t))
        return false;
    record = rule_record_of(kept->run, t);
    if (t->kind == kept->kind && (t->kind == KIND_EXC || is_loop_at(&record, t->from)))
        t->kind = KIND_ICALL;
    return true;
}

static void kept_rewind(struct source *source)
{
    struct kept *kept = (struct kept *)source;

    kept->of.source.rewind(&kept->of.source);
}

static bool keeps(const struct rule_run *run, struct source *got, enum kind kind)
{
    const struct record_filter filter = record_filter_for(
        run->place.method, run->place.model, run->place.filter, run->workload, run->at);
    struct kept kept = { { kept_next, kept_rewind }, .run = run, .kind = kind };
    struct visible visible;

    if (run->place.emulated || run->workload->packed || !is_call_stack(&run->place))
        return false;
    expect_all(&kept.of, run);
    visible_through(&visible, &kept.source, run->place.method, run->capacity, filter);
    got->rewind(got);
    return check(got, &visible.source).class == SAME;
}

static const char *are_with_exceptions(const struct rule_run *run,
                                       const struct difference *d, struct source *got,
                                       struct source *want)
{
    (void)d, (void)want;
    return keeps(run, got, KIND_EXC) ? "the call stack keeps exceptions" : NULL;
}

static const char *are_with_loops(const struct rule_run *run, const struct difference *d,
                                  struct source *got, struct source *want)
{
    (void)d, (void)want;
    return keeps(run, got, KIND_JCC) ? "the call stack keeps LOOP and JrCXZ" : NULL;
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
        .explains = is_left_out_by_another,
        .of_all = true,
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
        .accounts = are_with_exceptions,
        .of_all = true,
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
        .accounts = are_with_loops,
        .of_all = true,
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
        .platform = ON_SILICON,
        .accounts = is_before_filtered,
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
        .accounts = are_of_other_ring,
        .of_audit = true,
        .workload = "ring3",
    },
    {
        .name = "bts-ring-same",
        .sentence = "On one processor the BTS filter tests the same ring of each branch "
                    "between rings.",
        .source = "this project; both flags qualify by the CPL: SDM vol. 3B, "
                  "\"CPL-Qualified Branch Trace Mechanism\"",
        .confidence = STATED,
        .applies = is_bts_by_ring,
        .of_run = true,
        .of_no_record = true, /* tools/judge/interrupts.c compares the runs */
        .workload = "ring3",
    },
    {
        .name = "filter-nothing",
        .sentence = "If IA32_LBR_CTL selects no branch type, nothing is recorded.",
        .source = "measured by one author on one hybrid processor, not reviewed",
        .confidence = UNCONFIRMED,
        .applies = selects_nothing,
        .platform = ON_SILICON,
        .accounts = are_of_all_kinds,
        .of_all = true,
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
        .platform = ON_SILICON,
        .accounts = are_with_removed,
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
        .platform = ON_SILICON,
        .accounts = are_open_calls,
        .workload = "callstack_deep",
    },
};
RULE_TABLE(filter_rules, rows);
