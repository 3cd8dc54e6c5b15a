/*
 * Compares two sequences and continues past differences that rest on a rule which no manual
 * states.  Such a difference is skipped together with its record; the records after it must
 * be right again.
 */
#include "beyond.h"

#include "unconfirmed.h"
#include "events.h"
#include "heap.h"
#include "portable.h"

/* A rule cannot speak of more records than the longest workload could make. */
#define UNCONFIRMED_MAX (1u << 22)

/* As addresses.  A stop after every instruction says where it is, and no more. */
static struct transfer addresses(const struct compared *side, const struct transfer *t)
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

static const struct limit *rule_of(const struct compared *side, const struct events *events,
                                   const struct transfer *t, enum difference_class class)
{
    const struct transfer at = addresses(side, t);

    return unconfirmed_rule_of(side->log, side->run, events, &at, class);
}

/* A struck REP, a layout and fusion make the ends unconfirmed; any other rule makes it
 * unconfirmed that there is a record. */
static bool leaves_ends_open(const struct limit *rule)
{
    return rule->of == LIMIT_OF_STRUCK || rule->of == LIMIT_OF_LAYOUT ||
           rule->of == LIMIT_OF_FUSION;
}

/* Returns true if the difference is unconfirmed; then both sides have advanced past it. */
static bool unconfirmed(struct compared *got, struct compared *want,
                        const struct events events[2], struct found_difference *f)
{
    const enum difference_class class = f->d.class;
    const struct limit *rule = NULL;
    bool wanted, ends;

    if (!on_silicon(got->run->cpu) && !on_silicon(want->run->cpu))
        return false;
    if (!f->d.want_ended && rule_concerns_want(class))
        rule = rule_of(want, &events[1], &f->d.want, class);
    wanted = rule != NULL;
    if (!rule && !f->d.got_ended && rule_concerns_got(class))
        rule = rule_of(got, &events[0], &f->d.got, class);
    if (!rule)
        return false;
    f->rule = *rule;
    ends = class != LOST && class != EXTRA && leaves_ends_open(rule);
    got->list.next = got->list.at + f->got + (ends || !wanted);
    want->list.next = want->list.at + f->want + (ends || wanted);
    return true;
}

struct beyond_result check_beyond(struct compared *got, struct compared *want)
{
    struct beyond_result result = { .unconfirmed_count = 0 };
    struct events events[2];

    events_of(&events[0], got->log, got->run->workload, run_has_tf_before(got->run));
    events_of(&events[1], want->log, want->run->workload, run_has_tf_before(want->run));
    got->list.next = got->list.at;
    want->list.next = want->list.at;
    for (;;) {
        struct found_difference f = { .got = got->list.next - got->list.at,
                                      .want = want->list.next - want->list.at };

        f.d = check(&got->list.source, &want->list.source);
        if (f.d.class == SAME)
            return result;
        f.got += f.d.index;
        f.want += f.d.index;
        if (result.unconfirmed_count == UNCONFIRMED_MAX ||
            !unconfirmed(got, want, events, &f)) {
            result.certain = f;
            return result;
        }
        if (result.unconfirmed_count++ == 0)
            result.unconfirmed = f;
    }
}

char *unconfirmed_text(const struct beyond_result *result)
{
    const struct limit *rule = &result->unconfirmed.rule;

    if (result->certain.d.class != SAME)
        return format_text("%s", "");
    if (result->unconfirmed_count == 1)
        return format_text("; %s is: %s", rule->confidence, rule->what);
    return format_text("; %s is: %s; and %llu more such record%s", rule->confidence,
                       rule->what, (unsigned long long)result->unconfirmed_count - 1,
                       result->unconfirmed_count == 2 ? "" : "s");
}
