/*
 * Runs that SMIs and stray NMIs hit, and runs that were made again.
 *
 * The kernel makes a run again that was hit, or whose records are not as expected, and logs
 * for each try the record at which it differed.  hits.c of common/rules/ says which records
 * a hit accounts for.  Here the numbers of the log are held against each other.
 */
#include "judge_parts.h"

#include <stdlib.h>

#include "count_of.h"
#include "heap.h"
#include "hit.h"
#include "lateness.h"
#include "retired.h"
#include "transfers.h"
#include "unconfirmed.h"
#include "words.h"

/* Tries of short runs that may differ in a log of no length at all. */
#define SHORT_SPARE 3

/* A round is not made again without a processor that is gone, or that came to no end. */
static bool lacks_one(const struct log *log, const struct run *run)
{
    for (size_t i = 0; run->round_line && i < log->run_count; i++) {
        const struct run *other = &log->runs[i];

        if (other->round_line == run->round_line && !other->skipped &&
            (other->ran.outcome == GONE || other->ran.outcome == TIMEOUT))
            return true;
    }
    return false;
}

static uint64_t newest_differed(const struct run *run)
{
    const struct tries *tries = &run->ran.tries;

    return tries->count ? tries->differed[tries->count - 1] : 0;
}

/* The run before it in its round, of a processor that came back; or NULL. */
static const struct run *before_in_round(const struct log *log, const struct run *run)
{
    const struct run *other = run;

    while (run->round_line && other-- > log->runs && other->round_line == run->round_line)
        if (!other->skipped && !other->damaged && other->ran.outcome != GONE)
            return other;
    return NULL;
}

