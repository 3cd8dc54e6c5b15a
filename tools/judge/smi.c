/*
 * SMIs on processors that do not count them: AMD's, and Intel's before Nehalem.
 *
 * An SMI takes a debug trap away, or adds records of its own (SDM vol. 3C, "SMI
 * Interrupt").  On these processors the kernel repeats a run whose records are not as
 * expected, and logs for each try the record at which it differed.  SMIs are rare and
 * strike at random, so stops that differ repeatedly at the same record, or often, are a
 * fault.  Any other difference could be either, and is MEASURED.  Branch records are
 * MEASURED if the only wrong ones lead out of all known code: those are the SMI handler's.
 */
#include "judge_parts.h"

#include <stdlib.h>

#include "count_of.h"
#include "expected_trace.h"
#include "unconfirmed.h"
#include "heap.h"
#include "parse.h"
#include "sampled_windows.h"
#include "transfers.h"

/* At most one SMI comes in this many records (chosen: one a millisecond would be many). */
#define RECORDS_AN_SMI 1000
/* The most records that an SMI adds (chosen: its handler belongs to the firmware). */
#define RECORDS_OF_SMI 16
/* So many of the tries may differ at one record by chance: a loop's end is one for all. */
#define AT_ONE_PLACE 2
/* Tries of short runs that may differ in a log of no length at all. */
#define SHORT_SPARE 3

/* True if an end is neither in the workload nor in the window. */
static bool is_strange(const struct log *log, const struct run *run, uint64_t end)
{
    return end != BRANCH_UNKNOWN && end != BRANCH_MISSING && end != BRANCH_FILTERED &&
           end != log->machine.caller.call && end != log->machine.caller.back &&
           end - run->workload->at >= run->workload->own->size;
}

/* True if an end is not in the kernel either. */
static bool is_foreign(const struct log *log, const struct run *run, uint64_t end)
{
    return is_strange(log, run, end) && !in_image(log, end, 1);
}

/* Counts the records with an end that is_of_handler() says is one of a handler. */
static uint64_t count_of(const struct log *log, const struct run *run,
                         bool (*is_of_handler)(const struct log *, const struct run *,
                                               uint64_t end))
{
    struct recorded got;
    struct source *source = transfers_of(&got, log, run);
    struct transfer t;
    uint64_t count = 0;

    while (source->next(source, &t))
        count += is_of_handler(log, run, t.from) || is_of_handler(log, run, t.to);
    return count;
}

static uint64_t count_foreign(const struct log *log, const struct run *run)
{
    return count_of(log, run, is_foreign);
}

/* The handler of an NMI is in the kernel, that of an SMI outside all known code. */
bool hit_left_records(const struct log *log, const struct run *run)
{
    return count_of(log, run, run->ran.nmis ? is_strange : is_foreign) > 0;
}

/*
 * The records of a run except those of SMIs, and those of an interrupt's own that were not
 * taken out because an SMI came between them.
 */
static struct transfer_list without_strange(const struct log *log, const struct run *run)
{
    struct recorded got;
    struct transfer_list all = list_all(transfers_of(&got, log, run));
    struct transfer *kept = (struct transfer *)all.of;
    uint64_t count = 0;

    for (uint64_t i = 0; i < all.end; i++)
        if (!is_strange(log, run, kept[i].from) && !is_strange(log, run, kept[i].to))
            kept[count++] = kept[i];
    all.end = count;
    return all;
}

/* An SMI's records fill a stack or a ring like any others, so it keeps fewer of the run. */
static bool rest_is_right(const struct log *log, const struct run *run, uint64_t foreign)
{
    struct transfer_list rest = without_strange(log, run);
    uint64_t keep = visible_capacity(run->method, run->cpu->row, run->capacity);
    struct expected_trace expected;
    struct visible visible;
    bool right;

    visible_through(&visible, expected_trace_of(&expected, log, run->workload), run->method,
                    keep > foreign ? keep - foreign : keep, run_record_filter(run));
    right = run->gaps ? !sampled_windows_check(&rest.source, &visible.source, 0).wrong
                      : check(&rest.source, &visible.source).class == SAME;
    list_free(&rest);
    return right;
}

/* One sample holds few branches, and an SMI hides the rest of its sample. */
static bool is_rare(const struct run *run, uint64_t foreign)
{
    return (run->method->counter_driven || run->method->sampled_windows) &&
           foreign <= run->records * RECORDS_OF_SMI / RECORDS_AN_SMI;
}

