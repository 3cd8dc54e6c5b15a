/*
 * What a processor does otherwise than a rule says that no manual states, it does in each
 * run, or in none: the rule is about how it is made.  A run in which such a rule accounts
 * for a difference, and one whose records are as the rule says, contradict each other.
 * Each kind of event is held against its own, and so are the stops of each method.
 */
#include "judge_parts.h"

#include <stdlib.h>
#include <string.h>

#include "expected_trace.h"
#include "heap.h"
#include "hit.h"
#include "log_run.h"
#include "placed.h"
#include "rounds.h"
#include "saturate.h"
#include "severity.h"
#include "unconfirmed.h"
#include "untaken.h"
#include "words.h"

#define INT_N 0xcd
#define INT3  0xcc

/* Which instruction raised the last event that is no #DB, as a bit. */
static unsigned kind_of_last(const struct rule_record *record)
{
    const struct events *events = record->events;
    unsigned code = 0;

    for (size_t i = 0; i < events->count; i++)
        if (events->at[i].kind != KIND_DB)
            code = rule_code_at(record, events->at[i].from);
    return code == INT_N ? 1u << 6 : code == INT3 ? 1u << 7 : 1u << 8;
}

/* Of which kind a record is, as a bit. */
static unsigned kind_of(const struct rule_record *record)
{
    return record->place->method->last_event ? kind_of_last(record) : rule_kind_of(record);
}

/* The kinds of those transfers of which the rule would account for a lost or extra record,
 * or for any other LER. */
static unsigned kinds_in(struct source *source, const struct rule *rule,
                         const struct rule_run *run, enum difference_class class)
{
    struct transfer t;
    unsigned kinds = 0;

    source->rewind(source);
    while (source->next(source, &t)) {
        struct rule_record record = rule_record_of(run, &t);

        record.class = class;
        if (!kind_is_mark(t.kind) && rule_concerns(rule, &record))
            kinds |= kind_of(&record);
        if (t.kind == KIND_DB && run->place.method->ends_at_db)
            break;
    }
    return kinds;
}

/* True if a filter that leaves out no kind of branch would leave a record. */
static bool has_branches(const struct log *log, const struct run *run)
{
    struct record_filter filter = run_record_filter(run);
    struct expected_trace expected;
    struct visible visible;

    filter.left_out &= ~FILTER_KINDS;
    visible_through(&visible, expected_trace_of(&expected, log, run->workload), run->method,
                    0, filter);
    return visible.source.next(&visible.source, &(struct transfer){ 0 });
}

/* The kinds of the places in a run at which the rule would show. */
static unsigned kinds_of(const struct log *log, const struct run *run,
                         const struct rule *rule)
{
    struct rule_run place = rule_run_of(log, run);
    struct expected_trace expected;
    struct source *all;
    struct visible visible;
    struct events events;

    if (rule == rule_named("btf-untaken")) /* such a branch is no transfer */
        return untaken_kinds(log, run);
    if (rule == rule_named("filter-nothing"))
        return has_branches(log, run) << run->method->last_event;
    if (rule == rule_named("event-rep")) /* and neither is an iteration */
        return run_found_by(run, rule->name) || iterations_least(log, run);
    if (run->workload->own->packed) /* by its own code it has none of these */
        return 0;
    events_in(&events, log, run);
    place.events = &events;
    place.place.filter &= ~LEAVES_OUT(FILTER_CALLSTACK); /* there too they would show */
    all = expected_trace_of(&expected, log, run->workload);
    visible_through(&visible, all, run->method, 0, run_record_filter(run));
    if (run->method->last_event)
        return kinds_in(&visible.source, rule, &place, SAME);
    return kinds_in(&visible.source, rule, &place, LOST) |
           kinds_in(all, rule, &place, EXTRA);
}

/* True if all places of a run are in the records, and nothing but the processor is at work.
 */
static bool is_plain(const struct run *run)
{
    return run->end_line && !run->skipped && run->ran.outcome == ENDED && !run->gaps &&
           !run->method->sampled && !run->method->sampled_windows &&
           (run->method->last_event || !run_is_full(run)) && !run_was_hit(run) &&
           !hit_found(run) && !(run->filter & FILTER_RINGS) &&
           !is_other_build(run->workload) && !rule_is_of_run("bts-lost-stpclk", run) &&
           !may_lose_stops(run);
}

