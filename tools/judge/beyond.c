/*
 * Compares two sequences and continues past differences that rest on a rule which no manual
 * states.  Such a difference is skipped together with its record; the records after it must
 * be right again.
 */
#include "beyond.h"

#include <stdlib.h>

#include "expected_trace.h"
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

static const struct rule *rule_of(const struct compared *side, const struct events *events,
                                  const struct transfer *t, enum difference_class class)
{
    const struct rule_record record = {
        .workload = side->run->workload->own,
        .at = side->run->workload->at,
        .call = side->log->machine.call,
        .back = side->log->machine.back,
        .events = events,
        .transfer = addresses(side, t),
        .class = class,
    };

    return unconfirmed_rule_of(side->run, &record);
}

/* Returns true if the difference is unconfirmed; then both sides have advanced past it. */
static bool unconfirmed(struct compared *got, struct compared *want,
                        const struct events events[2], struct found_difference *f)
{
    const enum difference_class class = f->d.class;
    const struct rule *rule = NULL;
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
    f->rule = rule;
    ends = class != LOST && class != EXTRA && rule->of_ends;
    got->list.next = got->list.at + f->got + (ends || !wanted);
    want->list.next = want->list.at + f->want + (ends || wanted);
    return true;
}

struct beyond_result check_beyond(struct compared *got, struct compared *want)
{
    struct beyond_result result = { .unconfirmed_count = 0 };
    struct events events[2];

    events_in(&events[0], got->log, got->run);
    events_in(&events[1], want->log, want->run);
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

char *rule_text(const struct rule *rule, const struct rule_place *place)
{
    return format_text("%s is %s: %s", rule->name,
                       confidence_words[rule_basis_of(rule, place).confidence],
                       rule->sentence);
}

char *unconfirmed_text(const struct beyond_result *result, const struct run *run)
{
    const struct rule_place place = rule_place_of(run);
    const uint64_t more = result->unconfirmed_count - 1;
    char *rule, *text;

    if (result->certain.d.class != SAME)
        return NULL;
    rule = rule_text(result->unconfirmed.rule, &place);
    if (!more)
        return rule;
    text = format_text("%s %llu more such record%s", rule, (unsigned long long)more,
                       more == 1 ? "" : "s");
    free(rule);
    return text;
}
