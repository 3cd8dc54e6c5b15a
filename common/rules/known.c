/* known.h */
#include "known.h"

#include "deviation.h"
#include "hit.h"
#include "pmu.h"
#include "pt.h"
#include "text.h"

struct rule_record rule_record_of(const struct rule_run *run, const struct transfer *t)
{
    return (struct rule_record){ .place = &run->place,
                                 .workload = run->workload,
                                 .at = run->at,
                                 .call = run->call,
                                 .back = run->back,
                                 .events = run->events,
                                 .transfer = *t };
}

/*
 * Returns the rule, derived or unconfirmed, that accounts for this record of a difference
 * of that class, or NULL.  The emulator was written from these very rules, so there they
 * account for nothing.  concerns: asks the rule, as rule_explains() does.
 */
static const struct rule *rule_of_record(const struct rule_run *run,
                                         const struct transfer *t,
                                         const struct transfer *other,
                                         enum difference_class class, rule_asked *concerns)
{
    struct rule_record record = rule_record_of(run, t);
    const struct rule *rule;

    record.other = class == LOST || class == EXTRA ? NULL : other;
    record.class = class;
    for (size_t n = 0; !run->place.emulated && (rule = rule_nth(n)); n++)
        if (rule_holds(rule, &run->place) &&
            !is_confirmed(rule_basis_of(rule, &run->place).confidence) &&
            concerns(rule, &record))
            return rule;
    return NULL;
}

bool rule_explains(const struct rule *rule, const struct rule_record *record)
{
    return rule->explains && rule->explains(record);
}

/* If a record is lost, the rule concerns that one, not the one found in its place. */
static bool concerns_want(enum difference_class class)
{
    return class == LOST || class == WRONG_FROM || class == WRONG_TO || class == WRONG;
}

static bool concerns_got(enum difference_class class)
{
    return class == EXTRA || class == WRONG_FROM || class == WRONG_TO || class == WRONG;
}

struct rule_step rule_of_difference(const struct rule_run *got, const struct rule_run *want,
                                    const struct difference *d, rule_asked *concerns)
{
    struct rule_step step = { .rule = NULL };
    bool wanted, ends;

    if (!d->want_ended && concerns_want(d->class))
        step.rule = rule_of_record(want, &d->want, d->got_ended ? NULL : &d->got, d->class,
                                   concerns);
    wanted = step.rule != NULL;
    if (!step.rule && !d->got_ended && concerns_got(d->class))
        step.rule = rule_of_record(got, &d->got, d->want_ended ? NULL : &d->want, d->class,
                                   concerns);
    if (!step.rule)
        return step;
    ends = d->class != LOST && d->class != EXTRA && step.rule->of_ends;
    step.got_by = ends || !wanted;
    step.want_by = ends || wanted;
    return step;
}

/* Each difference is looked for from the beginning: more than these are not looked at. */
#define EXPLAINED_MAX 256

const struct rule *rule_of_all(const struct rule_run *run, const struct difference *d,
                               struct source *got, struct source *want, const char **how)
{
    const struct rule *rule;

    for (size_t n = 0; (rule = rule_nth(n)); n++)
        if (rule->accounts && rule_holds(rule, &run->place) &&
            (*how = rule->accounts(run, d, got, want)))
            return rule;
    return NULL;
}

const struct rule *rule_beside_hits(const struct rule_run *run, const struct difference *d,
                                    struct source *got, struct source *want,
                                    const char **how)
{
    struct hit_rest rest;
    struct difference left;

    if (!hit_leaves_out(&rest, run, d->index + 1, got, want))
        return NULL;
    rest.run.hits.first = d->index + 1;
    left = check(&rest.got.source, &rest.want.source);
    return rule_of_all(&rest.run, &left, &rest.got.source, &rest.want.source, how);
}

/* True if rules on single records account for every difference, and beside them perhaps one
 * for how the rest differs. */
