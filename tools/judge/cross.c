/*
 * Compares pairs of methods, in one log and on one workload, on what both can see.  The
 * expected trace decides which of them is right; this would notice an expected trace that
 * bends to what every method shows.
 *
 * The expected trace only says here where handlers are: stepping is blind in them, so they
 * are removed from the other side too.
 */
#include "judge_parts.h"

#include <stdlib.h>

#include "beyond.h"
#include "decode.h"
#include "heap.h"
#include "log_run.h"
#include "progress.h"
#include "transfers.h"

/* A run without what the other method cannot see. */
struct side {
    const struct run *run;
    const struct events *events;
    bool blind;    /* take away handlers: the other side cannot see them        */
    bool steps;    /* branches before which stepping had no stop are left out   */
    bool leaps;    /* branches for which the two give different FROMs are too   */
    bool until_db; /* only what came before #DB: it turned the other side off   */
    uint32_t depth;
};

static const struct event *event_of(const struct side *side, const struct transfer *t)
{
    for (size_t i = 0; i < side->events->count; i++)
        if (side->events->at[i].from == t->from && side->events->at[i].entry == t->to)
            return &side->events->at[i];
    return NULL;
}

static bool ends_handler(const struct side *side, const struct transfer *t)
{
    for (size_t i = 0; i < side->events->count; i++)
        if (side->events->at[i].iret == t->from)
            return true;
    return false;
}

/* True if an IRET returns here and stepping does not stop before this instruction. */
static bool unstopped(const struct events *events, uint64_t at)
{
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->at[i];

        if (event->to == at && (event->kind == KIND_INT || event->from != at))
            return true;
    }
    return false;
}

/* Every occurrence in the run goes, even one that was taken while TF was set. */
static bool unseen(const struct events *events, const struct transfer *t)
{
    for (size_t i = 0; i < events->unseen_count; i++)
        if (events->unseen[i].from == t->from && events->unseen[i].to == t->to)
            return true;
    return false;
}

static bool leaps(const struct events *events, const struct transfer *t)
{
    for (size_t i = 0; i < events->leap_count; i++) {
        const struct leap *leap = &events->leaps[i];

        if (t->to == leap->to && (t->from == leap->syscall || t->from == leap->sysret))
            return true;
    }
    return false;
}

static bool both_see(struct side *side, const struct transfer *t)
{
    if (side->leaps && leaps(side->events, t))
        return false;
    if (side->blind && t->from != BRANCH_UNKNOWN) {
        if (unseen(side->events, t))
            return false;
        if (event_of(side, t)) {
            side->depth++;
            return false;
        }
        if (side->depth > 0) {
            side->depth -= ends_handler(side, t);
            return false;
        }
    }
    return !side->steps || !unstopped(side->events, t->from);
}

/* Its stops have no FROM. */
static bool is_bare(const struct run *run)
{
    return run->method->stops && !run->method->every_insn;
}

/*
 * The first record that is compared: a full ring may begin inside a handler whose entry is
 * gone, and then the records up to its end are left out.
 */
static uint64_t after_broken_handler(const struct side *side,
                                     const struct transfer_list *all)
{
    uint64_t first = 0, depth = 0;

    if (!side->blind || !run_is_full(side->run))
        return 0;
    for (uint64_t i = 0; i < all->end; i++) {
        if (event_of(side, &all->of[i]))
            depth++;
        else if (ends_handler(side, &all->of[i]) && depth-- == 0)
            depth = 0, first = i + 1;
    }
    return first;
}

/* The transfers of a run that the other method can see, too; list_free() frees them. */
static struct transfer_list visible_to_both(const struct log *log, const struct run *run,
                                            const struct run *other,
                                            const struct events *events)
{
    struct side side = {
        .run = run,
        .events = events,
        .blind = other->method->blind_handlers || run->method->blind_handlers,
        .steps = other->method->every_insn || run->method->every_insn,
        .until_db = other->method->ends_at_db && !run->method->ends_at_db,
    };
    struct recorded recorded;
    struct transfer_list all = list_all(transfers_of(&recorded, log, run));
    struct transfer *kept = (struct transfer *)all.of;
    uint64_t count = 0;

    side.leaps = side.steps && !is_bare(other) && !is_bare(run);
    for (uint64_t i = after_broken_handler(&side, &all); i < all.end; i++) {
        if (side.until_db && i >= events->before_db)
            break;
        if (both_see(&side, &kept[i]))
            kept[count++] = kept[i];
    }
    all.end = count;
    return all;
}

/* A MEASURED difference at a handler's entry means we cannot tell where the handler starts,
 * so stepping methods are not comparable. */
static bool hides_handlers(const struct run *a, const struct run *b,
                           const struct events *events)
{
    return events->count > 0 && a->method->blind_handlers != b->method->blind_handlers &&
           (a->verdict == MEASURED || b->verdict == MEASURED);
}