/* Returns how many tries, at most, differ at the same record. */
static size_t at_one_place(const struct tries *tries)
{
    size_t most = 0;

    for (size_t i = 0; i < tries->count; i++) {
        size_t same = 0;

        for (size_t k = 0; k < tries->count; k++)
            same += tries->differed[k] == tries->differed[i];
        most = same > most ? same : most;
    }
    return most;
}

bool tries_at_random(const struct run *run)
{
    const struct tries *tries = &run->ran.tries;

    for (size_t i = 0; i < tries->count; i++)
        if (!tries->differed[i])
            return false;
    return tries->count > AT_ONE_PLACE && at_one_place(tries) <= AT_ONE_PLACE;
}

/* True if every try differed and SMIs can be the cause. */
static bool all_may_be_hit(const struct log *log, const struct run *run)
{
    const struct tries *tries = &run->ran.tries;
    uint64_t right = 0, foreign;

    for (size_t i = 0; i < tries->count; i++) {
        if (!tries->differed[i])
            return false;
        right += tries->differed[i] - 1;
    }
    if (run->method->blind_handlers) /* it stops by debug traps */
        return tries->count > AT_ONE_PLACE && at_one_place(tries) <= AT_ONE_PLACE &&
               right >= RECORDS_AN_SMI * tries->count;
    foreign = count_foreign(log, run);
    return foreign && (rest_is_right(log, run, foreign) || is_rare(run, foreign));
}

/* "5, 17 and 4": where the tries differed, those that did. */
static const char *tries_text(const struct run *run)
{
    const char *text = "";

    for (size_t i = 0; i < run->ran.tries.count; i++)
        if (run->ran.tries.differed[i])
            text = scratch_text("%s%s%llu", text, *text ? ", " : "",
                                (unsigned long long)run->ran.tries.differed[i]);
    return text;
}

static bool counts_smis(const struct run *run)
{
    return run->cpu->left.smi_count.is == LOG_THERE;
}

char *uncounted_smis(const struct log *log, const struct run *run)
{
    if (!run->ran.tries.count || counts_smis(run) || run->ran.outcome != ENDED ||
        rule_place_of(run).emulated || !all_may_be_hit(log, run))
        return NULL;
    return format_text("the cause may be an SMI, which this processor does not count: "
                       "%s%zu tries differed, at records %s",
                       run->method->blind_handlers
                           ? ""
                           : "records lead out of all known code, as an SMI's do, and ",
                       run->ran.tries.count, tries_text(run));
}

/* What changes a record now and then without an SMI. */
static const char *rule_of_tries(const struct run *run)
{
    static const char *const rules[] = { "from-power", "bts-lost-stpclk", "step-in-guest" };

    for (size_t i = 0; i < COUNT_OF(rules); i++)
        if (rule_is_of_run(rules[i], run))
            return rules[i];
    return NULL;
}

/* Where SMIs are counted, none hit a try that differed. */
static void judge_counted_tries(struct run *run)
{
    const char *rule = rule_of_tries(run);
    char *why =
        format_text("some of %zu tries of this run differed, at record %s, although "
                    "no SMI hit them",
                    run->ran.tries.count, tries_text(run));

    if (rule)
        run_found(run, ALLOWED, rule, run->end_line, why);
    else
        run_broke(run, "run-steady", run->end_line, why);
}

void judge_tries(struct run *run)
{
    if (run->ran.tries.count && counts_smis(run))
        judge_counted_tries(run);
    else if (run->ran.tries.count)
        run_broke(
            run, "hit-uncounted", run->end_line,
            format_text("some of %zu tries of this run differed, at record %s: an SMI may "
                        "have hit them, which this processor does not count",
                        run->ran.tries.count, tries_text(run)));
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
        for (size_t k = 0; k < run->ran.tries.count; k++)
            differed += run->ran.tries.differed[k] != 0;
        last = run->ran.tries.count ? run : last;
    }
    if (!last || differed <= SHORT_SPARE + records / RECORDS_AN_SMI)
        return;
    complain(log, (struct complaint){
                      .rule = "tries-few",
                      .method = last->method->name,
                      .subject = last->workload->own->name,
                      .line = last->end_line,
                      .claim = format_text("short runs are the same each time"),
                      .what = format_text(
                          "%llu tries of short runs were not as expected, with "
                          "%llu records in all: too many to be met at random",
                          (unsigned long long)differed, (unsigned long long)records) });
}
