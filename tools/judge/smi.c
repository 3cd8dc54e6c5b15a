/*
 * SMIs on processors that do not count them: AMD's, and Intel's before Nehalem.
 *
 * An SMI takes a debug trap away, or leaves records of its own (SDM vol. 3C, "SMI
 * Interrupt").  There the kernel makes a run again whose records are not as expected, and
 * logs for each try the record at which it differed.  SMIs are rare and strike at random,
 * so one that differs at the same record each time has a fault, as has one that differs
 * often. What is left could be either, and is measured.
 */
#include "judge_parts.h"

#include <stdlib.h>

#include "doubt.h"
#include "heap.h"
#include "parse.h"
#include "unfold.h"

/* SMIs come at most once in so many records (chosen: one a millisecond would be many). */
#define RECORDS_AN_SMI 1000
/* Records that one leaves, at most: chosen; its handler's branches are the firmware's. */
#define RECORDS_OF_SMI 16
/* Tries of short runs that may differ in a log of no length at all. */
#define SHORT_SPARE 3

/* Whether an end lies in memory that is neither the workload's nor the kernel's. */
static bool is_foreign(const struct log *log, const struct run *run, uint64_t end)
{
    return end != BRANCH_UNKNOWN && end != BRANCH_MISSING && end != log->call &&
           end != log->back && end - run->workload->at >= run->workload->own->size &&
           !in_image(log, end, 1);
}

/* Records that lead into such memory, in it, or out of it: of an SMI's handler. */
static uint64_t count_foreign(const struct log *log, const struct run *run)
{
    static struct got got;
    struct source *source = got_of(&got, log, run);
    struct transfer t;
    uint64_t count = 0;

    while (source->next(source, &t))
        count += is_foreign(log, run, t.from) || is_foreign(log, run, t.to);
    return count;
}

bool smi_left_records(const struct log *log, const struct run *run)
{
    return count_foreign(log, run) > 0;
}

static bool differ_at_one_place(const struct run *run)
{
    for (size_t i = 1; i < run->tries.count; i++)
        if (run->tries.differed[i] != run->tries.differed[0])
            return false;
    return true;
}

/* Whether every try differed, as SMIs can make it: rarely, and nowhere twice. */
static bool all_may_be_hit(const struct log *log, const struct run *run)
{
    const struct tries *tries = &run->tries;
    uint64_t right = 0, foreign;

    for (size_t i = 0; i < tries->count; i++) {
        if (!tries->differed[i])
            return false;
        right += tries->differed[i] - 1;
    }
    if (tries->count < 2)
        return false;
    if (run->method->blind_handlers) /* it stops by debug traps */
        return !differ_at_one_place(run) && right >= RECORDS_AN_SMI * tries->count;
    foreign = count_foreign(log, run); /* what a full ring lacks is lost from its begin */
    return foreign && foreign <= run->records * RECORDS_OF_SMI / RECORDS_AN_SMI &&
           (view_is_ring(run->method) || !differ_at_one_place(run));
}

/* "5, 17 and 4": where the tries differed, those that did. */
static char *tries_text(const struct run *run)
{
    char *text = format_text("%s", "");

    for (size_t i = 0; i < run->tries.count; i++) {
        char *longer;

        if (!run->tries.differed[i])
            continue;
        longer = format_text("%s%s%llu", text, *text ? ", " : "",
                             (unsigned long long)run->tries.differed[i]);
        free(text);
        text = longer;
    }
    return text;
}

void judge_tries(const struct log *log, struct run *run)
{
    char *where, *why;

    if (!run->tries.count)
        return;
    where = tries_text(run);
    if (run->verdict == FAIL && on_silicon(log) && all_may_be_hit(log, run)) {
        why =
            format_text("%s; no failure is certain: %zu tries differed, each elsewhere, at "
                        "records %s, and this processor does not count SMIs",
                        run->why, run->tries.count, where);
        free(run->why);
        run->why = why;
        run->verdict = MEASURED;
        run->excused = true;
    } else if (run->verdict <= MEASURED) {
        run_found(
            run, on_silicon(log) ? MEASURED : FAIL, run->end_line,
            format_text("an earlier try of this run differed, at record %s: an SMI may "
                        "have hit it, which this processor does not count",
                        where));
    }
    free(where);
}

/* Short runs are hit so rarely that many tries which differ are a fault. */
void judge_all_tries(struct log *log)
{
    uint64_t records = 0, differed = 0;
    const struct run *last = NULL;

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (run->skipped || !run->end_line || run->records >= RECORDS_AN_SMI)
            continue;
        records += run->records;
        for (size_t k = 0; k < run->tries.count; k++)
            differed += run->tries.differed[k] != 0;
        last = run->tries.count ? run : last;
    }
    if (!last || differed <= SHORT_SPARE + records / RECORDS_AN_SMI)
        return;
    complain(log, (struct complaint){
                      .method = last->method->name,
                      .subject = last->workload->own->name,
                      .line = last->end_line,
                      .claim = format_text("short runs are the same each time"),
                      .what = format_text(
                          "%llu tries of short runs were not as expected, with "
                          "%llu records in all: too many for SMIs",
                          (unsigned long long)differed, (unsigned long long)records) });
}
