/*
 * Compares two sequences and continues past differences that rest on a rule which no manual
 * states.  Such a difference is skipped together with its record; the records after it must
 * be right again.
 */
#include "beyond.h"

#include <stdlib.h>

#include "count_of.h"
#include "expected_trace.h"
#include "placed.h"
#include "rounds.h"
#include "unconfirmed.h"
#include "untaken.h"
#include "events.h"
#include "heap.h"
#include "portable.h"
#include "words.h"

/* A rule cannot speak of more records than the longest workload could make. */
#define UNCONFIRMED_MAX (1u << 22)

static struct rule_run rule_run_on(const struct compared *side, struct events *events)
{
    struct rule_run run = rule_run_of(side->log, side->run);

    events_in(events, side->log, side->run);
    run.events = events;
    return run;
}

/* The records that a rule about all of their kind took away, like the first of them. */
struct taken_away {
    struct found_difference first;
    uint64_t count;
};

/* True if the rule took away some records of a kind that it concerns, and left others. */
static bool left_some(const struct taken_away *taken, const struct compared *want,
                      const struct rule_run runs[2])
{
    uint64_t all = 0;

    for (uint64_t i = want->list.at; taken->count && i < want->list.end; i++) {
        const struct difference lost = { .class = LOST,
                                         .got_ended = true,
                                         .want =
                                             compared_addresses(want, &want->list.of[i]) };

        all += lost.want.kind == taken->first.d.want.kind &&
               rule_of_difference(&runs[0], &runs[1], &lost, rule_concerns).rule ==
                   taken->first.rule;
    }
    return taken->count < all;
}

/* Those of `got` that a rule accounts for. */
struct excuses {
    struct excused *of;
    size_t count, capacity;
};

/*
 * Returns true if the difference is unconfirmed; then both sides have advanced past it.
 * check() looks only a few records ahead: whatever it calls a record may be an extra one.
 */
static bool unconfirmed(struct compared *got, struct compared *want,
                        const struct rule_run runs[2], struct excuses *excuses,
                        struct found_difference *f)
{
    struct difference d = f->d;
    struct rule_step step;

    d.got = d.got_ended ? d.got : compared_addresses(got, &d.got);
    d.want = d.want_ended ? d.want : compared_addresses(want, &d.want);
    step = rule_of_difference(&runs[0], &runs[1], &d, rule_concerns);
    if (!step.rule && !d.got_ended) {
        d.class = EXTRA;
        step = rule_of_difference(&runs[0], &runs[1], &d, rule_concerns);
        if (step.rule)
            f->d.class = EXTRA, f->d.length = 1;
    }
    f->rule = step.rule;
    got->list.next = got->list.at + f->got + step.got_by;
    want->list.next = want->list.at + f->want + step.want_by;
    if (step.got_by) {
        excuses->of =
            grow(excuses->of, &excuses->capacity, excuses->count, sizeof(*excuses->of));
        excuses->of[excuses->count++] =
            (struct excused){ f->got, f->want, step.rule, !step.want_by };
    }
    return step.rule;
}

/* True if an erratum accounts for this one; then both sides have advanced past it. */
static bool is_at_random(struct compared *got, struct compared *want, struct rule_run run,
                         uint64_t first, const struct found_difference *f,
                         struct beyond_result *result)
{
    static const char *const names[] = { "from-power", "from-after-smi",
                                         "bts-lost-stpclk" };
    const bool lost = f->d.class == LOST, extra = f->d.class == EXTRA;
    const uint64_t is = got->list.at + f->got, should = want->list.at + f->want;
    const uint64_t before = f->got && f->want; /* for a rule that looks at it */
    struct transfer_list one = list_of(got->list.of, is - before, is + !lost);
    struct transfer_list other = list_of(want->list.of, should - before, should);
    struct difference d = f->d;

    if (!first || result->at_random || (d.want_ended && !extra) || (d.got_ended && !lost))
        return false;
    d.index = before;
    run.hits.first = first;
    other.end += !d.want_ended;
    for (size_t i = 0; !result->at_random && i < COUNT_OF(names) * (1 + extra); i++) {
        const struct rule *rule = rule_named(names[i % COUNT_OF(names)]);

        if (i == COUNT_OF(names)) /* the record is in the place of none */
            other.end = should;

        result->how = rule_holds(rule, &run.place)
                          ? rule->accounts(&run, &d, &one.source, &other.source)
                          : NULL;
        result->at_random = result->how ? rule : NULL;
    }
    got->list.next = one.end;
    want->list.next = other.end;
    return result->at_random;
}

/* The difference that an extra record is, if no rule can account for it there. */
static struct found_difference found_extra(const struct compared *got,
                                           const struct compared *want,
                                           const struct excused *extra)
{
    struct found_difference f = { .got = extra->got, .want = extra->want };

    f.d = (struct difference){ .class = EXTRA,
                               .got = got->list.of[got->list.at + extra->got],
                               .length = 1 };
    f.d.want_ended = want->list.at + extra->want >= want->list.end;
    if (!f.d.want_ended)
        f.d.want = want->list.of[want->list.at + extra->want];
    return f;
}

