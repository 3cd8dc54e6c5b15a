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
#define DOUBTED_MAX (1u << 22)

/* A source that can go back to the difference that check() found, and past it. */
#define PAST (2 * CHECK_LOOK)
struct again {
    struct source source, *of;
    struct transfer past[PAST];
    uint64_t given, at;
};

static bool again_next(struct source *source, struct transfer *out)
{
    struct again *again = (struct again *)source;

    if (again->at == again->given) {
        if (!again->of->next(again->of, &again->past[again->given % PAST]))
            return false;
        again->given++;
    }
    *out = again->past[again->at++ % PAST];
    return true;
}

static void again_rewind(struct source *source)
{
    struct again *again = (struct again *)source;

    again->of->rewind(again->of);
    again->given = again->at = 0;
}

static void again_of(struct again *again, struct source *of)
{
    again->source = (struct source){ again_next, again_rewind };
    again->of = of;
    again_rewind(&again->source);
}

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

    return doubt_of(side->log, side->run, events, &at, class);
}

/* A struck REP, a layout and fusion make the ends unconfirmed; any other rule makes it
 * unconfirmed that there is a record. */
static bool doubts_ends(const struct limit *rule)
{
    return rule->of == LIMIT_OF_STRUCK || rule->of == LIMIT_OF_LAYOUT ||
           rule->of == LIMIT_OF_FUSION;
}

/* One side of a comparison, and its position. */
struct side {
    const struct compared *of;
    struct again again;
    struct events events;
};

static void side_of(struct side *side, const struct compared *of)
{
    side->of = of;
    again_of(&side->again, of->source);
    events_of(&side->events, of->log, of->run->workload);
}

/* True if the difference is unconfirmed; then both sides have advanced past it. */
static bool unconfirmed(struct side *got, struct side *want, struct found_difference *f)
{
    const enum difference_class class = f->d.class;
    const struct limit *rule = NULL;
    bool wanted, ends;

    if (!on_silicon(got->of->log) && !on_silicon(want->of->log))
        return false;
    if (!f->d.want_ended && doubt_wanted(class))
        rule = rule_of(want->of, &want->events, &f->d.want, class);
    wanted = rule != NULL;
    if (!rule && !f->d.got_ended && doubt_got(class))
        rule = rule_of(got->of, &got->events, &f->d.got, class);
    if (!rule)
        return false;
    f->rule = *rule;
    ends = class != LOST && class != EXTRA && doubts_ends(rule);
    got->again.at = f->got + (ends || !wanted);
    want->again.at = f->want + (ends || wanted);
    return true;
}

struct unconfirmed_rule check_beyond(const struct compared *got,
                                     const struct compared *want)
{
    struct unconfirmed_rule unconfirmed_rule = { .unconfirmed_rules = 0 };
    struct side left, right;

    side_of(&left, got);
    side_of(&right, want);
    for (;;) {
        struct found_difference f = { .got = left.again.at, .want = right.again.at };

        f.d = check(&left.again.source, &right.again.source);
        if (f.d.class == SAME)
            return unconfirmed_rule;
        f.got += f.d.index;
        f.want += f.d.index;
        if (unconfirmed_rule.unconfirmed_rules == DOUBTED_MAX ||
            !unconfirmed(&left, &right, &f)) {
            unconfirmed_rule.certain = f;
            return unconfirmed_rule;
        }
        if (unconfirmed_rule.unconfirmed_rules++ == 0)
            unconfirmed_rule.unconfirmed = f;
    }
}

char *doubt_text(const struct unconfirmed_rule *unconfirmed_rule)
{
    const struct limit *rule = &unconfirmed_rule->unconfirmed.rule;

    if (unconfirmed_rule->certain.d.class != SAME)
        return format_text("%s", "");
    if (unconfirmed_rule->unconfirmed_rules == 1)
        return format_text("; %s is: %s", rule->confidence, rule->what);
    return format_text("; %s is: %s; and %llu more such record%s", rule->confidence,
                       rule->what,
                       (unsigned long long)unconfirmed_rule->unconfirmed_rules - 1,
                       unconfirmed_rule->unconfirmed_rules == 2 ? "" : "s");
}
