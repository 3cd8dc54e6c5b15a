/*
 * placed.h.  The records, from the newest to the oldest, take their branches from all that
 * the workload makes, each the latest that is left.  If they are some of these branches in
 * their order, all of them find one.  In straight code between two branches lie the
 * iterations of repeated instructions and the conditional branches that are not taken.
 */
#include "placed.h"

#include "code.h"
#include "expected_trace.h"
#include "hit.h"
#include "portable.h"
#include "rounds.h"
#include "unconfirmed.h"

struct transfer compared_addresses(const struct compared *side, const struct transfer *t)
{
    const struct log_map map = map_of(side->log, side->run->workload);
    const struct branch portable = { t->from, t->to, 0 };
    struct branch branch;

    if (!side->portable)
        return *t;
    portable_to(&map, &portable, &branch);
    if (side->run->method->every_insn)
        branch.from = branch.to;
    else if (side->run->method->stops)
        branch.from = BRANCH_UNKNOWN;
    return (struct transfer){ branch.from, branch.to, t->kind };
}

struct placing {
    const struct rule_run *run;
    const struct rule *all; /* a rule of all records that it concerns, or NULL */
    struct code code;
    struct transfer_list made;
    uint64_t next;   /* index of the oldest branch that is taken                      */
    uint64_t last;   /* where the rest of the straight code before it ends...         */
    uint64_t rounds; /* ...with this many iterations of the instruction here          */
    unsigned taken;  /* kinds of the branches that the rule `all` concerns...         */
    unsigned left;   /* ...and of those that have no record                           */
};

static bool concerns(const struct placing *p, const struct rule *rule,
                     const struct transfer *made)
{
    const struct difference extra = { .class = EXTRA, .want_ended = true, .got = *made };

    return rule_of_difference(p->run, p->run, &extra, rule_concerns).rule == rule;
}

/* Its kind, if the rule `all` concerns it. */
static unsigned kind_by_all(const struct placing *p, const struct transfer *made)
{
    const struct rule_record record = rule_record_of(p->run, made);

    return p->all && concerns(p, p->all, made) ? rule_kind_of(&record) : 0;
}

/* An event's FROM is what its rule says, and so is that of a stop where TF changes. */
static bool is_of(const struct transfer *record, const struct transfer *made)
{
    const uint32_t events = COUNTS(KIND_INT) | COUNTS(KIND_EXC) | COUNTS(KIND_DB);

    return record->to == made->to &&
           (transfers_match(record, made) || record->from == BRANCH_FILTERED ||
            events >> made->kind & 1 || kind_is_mark(made->kind));
}

/*
 * True if FROM of a stop in a handler is neither where the event struck nor, as of an
 * interrupt between iterations, the next instruction, nor of an SMI.
 */
static bool is_from_elsewhere(struct placing *p, const struct transfer *record,
                              const struct transfer *made)
{
    const struct code_insn *insn = code_at(&p->code, made->from);

    return p->run->place.method->blind_handlers &&
           record->from - p->run->at < p->run->workload->size &&
           record->from != made->from && !(insn && record->from == code_next(insn));
}

/* The newest branch up to this one that is no mark, or the oldest. */
static uint64_t branch_at(const struct placing *p, uint64_t i)
{
    while (i && kind_is_mark(p->made.of[i].kind))
        i--;
    return i;
}

/* Where the straight code begins that leads to the oldest branch taken so far. */
static uint64_t straight_from(const struct placing *p)
{
    return p->made.of[branch_at(p, p->next - 1)].to;
}

/*
 * A stop after a conditional branch that is not taken.  With FROM, the record is the newest
 * of the LBR stack: the return from the stop before, to where that was.
 */
static bool take_untaken(struct placing *p, const struct transfer *record)
{
    const bool stops_there = record->from == BRANCH_UNKNOWN;
    const struct code_insn *insn;
    uint64_t at = straight_from(p), before = at, found = p->last;

    if (!stops_there && !hit_is_in_kernel(p->run, record->from))
        return false;
    for (; at < p->last && (insn = code_at(&p->code, at)); at = code_next(insn)) {
        if (insn->kind != KIND_JCC)
            continue;
        if (record->to == (stops_there ? code_next(insn) : before))
            found = at;
        before = code_next(insn);
    }
    at = p->last;
    p->last = found;
    return found != at;
}

/*
 * A stop in a handler where the LBR stack has no entries of events: the record is the
 * return from the stop before, to where the straight code begins or, if BTF stops there, to
 * after a branch that is not taken.
 */
static bool is_return_before(struct placing *p, const struct transfer *record)
{
    const struct code_insn *insn;
    uint64_t at = p->next ? straight_from(p) : p->last;
    bool found = record->to == at;

    for (; at < p->last && (insn = code_at(&p->code, at)); at = code_next(insn))
        found = found || (insn->kind == KIND_JCC && record->to == code_next(insn));
    return found;
}

/* RCX after the instruction, or UINT64_MAX: it is not known. */
static uint64_t count_after(const struct placing *p, uint64_t at, uint64_t before)
{
    const struct counts counts = counts_of(p->run->workload, at - p->run->at);

    return counts.does == KEEPS ? before : counts.does == SETS ? counts.value : UINT64_MAX;
}