/*
 * The first stop after a branch that was not taken, if BTF stopped after some of them only.
 * `*lost`: how many it lacks, which hits may have taken away.
 */
static const struct excused *find_some_untaken(const struct compared *got,
                                               const struct rule_run *run,
                                               const struct excuses *excuses,
                                               uint64_t *lost)
{
    const struct rule *rule = rule_named("btf-untaken");
    const struct excused *first = NULL;
    uint64_t count = 0;

    for (size_t i = excuses->count; i-- > 0;)
        if (excuses->of[i].rule == rule)
            first = &excuses->of[i], count++;
    *lost = first ? untaken_lost(got->log, got->run, count) : 0;
    return *lost > untaken_may_lack(run, first ? first->got + 1 : 0) ? first : NULL;
}

/* The first iteration of a REP instruction in the records, if they lack others. */
static const struct excused *find_some_iterations(const struct compared *got,
                                                  const struct rule_run *run,
                                                  const struct excuses *excuses)
{
    const struct rule *rule = rule_named("event-rep");
    const struct excused *first = NULL;
    uint64_t count = 0;

    for (size_t i = excuses->count; i-- > 0;)
        if (excuses->of[i].rule == rule) {
            const uint64_t from = got->list.of[got->list.at + excuses->of[i].got].from;
            const struct counts counts = counts_of(run->workload, from - run->at);

            first = &excuses->of[i];
            count += counts_are_all(&counts);
        }
    return first && !got->run->gaps && !run_is_full(got->run) && !run_was_hit(got->run) &&
                   !(got->run->filter & FILTER_RINGS) &&
                   count < iterations_least(got->log, got->run)
               ? first
               : NULL;
}

void note_disputed(struct disputed *all, uint64_t at)
{
    if (!all)
        return;
    all->at = grow(all->at, &all->capacity, all->count, sizeof(*all->at));
    all->at[all->count++] = at;
}

struct beyond_result check_beyond_one(struct compared *got, struct compared *want,
                                      uint64_t first, struct disputed *disputed)
{
    struct beyond_result result = { .unconfirmed_count = 0 };
    struct events events[2];
    struct excuses excuses = { .count = 0 };
    const struct excused *wrong = NULL;
    struct taken_away taken = { .count = 0 };
    struct rule_run runs[2] = { rule_run_on(got, &events[0]),
                                rule_run_on(want, &events[1]) };
    const bool emulated = runs[0].place.emulated && runs[1].place.emulated;

    runs[0].place.emulated = runs[1].place.emulated =
        emulated; /* of two logs, one may be */
    got->list.next = got->list.at;
    want->list.next = want->list.at;
    for (;;) {
        struct found_difference f = { .got = got->list.next - got->list.at,
                                      .want = want->list.next - want->list.at };

        f.d = check(&got->list.source, &want->list.source);
        if (f.d.class == SAME) {
            if (left_some(&taken, want, runs))
                result.certain = taken.first;
            else if (excuses.count &&
                     ((wrong = find_misplaced(got, want, &runs[0], excuses.of,
                                              excuses.count)) ||
                      (got->run == want->run &&
                       ((wrong = find_some_iterations(got, &runs[0], &excuses)) ||
                        (wrong = find_some_untaken(got, &runs[0], &excuses,
                                                   &result.untaken_lost))))))
                result.certain = found_extra(got, want, wrong);
            break;
        }
        f.got += f.d.index;
        f.want += f.d.index;
        if (result.unconfirmed_count == UNCONFIRMED_MAX ||
            !unconfirmed(got, want, runs, &excuses, &f)) {
            if (is_at_random(got, want, runs[0], first, &f, &result))
                continue;
            result.certain = f;
            break;
        }
        if (f.rule->of_all && f.d.class == LOST &&
            (!taken.count || f.d.want.kind == taken.first.d.want.kind) &&
            taken.count++ == 0)
            taken.first = f;
        if (result.unconfirmed_count++ == 0 || result.unconfirmed.rule->noted)
            result.unconfirmed = f;
        note_disputed(disputed, f.got);
    }
    free(excuses.of);
    return result;
}

struct beyond_result check_beyond(struct compared *got, struct compared *want,
                                  struct disputed *disputed)
{
    return check_beyond_one(got, want, 0, disputed);
}

char *rule_text(const struct rule *rule, const struct rule_place *place)
{
    const char *errata = rule->errata ? scratch_text(" (%s)", rule->errata) : "";

    return format_text("%s%s is %s: %s", rule->name, errata,
                       confidence_words[rule_basis_of(rule, place).confidence],
                       rule->sentence);
}

char *more_text(const struct beyond_result *result)
{
    const uint64_t more = result->unconfirmed_count - 1;

    if (result->certain.d.class != SAME || !more)
        return format_text("%s", "");
    return format_text(", and %llu more such record%s", (unsigned long long)more,
                       plural(more));
}