char *hits_cannot_be(const struct log *log, const struct run *run)
{
    const uint64_t hits = run->ran.smis + run->ran.nmis;
    const struct run *before = before_in_round(log, run);

    if (before && before->ran.repeated != run->ran.repeated)
        return format_text("repeated=%llu, but line %zu has %llu: a round is repeated by "
                           "all its processors",
                           (unsigned long long)run->ran.repeated, before->end_line,
                           (unsigned long long)before->ran.repeated);
    if ((hits || newest_differed(run)) && run->ran.repeated + 1 < RUN_TRIES_MAX &&
        !lacks_one(log, run))
        return format_text("repeated=%llu of a run that was hit or that differed, want %d: "
                           "it is repeated until then",
                           (unsigned long long)run->ran.repeated, RUN_TRIES_MAX - 1);
    if (hits < run->ran.smis || hits > run->ran.ticks / HIT_TICKS_LEAST)
        return format_text("smis=%llu and nmis=%llu in ticks=%llu: want at most one in %d "
                           "ticks",
                           (unsigned long long)run->ran.smis,
                           (unsigned long long)run->ran.nmis,
                           (unsigned long long)run->ran.ticks, HIT_TICKS_LEAST);
    if (newest_differed(run) > run->records + 1 && !run->method->packets)
        return format_text("differed=%llu, but the run has %llu record%s",
                           (unsigned long long)newest_differed(run),
                           (unsigned long long)run->records, plural(run->records));
    return NULL;
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

/*
 * Where no SMI is counted, the kernel makes runs twice whose instructions have a stop each.
 * One that has another number of stops than the try before differs after its last record.
 */
static bool differs_in_stops(const struct run *run)
{
    return run->method->every_insn && !counts_smis(run) &&
           newest_differed(run) == run->records + 1;
}

/* True if a try differed, and the records are right that the run had at last. */
static bool was_right_again(const struct run *run)
{
    return run->ran.tries.count && (!newest_differed(run) || differs_in_stops(run));
}

/* Rules of what changes a record at random, without an SMI. */
static const char *const at_random[] = { "from-power", "bts-lost-stpclk", "step-in-guest" };

/* The rule of what changes a record now and then, or NULL. */
static const char *rule_of_tries(const struct run *run)
{
    for (size_t i = 0; i < COUNT_OF(at_random); i++)
        if (rule_is_of_run(at_random[i], run))
            return at_random[i];
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

/* The kernel compares as on bare metal, and what a platform does to stops is known here
 * alone. */
static bool kernel_compares_alike(const struct run *run)
{
    const struct rule_place place = rule_place_of(run);

    return !run_has_tf_before(run) && !(run->method->stops && rule_is_in_guest(&place));
}

/* Rules of what is beside the records, which the kernel does not compare. */
static const char *const beside[] = {
    "run-result",    "dr6-bs",          "dr6-others", "dr6-icebp", "dr6-icebp-bs",
    "inserts-alone", "inserts-counter", "lbr-type",   "lbr-tsx",   "lbr-cycles",
};

/* True if a finding is of records, stops, a hit or the line itself. */
static bool is_found_different(const struct run *run)
{
    for (size_t i = 0; i < run->findings.count; i++) {
        size_t k = 0;

        while (k < COUNT_OF(beside) && run->findings.at[i].rule != rule_named(beside[k]))
            k++;
        if (k == COUNT_OF(beside))
            return true;
    }
    return false;
}

void judge_tries(struct run *run)
{
    if (newest_differed(run) && (is_found_different(run) || !kernel_compares_alike(run)))
        return; /* the findings say of what the log holds */
    if (newest_differed(run) && !differs_in_stops(run))
        run_broke(run, "log-ran", run->end_line,
                  format_text("differed=%llu of the newest try, whose records are right",
                              (unsigned long long)newest_differed(run)));
    else if (was_right_again(run) && counts_smis(run))
        judge_counted_tries(run);
    else if (was_right_again(run))
        run_broke(
            run, "hit-uncounted", run->end_line,
            format_text("some of %zu tries of this run differed, at record %s: an SMI may "
                        "have hit them, which this processor does not count",
                        run->ran.tries.count, tries_text(run)));
}

/* A buffer that is late where those of the probe never were is as rare. */
static bool comes_at_random(const struct rule *rule, const struct run *run)
{
    for (size_t i = 0; i < COUNT_OF(at_random); i++)
        if (rule == rule_named(at_random[i]))
            return true;
    return hit_is_rule(rule) || rule == rule_named("from-after-smi") ||
           (rule == rule_named("stream-gaps") && !lateness_max(run));
}

/* Tries of a run for which only what comes at random accounts. */
static uint64_t count_excused(const struct run *run)
{
    const struct tries *tries = &run->ran.tries;
    bool excused = false;
    uint64_t count = 0;

    for (size_t i = 0; i < run->findings.count; i++)
        excused = excused || (run->findings.at[i].kind == ALLOWED &&
                              comes_at_random(run->findings.at[i].rule, run));
    if (run_found_by(run, "btf-untaken")) /* which makes each try differ */
        return excused;
    for (size_t i = 0; (excused || was_right_again(run)) && i < tries->count; i++)
        count += tries->differed[i] != 0;
    return count ? count : excused;
}

static uint64_t count_bits(unsigned bits)
{
    return (uint64_t)__builtin_popcount(bits);
}

/* The tries that count_excused() counts, as bits; the first, where it does not say which.
 */
static unsigned excused_tries(const struct run *run)
{
    const struct tries *tries = &run->ran.tries;
    const uint64_t count = count_excused(run);
    unsigned all = 0;

    for (size_t i = 0; i < tries->count; i++)
        all |= (unsigned)(tries->differed[i] != 0) << i;
    return count_bits(all) == count ? all : count != 0;
}

/*
 * Short runs are hit so rarely that many which differ are a fault.  Where SMIs are counted
 * and none came, or where the tries differ at one record, that is so of long ones too.  An
 * SMI reaches all processors at once, so the runs of a round differ in the same try.
 */
void judge_all_tries(struct log *log)
{
    uint64_t records = 0, differed = 0, most = 0;
    const struct run *last = NULL, *before = NULL;
    unsigned tries = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];
        const bool is_long = run->records >= HIT_RECORDS_APART;
        const uint64_t own = is_long ? 0 : run->records;
        unsigned excused;

        if (run->skipped || !run->end_line || run->workload->own->flags & WORKLOAD_HITS)
            continue;
        if (is_long && !(was_right_again(run) &&
                         (counts_smis(run) || hit_tries_are_alike(&run->ran.tries))))
            continue;
        if (!before || !run->round_line || run->round_line != before->round_line)
            most = tries = 0;
        excused = excused_tries(run);
        differed += count_bits(excused & ~tries);
        tries |= excused;
        records += own > most ? own - most : 0;
        most = own > most ? own : most;
        last = excused ? run : last;
        before = run;
    }
    if (!last || differed <= SHORT_SPARE + records / HIT_RECORDS_APART)
        return;
    complain_of_runs(
        log, last, "tries-few", format_text("short runs are the same in each try"),
        format_text("%llu tries of short runs were not as expected, with "
                    "%llu records in all: too many for chance",
                    (unsigned long long)differed, (unsigned long long)records));
}

const struct rule *hit_found(const struct run *run)
{
    for (size_t i = 0; i < run->findings.count; i++)
        if (run->findings.at[i].kind == ALLOWED && hit_is_rule(run->findings.at[i].rule))
            return run->findings.at[i].rule;
    return NULL;
}

void judge_handlers(const struct log *log, struct run *run)
{
    const struct rule_run hit = rule_run_of(log, run);
    const uint64_t size = run->workload->own->size;
    struct log_map map = map_of(log, run->workload);
    struct recorded got;
    struct source *records = transfers_of(&got, log, run);
    struct transfer t;

    for (uint64_t i = 0; hit_found(run) && records->next(records, &t); i++) {
        const uint64_t end = hit_is_foreign(&hit, t.to)     ? t.from
                             : hit_is_foreign(&hit, t.from) ? t.to
                                                            : BRANCH_UNKNOWN;

        if (end - hit.at < size && !runs_at(log, run, end)) {
            run_broke(run, "run-records", line_of_transfer(&got, run, i),
                      format_text("record %llu: got %s of a handler, but no instruction "
                                  "that runs begins at its end in the workload (wrong)",
                                  (unsigned long long)i + 1,
                                  scratch_take(transfer_text(&map, &t))));
            return;
        }
    }
}

bool lacks_stops(const struct run *run)
{
    return hit_found(run) || run_found_by(run, "step-in-guest");
}