/* RCX where that straight code begins, if the one before it, as of a handler, sets it. */
static uint64_t count_before(struct placing *p)
{
    const uint64_t i = branch_at(p, p->next - 1);
    const struct code_insn *insn;
    uint64_t at = i ? p->made.of[branch_at(p, i - 1)].to : UINT64_MAX, count = UINT64_MAX;

    for (; at <= p->made.of[i].from && at - p->run->at < p->run->workload->size &&
           (insn = code_at(&p->code, at));
         at = code_next(insn))
        count = count_after(p, at, count);
    return count;
}

/* An iteration of a repeated instruction, whose count is known if the code here sets it. */
static bool take_iteration(struct placing *p, const struct transfer *record)
{
    const struct code_insn *insn;
    uint64_t at = straight_from(p), most = count_before(p);

    for (; at <= p->last && (insn = code_at(&p->code, at)); at = code_next(insn)) {
        if (at == record->from) {
            p->rounds = at == p->last ? p->rounds + 1 : 1;
            p->last = at;
            return p->rounds <= most;
        }
        most = count_after(p, at, most);
    }
    return false;
}

/* Takes something of the straight code that leads to the oldest branch taken so far. */
static bool take_between(struct placing *p, const struct transfer *record)
{
    if (p->next == 0 || p->next == p->made.end)
        return false;
    return p->run->place.method->blind_handlers ? take_untaken(p, record)
                                                : take_iteration(p, record);
}

/* Takes the latest branch that is left of those that this may be a record of. */
static bool take(struct placing *p, const struct transfer *record, const struct rule *rule)
{
    const bool returns = rule && p->run->place.method->blind_handlers &&
                         hit_is_in_kernel(p->run, record->from);
    const bool straight = rule && (rule->of_straight || returns);
    struct placing at = *p;

    while (!straight || !take_between(&at, record)) {
        const struct transfer *made;

        if (at.next == 0)
            return false;
        made = &at.made.of[--at.next];
        if (!kind_is_mark(made->kind)) {
            at.last = made->from;
            at.rounds = 0;
        }
        if (returns && concerns(p, rule, made) && is_return_before(&at, record))
            break;
        if (!straight && is_of(record, made) &&
            (rule ? concerns(p, rule, made) && !is_from_elsewhere(p, record, made)
                  : !kind_is_mark(made->kind)))
            break;
        at.left |= kind_by_all(p, made);
    }
    if (returns) /* which of several events it is of, it does not say */
        at.all = NULL;
    if (rule == at.all)
        at.taken |= kind_by_all(&at, &at.made.of[at.next]);
    *p = at;
    return true;
}

bool may_lose_stops(const struct run *run)
{
    const struct rule_place place = rule_place_of(run);

    return run->method->blind_handlers && (run_was_hit(run) || rule_is_in_guest(&place));
}

/* Returns the first record by a rule of all that it concerns: some of these may lack. */
static const struct excused *first_of_all(const struct compared *got,
                                          const struct compared *want,
                                          const struct excused *excused, size_t count)
{
    for (size_t i = 0; got->run == want->run && !got->run->gaps && i < count; i++)
        if (excused[i].is_extra && !may_lose_stops(got->run) && excused[i].rule->of_all &&
            !excused[i].rule->of_straight)
            return &excused[i];
    return NULL;
}

/* True if `want` has one more record, which gave way to the oldest, and none is lost. */
static bool has_an_older(const struct compared *got, const struct compared *want,
                         const struct excused *excused, size_t count)
{
    uint64_t records = want->list.end - want->list.at;

    for (size_t i = 0; i < count; i++)
        records += excused[i].is_extra;
    return got->run == want->run && !got->run->gaps && want->list.at > 0 &&
           records == got->list.end - got->list.at &&
           !(got->run->filter & LEAVES_OUT(FILTER_CALLSTACK));
}

const struct excused *find_misplaced(const struct compared *got,
                                     const struct compared *want,
                                     const struct rule_run *run,
                                     const struct excused *excused, size_t count)
{
    const struct excused *all = first_of_all(got, want, excused, count);
    const struct excused *wrong = NULL, *newest = NULL;
    const bool is_cut = has_an_older(got, want, excused, count);
    struct expected_trace expected;
    struct placing with = { .run = run, .all = all ? all->rule : NULL }, without;
    unsigned left;

    if (is_other_build(got->run->workload)) /* it has no expected trace */
        return NULL;
    code_of(&with.code, got->log);
    with.made = list_all(expected_trace_of(&expected, got->log, got->run->workload));
    with.next = with.made.end;
    without = with;
    without.all = NULL;
    for (uint64_t i = got->list.end; !wrong && i-- > got->list.at;) {
        const struct transfer t = compared_addresses(got, &got->list.of[i]);

        if (count && excused[count - 1].got == i - got->list.at) {
            newest = excused[--count].is_extra ? &excused[count] : newest;
            if (newest == &excused[count] && !take(&with, &t, newest->rule))
                wrong = newest;
        } else if (take(&without, &t, NULL) && !take(&with, &t, NULL)) {
            wrong = newest;
        }
    }
    left = with.left; /* what is older than the records gave way, too */
    if (!wrong && is_cut && take(&without, &want->list.of[want->list.at - 1], NULL) &&
        (!take(&with, &want->list.of[want->list.at - 1], NULL) ||
         with.next != without.next))
        wrong = newest;
    with.left = left;
    while (with.all && with.next && !run_is_full(got->run))
        with.left |= kind_by_all(&with, &with.made.of[--with.next]);
    code_free(&with.code);
    list_free(&with.made);
    return wrong || !(with.taken & with.left) ? wrong : all;
}