static bool shows(const struct run *run, const struct rule *rule)
{
    const bool found =
        is_plain(run) && run->verdict == MEASURED && run_found_by(run, rule->name);
    char *doubt = found ? doubt_on_platform(run) : NULL;
    const bool is_sure = found && !doubt;

    free(doubt);
    return is_sure;
}

/* The kinds of places in a second run that was made alike and is right. */
static unsigned contradicted_by(const struct log *log, const struct run *run,
                                const struct run *other, const struct rule *rule)
{
    return other->cpu == run->cpu && other->filter == run->filter && is_plain(other) &&
                   (!run->method->blind_handlers || other->method == run->method) &&
                   other->right && run_shows_its_branches(other) &&
                   rule_is_of_run(rule->name, other)
               ? kinds_of(log, other, rule)
               : 0;
}

/* Which of its kinds differs is not kept, so each must be contradicted. */
static bool judge_property(struct log *log, const struct run *run, const struct rule *rule)
{
    const struct run *other = NULL;
    const char *filter = scratch_text("%s", filter_suffix(run));
    unsigned left = kinds_of(log, run, rule);

    for (size_t i = 0; left && i < log->run_count; i++) {
        const unsigned kinds = contradicted_by(log, run, &log->runs[i], rule);

        other = kinds & left ? &log->runs[i] : other;
        left &= ~kinds;
    }
    if (!other || left)
        return false;
    complain_of_runs(
        log, run, "run-same", format_text("all runs are alike in what %s says", rule->name),
        format_text("%s %s%s differs by %s, but %s %s (line %zu), which has "
                    "such records, does not",
                    run->method->name, run->workload->own->name, filter, rule->name,
                    other->method->name, other->workload->own->name, other->end_line));
    return true;
}

void judge_all_properties(struct log *log)
{
    const struct rule *rule;

    for (size_t n = 0; (rule = rule_nth(n)); n++)
        for (size_t i = 0; rule->of_all && i < log->run_count; i++)
            if (shows(&log->runs[i], rule) && judge_property(log, &log->runs[i], rule))
                break;
}

/* Judges the streams, or all other runs. */
static void judge_copies(struct log *log, bool of_streams)
{
    const struct run *last = NULL;
    size_t stacks = 0, copies = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (run->skipped || run->records < 2 || run->method->overlaps != of_streams ||
            run->method->blind_handlers || !rule_is_of_run("lbr-doubled", run))
            continue;
        stacks++;
        if (run_found_by(run, "lbr-doubled")) {
            copies++;
            last = run;
        }
    }
    if (copies > copies_max(stacks))
        complain_of_runs(
            log, last, "copies-few", format_text("most LBR stacks end with no copy"),
            format_text("%zu of %zu LBR stacks end with a copy of a record, "
                        "want at most %llu (wrong)",
                        copies, stacks, (unsigned long long)copies_max(stacks)));
}

void judge_all_copies(struct log *log)
{
    judge_copies(log, false);
    judge_copies(log, true);
}

/* True if nothing but the processor decided whether the last segment was kept. */
static bool shows_rest(const struct run *run)
{
    char *doubt = run->rest != REST_ANY ? doubt_on_platform(run) : NULL;
    const bool is_sure = run->rest != REST_ANY && !doubt && !run_was_hit(run) &&
                         !hit_found(run) && run->verdict <= MEASURED;

    free(doubt);
    return is_sure;
}

/* A processor keeps the last segment when branch sampling's counter is stopped, or not. */
void judge_all_rests(struct log *log)
{
    for (size_t i = 0; i < log->run_count; i++)
        for (size_t k = 0; k < log->run_count; k++) {
            const struct run *run = &log->runs[i], *other = &log->runs[k];

            if (run->rest != REST_GONE || other->rest != REST_KEPT ||
                run->cpu != other->cpu || !shows_rest(run) || !shows_rest(other))
                continue;
            complain_of_runs(
                log, run, "run-same",
                format_text("all runs are alike in what brs-last says"),
                format_text("%s %s has no record of its last segment, but %s %s (line %zu) "
                            "has (lost)",
                            run->method->name, run->workload->own->name,
                            other->method->name, other->workload->own->name,
                            other->end_line));
            return;
        }
}