static bool explain_each(struct source *got, struct source *want,
                         const struct rule_run *run)
{
    struct rule_run rest = *run;
    uint64_t got_at = 0, want_at = 0;
    const char *how;

    for (size_t i = 0; i < EXPLAINED_MAX; i++) {
        struct later is = later_of(got, got_at), should = later_of(want, want_at);
        struct difference d;
        struct rule_step step;

        is.source.rewind(&is.source);
        should.source.rewind(&should.source);
        d = check(&is.source, &should.source);
        if (d.class == SAME)
            return true;
        step = rule_of_difference(run, run, &d, rule_explains);
        rest.records = run->records - got_at;
        rest.capacity = run->capacity - got_at;
        if (!step.rule)
            return rule_of_all(&rest, &d, &is.source, &should.source, &how);
        got_at += d.index + step.got_by;
        want_at += d.index + step.want_by;
    }
    return false;
}

bool rules_explain_all(struct source *got, struct source *want, const struct rule_run *run)
{
    struct rule_run with_first = *run;
    struct hit_rest rest;
    struct difference d;
    const char *how;

    got->rewind(got);
    want->rewind(want);
    d = check(got, want);
    if (d.class == SAME || rule_of_all(run, &d, got, want, &how))
        return true;
    with_first.hits.first = d.index + 1;
    return explain_each(got, want, &with_first) ||
           (hit_leaves_out(&rest, &with_first, d.index + 1, got, want) &&
            explain_each(&rest.got.source, &rest.want.source, &rest.run));
}

/* True if the rule may be wrong, and holds on this processor, whatever the method. */
static bool may_account(const struct rule *rule, const struct rule_place *place)
{
    return !place->emulated && rule->platform != ON_EMULATOR &&
           rule_is_of_cpu(rule, place) &&
           !is_confirmed(rule_basis_of(rule, place).confidence);
}

const struct rule *rule_of_count(const struct rule_place *place,
                                 const struct rule_count *count)
{
    const struct rule *rule;

    for (size_t n = 0; (rule = rule_nth(n)); n++)
        if (rule->explains_count && may_account(rule, place) &&
            rule->explains_count(place, count))
            return rule;
    return NULL;
}

/* Moves past a number; false: there is none. */
static bool take_number(const char **text, uint64_t *number)
{
    const char *begin = *text;

    for (*number = 0; **text >= '0' && **text <= '9' && *text - begin < 18; ++*text)
        *number = *number * 10 + (uint64_t)(**text - '0');
    return *text != begin;
}

/* "4 of 3 branches counted": one interrupt may have come meanwhile. */
static bool take_count(const char *evidence, const struct pmu *pmu,
                       struct rule_count *count)
{
    *count = (struct rule_count){ .event = pmu_default(pmu)->event };
    if (!take_number(&evidence, &count->counted) || !text_begins(evidence, " of "))
        return false;
    evidence += text_length(" of ");
    if (!take_number(&evidence, &count->least))
        return false;
    count->most = count->least;
    count->interrupts = 1;
    return text_same(evidence, " branches counted");
}

const struct rule *rule_of_probe(const struct rule_place *place,
                                 const struct rule_probe *found)
{
    const struct rule *rule;
    const struct pmu *pmu;
    struct rule_count count;

    if (place->emulated)
        return NULL;
    if (found->facility == FACILITY_PT && found->result == DEVIATES)
        return pt_derived_rule(found->deviations);
    if (found->deviations & ~DEVIATION(DEVIATES_OTHERWISE) &&
        !(found->facility == FACILITY_FREEZE &&
          found->deviations == DEVIATION(FREEZE_BY_HAND)))
        return NULL; /* no rule below accounts for a deviation that has a code */
    pmu = place->id ? pmu_find(place->id) : NULL;
    if (pmu && found->facility == FACILITY_PMI && found->result == DEVIATES &&
        take_count(found->evidence, pmu, &count))
        return rule_of_count(place, &count);
    for (size_t n = 0; (rule = rule_nth(n)); n++)
        if (rule->explains_probe && may_account(rule, place) &&
            rule->explains_probe(place, found))
            return rule;
    return NULL;
}