/* A stop of btf has no FROM, so a branch that step cannot see cannot be taken out. */
static bool comparable(const struct run *a, const struct run *b,
                       const struct events *events)
{
    const struct loaded *loaded = a->workload;
    bool bare = is_bare(a) || is_bare(b);
    struct insn insn;

    if (a->method->sampled_windows || b->method->sampled_windows || a->gaps || b->gaps)
        return false;
    /* With BTS the filter tests the ring that a branch leaves, otherwise the one it enters.
     */
    if (a->filter & FILTER_RINGS && a->method->filtered != b->method->filtered &&
        workload_has_ring3(loaded->own))
        return false;
    /* Only packets have the entry of #DB. */
    if (a->method->packets != b->method->packets && workload_takes(loaded->own, STUB_DB))
        return false;
    if (a->method->silent || b->method->silent || a->method->last_event ||
        b->method->last_event)
        return false;
    if (!bare || !(a->method->every_insn || b->method->every_insn))
        return true;
    for (size_t i = 0; i < events->count; i++) {
        uint64_t to = events->at[i].to;

        if (unstopped(events, to) && decode_of(loaded->own, loaded->at, to, &insn))
            return false;
    }
    return true;
}

static void disagree(struct log *log, const struct run *a, const struct run *b,
                     const struct found_difference *f)
{
    const struct difference *d = &f->d;
    struct log_map map = map_of(log, a->workload);
    char *got = side_text(&map, d->got_ended, &d->got);
    char *want = side_text(&map, d->want_ended, &d->want);
    char *processor = processor_text(log, a);

    log->findings.pairs_disagree++;
    complain(
        log,
        (struct complaint){
            .method = a->method->name,
            .subject = a->workload->own->name,
            .other = b->method->name,
            .processor = a->processor,
            .filter = a->filter,
            .line = a->line > b->line ? a->line : b->line,
            .claim = format_text("%s and %s agree on %s%s", a->method->name,
                                 b->method->name, a->workload->own->name, filter_suffix(a)),
            .what = format_text(
                "%s%s%s: %s and %s disagree: record %llu of what both can see: %s "
                "has %s, %s has %s (%s in %s)",
                a->workload->own->name, filter_suffix(a), processor, a->method->name,
                b->method->name, (unsigned long long)f->got + 1, a->method->name, got,
                b->method->name, want, check_class_name(d->class), a->method->name) });
    free(got);
    free(want);
    free(processor);
}

static void cross_pair(struct log *log, const struct run *first, const struct run *second,
                       const struct events *events)
{
    /* A disagreement is reported for the run that differs from the expected trace. */
    bool second_is_wrong = first->verdict == PASS && second->verdict == FAIL;
    const struct run *a = second_is_wrong ? second : first;
    const struct run *b = second_is_wrong ? first : second;
    struct compared in_a = { visible_to_both(log, a, b, events), log, a, false };
    struct compared in_b = { visible_to_both(log, b, a, events), log, b, false };
    struct transfer_list *left = &in_a.list, *right = &in_b.list;
    struct beyond_result result;

    if (run_is_full(b) && left->end > right->end)
        left->at = left->end - right->end;
    if (run_is_full(a) && right->end > left->end)
        right->at = right->end - left->end;
    result = check_beyond(&in_a, &in_b);
    log->findings.pairs_compared++;
    if (result.certain.d.class != SAME)
        disagree(log, a, b, &result.certain);
    list_free(left);
    list_free(right);
}

static bool came_to_its_end(const struct run *run)
{
    return !run->skipped && run->end_line && run->outcome == ENDED &&
           run->verdict != ERROR && !run->method->sampled &&
           !(run->verdict == MEASURED &&
             (run_was_hit(run) || run->excused || run->doubled != NOT_DOUBLED ||
              (run->method->packets && run->lines->wrong)));
}

void cross(struct log *log, size_t processor)
{
    const size_t all = processors_of(log); /* the distance between runs of one processor */
    struct progress progress;
    struct events events;

    progress_begin(&progress, "comparing the methods", log->run_count);
    for (size_t i = processor; i < log->run_count; i += all) {
        for (size_t j = i + all; j < log->run_count; j += all) {
            const struct run *a = &log->runs[i], *b = &log->runs[j];

            if (a->workload != b->workload || a->round != b->round)
                break; /* runs are ordered by workload */
            if (!came_to_its_end(a) || !came_to_its_end(b))
                continue;
            events_of(&events, log, a->workload);
            if (differs_by_platform(a) || differs_by_platform(b))
                continue;
            if (a->filter == b->filter && comparable(a, b, &events) &&
                !hides_handlers(a, b, &events))
                cross_pair(log, a, b, &events);
            records_free(b, a);
        }
        records_free(&log->runs[i], NULL);
        progress_at(&progress, i);
    }
    progress_end(&progress);
}
