/*
 * Ranks runs by what their data shows: whether the run ended, whether its records are
 * complete from the window's call on, and what its method cannot see.
 */
#include "select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "heap.h"
#include "judge.h"
#include "read.h"
#include "words.h"

/*
 * True if the first record is the call into the workload, so that none is missing before
 * it.
 */
static bool begins_with_call(const struct log *log, const struct run *run)
{
    struct branch first;

    if (!first_record(log, run, &first))
        return run->lines; /* damaged records are reported when they are shown */
    return first.from == log->machine.caller.call ||
           (first.from == BRANCH_UNKNOWN && first.to == run->workload->at);
}

/* A higher rank shows more; earlier criteria outweigh all later ones. */
static unsigned shows(const struct log *log, const struct run *run)
{
    const struct method_facts *method = run->method;
    const bool merits[] = {
        !method->silent && !method->sampled && !method->sampled_windows,
        run->ran.outcome == ENDED,
        run->filter == 0,
        run->ran.lost == 0 && begins_with_call(log, run),
        !method->blind_handlers,
        !method->ends_at_db,
        !method->stops || method->every_insn, /* FROM is known */
    };
    unsigned sum = 0;

    for (size_t i = 0; i < COUNT_OF(merits); i++)
        sum = 2 * sum + merits[i];
    return sum;
}

/*
 * Of two runs that show as much, prefers the one with fewer events, then the earlier one.
 */
static bool is_better(const struct log *log, const struct run *run, const struct run *best)
{
    unsigned a = shows(log, run), b = shows(log, best);

    return a != b ? a > b : run->ran.events < best->ran.events;
}

bool selection_has(const struct selection *wanted, const struct run *run)
{
    return (!wanted->run || run->number == wanted->run) &&
           (!wanted->method || strcmp(wanted->method, run->method->name) == 0) &&
           (!wanted->workloads || listed(wanted->workloads, run->workload->own->name)) &&
           (!wanted->passed || run->verdict == PASS);
}

/* Finds the slot of this run's workload among the chosen runs. */
static const struct run **place_of(const struct run **runs, size_t count,
                                   const struct run *run)
{
    size_t i = 0;

    while (i < count && runs[i]->workload != run->workload)
        i++;
    return &runs[i];
}

static size_t choose(const struct log *log, const struct selection *wanted,
                     const struct run **runs)
{
    size_t count = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i], **place;

        if (run->skipped || !selection_has(wanted, run))
            continue;
        place = place_of(runs, count, run);
        if (place == &runs[count]) {
            *place = run;
            count++;
        } else if (is_better(log, run, *place)) {
            *place = run;
        }
    }
    return count;
}

static const char *name_in(const struct run *run, bool method)
{
    return method ? run->method->name : run->workload->own->name;
}

/* True if any run of the log is by that method or of that workload. */
static bool has_name(const struct log *log, bool method, struct span name)
{
    for (size_t i = 0; i < log->run_count; i++)
        if (span_is(name, name_in(&log->runs[i], method)))
            return true;
    return false;
}

/* Prints the names in the order of the plan, each once. */
static void list(const struct log *log, bool methods)
{
    const char *between = "; it has ";

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i], *before = log->runs;

        while (before < run && strcmp(name_in(before, methods), name_in(run, methods)) != 0)
            before++;
        if (before == run) {
            fprintf(stderr, "%s%s", between, name_in(run, methods));
            between = ", ";
        }
    }
}

/*
 * Says that no run has this name: with the one that was meant, or with all that there are.
 * Always false.
 */
static bool no_name(const struct log *log, bool method, struct span name)
{
    struct nearest nearest = nearest_to(name.at, name.length);
    const char *meant;

    for (size_t i = 0; i < log->run_count; i++)
        nearest_try(&nearest, name_in(&log->runs[i], method));
    meant = scratch_take(did_you_mean(&nearest, ""));
    fprintf(stderr, "everybranch: %s: no run %s %.*s%s", log->name,
            method ? "by method" : "of workload", SPAN(name), meant);
    if (!*meant)
        list(log, method);
    fputc('\n', stderr);
    return false;
}

bool select_workloads_known(const struct log *log, const char *names)
{
    for (const char *at = names; at && *at;) {
        const struct span name = { at, strcspn(at, ",") };

        if (!has_name(log, false, name))
            return no_name(log, false, name);
        at += name.length + (at[name.length] == ',');
    }
    return true;
}

/* Explains that every selected run was skipped, or that there is none. */
static void explain(const struct log *log, const struct selection *wanted)
{
    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (selection_has(wanted, run)) {
            fprintf(stderr, "everybranch: %s:%zu: run %zu, %s %s, was skipped: %s\n",
                    log->name, run->line, run->number, run->method->name,
                    run->workload->own->name, scratch_take(skip_sentence(run)));
            return;
        }
    }
    fprintf(stderr, "everybranch: %s: %s\n", log->name,
            log->run_count ? "no run is of both that method and that workload"
                           : "there is no run in it");
}

static bool is_possible(const struct log *log, const struct selection *wanted)
{
    const char *method = wanted->method;

    if (wanted->run > log->run_count) {
        fprintf(stderr, "everybranch: %s: no run %zu; it has %zu\n", log->name, wanted->run,
                log->run_count);
        return false;
    }
    if (method && !has_name(log, true, span_of(method)))
        return no_name(log, true, span_of(method));
    return select_workloads_known(log, wanted->workloads);
}

size_t select_runs(const struct log *log, const struct selection *wanted,
                   const struct run ***out)
{
    size_t count;

    *out = NULL;
    if (!is_possible(log, wanted))
        return 0;
    *out = zeroed(log->workload_count + 1, sizeof(void *));
    count = choose(log, wanted, *out);
    if (count == 0) {
        explain(log, wanted);
        free(*out);
        *out = NULL;
    }
    return count;
}

bool selection_given(struct selection *out, const struct given *given)
{
    *out = (struct selection){ .method = given_value(given, "method"),
                               .workloads = given_value(given, "workload") };
    if (!given_number(given, "run", 0, &out->run))
        return false;
    if (given_has(given, "run") && out->run == 0) {
        given_wrong(given, "--run 0: runs are numbered from 1");
        return false;
    }
    return true;
}

size_t select_given(const struct given *given, struct log *log, const struct run ***out)
{
    struct selection wanted;

    *out = NULL;
    *log = (struct log){ .name = given->operands[0] };
    if (!selection_given(&wanted, given))
        return 0;
    log_read(log, given->operands[0]);
    return log_is_whole(log) ? select_runs(log, &wanted, out) : 0;
}

/* True if the run is not as expected and it is known how. */
static bool is_unexpected(const struct run *run)
{
    return run->why && run->verdict != PASS && run->verdict != SKIP;
}

void select_doubt(const struct log *log, const struct run *run)
{
    if (is_unexpected(run))
        fprintf(stderr, "everybranch: %s:%zu: run %zu, %s %s%s, is not as expected: %s\n",
                log->name, run->where, run->number, run->method->name,
                run->workload->own->name, filter_suffix(run), run->why);
}

void select_heading(const struct log *log, const struct run *run, bool first)
{
    const char *name = strcmp(log->name, "-") == 0 ? "standard input" : log->name;

    printf("%s%s by %s%s, run %zu of %s", first ? "" : "\n", run->workload->own->name,
           run->method->name, filter_suffix(run), run->number, name);
    if (run->processor)
        printf(", on processor %zu", run->processor);
    printf(": %s\n", run->workload->own->about);
    if (is_unexpected(run))
        printf("not as expected: %s\n", run->why);
}
