/*
 * `diff`: compares two logs, of metal and KVM, of two processors or of two microcodes.
 * It prints the two machines side by side, then a table of differences, then the records
 * around each first difference.
 */
#include "diff_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_code.h"
#include "heap.h"
#include "json_log.h"
#include "judge.h"
#include "read.h"
#include "verbs.h"

#define RECORD     36 /* columns for a record */
#define CONTEXT    2  /* records shown before and after the first difference */
#define NAMED_MAX  5  /* workloads named for a method that differs alike on many */
#define DETAIL_MAX 12 /* runs that are shown in detail   */

/* The n-th record as text; "-" after the end. */
static const char *record_text(const struct log_comparison *c, const struct both *both,
                               int side, uint64_t index)
{
    const struct run *run = both->run[side];
    const struct log_map map = map_of(c->log[side], run->workload);
    const struct run_records records = run_records(c->log[side], run);
    const struct branch *record;

    index += both->skip[side];
    if (index >= records.count)
        return "-";
    record = &records.at[index];
    return scratch_text(
        "%s%s",
        scratch_take(
            transfer_text(&map, &(struct transfer){ record->from, record->to, KIND_NONE })),
        !run->method->stops              ? ""
        : record->info == STOP_TAKEN     ? " taken"
        : record->info == STOP_NOT_TAKEN ? " not-taken"
                                         : "");
}

static bool logged_before(const struct log_comparison *c, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (c->both[i].differs && c->both[i].run[A]->method == c->both[at].run[A]->method &&
            strcmp(c->both[i].what, c->both[at].what) == 0)
            return true;
    return false;
}

/* Methods that differ alike on many workloads are one line. */
static void print_row(const struct log_comparison *c, size_t at)
{
    const struct both *both = &c->both[at];
    const struct run *run = both->run[A];
    size_t alike = 0;

    if (logged_before(c, at))
        return;
    printf("%c %-11s ", both->measured ? '~' : '*', run->method->name);
    for (size_t i = at; i < c->count; i++) {
        const struct both *other = &c->both[i];

        if (!other->differs || other->run[A]->method != run->method ||
            strcmp(other->what, both->what) != 0)
            continue;
        if (alike < NAMED_MAX)
            printf("%s%s%s", alike ? ", " : "", other->run[A]->workload->own->name,
                   filter_suffix(other->run[A]));
        alike++;
    }
    if (alike > NAMED_MAX)
        printf(" and %zu more", alike - NAMED_MAX);
    printf(": %s%s\n", both->measured ? "measured: " : "", both->what);
}

static void print_rows(const struct log_comparison *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->both[i].differs && !c->both[i].measured)
            print_row(c, i);
    for (size_t i = 0; i < c->count; i++)
        if (c->both[i].measured)
            print_row(c, i);
}

static bool same_name(const struct run *a, const struct run *b)
{
    return a->method == b->method && a->workload->own == b->workload->own &&
           a->filter == b->filter && a->processor == b->processor;
}

/*
 * Counts the runs of this name that only one log has; 0 except at the first of the name.
 */
static size_t only_named(const struct log_comparison *c, int side, const struct run *run)
{
    const struct log *log = c->log[side], *other = c->log[side == A ? B : A];
    size_t count = 0;

    for (const struct run *before = log->runs; before < run; before++)
        if (same_name(before, run))
            return 0;
    for (size_t i = 0; i < log->run_count; i++)
        count += same_name(&log->runs[i], run) && !diff_run_like(other, log, &log->runs[i]);
    return count;
}

/* Prints the runs that only one log has; returns how many. */
static size_t print_only(const struct log_comparison *c, int side)
{
    const struct log *log = c->log[side];
    size_t only = 0, shown = 0, named = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];
        size_t times = only_named(c, side, run);

        if (times == 0)
            continue;
        if (only == 0)
            printf("\n* only in %c  ", diff_names[side]);
        only += times;
        if (named == DETAIL_MAX)
            continue;
        printf("%s%s %s%s%s", named++ ? ", " : " ", run->method->name,
               run->workload->own->name, filter_suffix(run),
               scratch_take(processor_text(log, run)));
        shown += times;
        if (times > 1)
            printf(" x%zu", times);
    }
    if (only > shown)
        printf(" and %zu more", only - shown);
    if (only)
        putchar('\n');
    return only;
}

/* Prints a name unless an earlier run has it; after NAMED_MAX names, counts the rest. */
static void put_name(const char *name, bool is_new, size_t *names)
{
    if (is_new && (*names)++ < DETAIL_MAX)
        printf("%s%s", *names > 1 ? ", " : "", name);
}

static void end_names(size_t names)
{
    if (names > DETAIL_MAX)
        printf(" and %zu more", names - DETAIL_MAX);
}

static bool method_is_new(const struct log *log, const struct run *run)
{
    for (const struct run *before = log->runs; before < run; before++)
        if (before->method == run->method)
            return false;
    return true;
}

static bool workload_is_new(const struct log *log, const struct run *run)
{
    for (const struct run *before = log->runs; before < run; before++)
        if (before->workload == run->workload)
            return false;
    return true;
}

/* For logs with no run in common: prints the methods and workloads of each. */
static void print_all_of(const struct log *log, int side)
{
    size_t methods = 0, workloads = 0;

    printf("* %c has       ", diff_names[side]);
    if (!log->run_count) {
        printf("no runs\n");
        return;
    }
    for (const struct run *run = log->runs; run < log->runs + log->run_count; run++)
        put_name(run->method->name, method_is_new(log, run), &methods);
    end_names(methods);
    printf(" on ");
    for (const struct run *run = log->runs; run < log->runs + log->run_count; run++)
        put_name(run->workload->own->name, workload_is_new(log, run), &workloads);
    end_names(workloads);
    putchar('\n');
}

static bool any_named_alike(const struct log *a, const struct log *b)
{
    for (size_t i = 0; i < a->run_count; i++)
        for (size_t j = 0; j < b->run_count; j++)
            if (a->runs[i].method == b->runs[j].method &&
                strcmp(a->runs[i].workload->own->name, b->runs[j].workload->own->name) == 0)
                return true;
    return false;
}

static size_t print_nothing_in_common(const struct log *a, const struct log *b)
{
    if (a->run_count + b->run_count == 0)
        return 0;
    puts("\n  no run is in both");
    print_all_of(a, A);
    print_all_of(b, B);
    if (any_named_alike(a, b))
        puts("  those of one name differ in the workload's code, in filter or processor");
    return a->run_count + b->run_count;
}

static void print_detail(const struct log_comparison *c, const struct both *both)
{
    const uint64_t *at = both->index;
    uint64_t before = at[A] < at[B] ? at[A] : at[B];

    if (before > CONTEXT)
        before = CONTEXT;
    printf("\n  %s %s%s%s: %s\n", both->run[A]->method->name,
           both->run[A]->workload->own->name, filter_suffix(both->run[A]),
           scratch_take(processor_text(c->log[A], both->run[A])), both->what);
    for (uint64_t i = 0; i <= before + CONTEXT; i++) {
        const char *a = record_text(c, both, A, at[A] - before + i);
        const char *b = record_text(c, both, B, at[B] - before + i);

        if (i <= before || strcmp(a, "-") != 0 || strcmp(b, "-") != 0)
            printf("%c %11llu %-*s  %s\n", i == before ? '>' : ' ',
                   (unsigned long long)(at[A] - before + i) + 1, RECORD, a, b);
    }
}

static void print_details(const struct log_comparison *c)
{
    size_t shown = 0, left = 0;

    for (size_t i = 0; i < c->count; i++) {
        if (!c->both[i].shows_records)
            continue;
        if (shown < DETAIL_MAX)
            print_detail(c, &c->both[i]);
        else
            left++;
        shown++;
    }
    if (left)
        printf("\n  and %zu more whose records differ\n", left);
}

static void json_rows(struct json *json, const struct log_comparison *c)
{
    json_array(json, "runs");
    for (size_t i = 0; i < c->count; i++) {
        const struct both *both = &c->both[i];

        if (!both->differs)
            continue;
        json_object(json, NULL);
        json_run_names(json, both->run[A]);
        json_bool(json, "measured", both->measured);
        json_text(json, "what", both->what);
        json_close(json);
    }
    json_close(json);
}

/* Prints the runs that only one log has; returns how many. */
static size_t json_only(struct json *json, const struct log_comparison *c, int side,
                        const char *key)
{
    const struct log *log = c->log[side], *other = c->log[side == A ? B : A];
    size_t count = 0;

    json_array(json, key);
    for (size_t i = 0; i < log->run_count; i++) {
        if (diff_run_like(other, log, &log->runs[i]))
            continue;
        count++;
        json_object(json, NULL);
        json_run_names(json, &log->runs[i]);
        json_close(json);
    }
    json_close(json);
    return count;
}

static int json_compare(const struct log *a, const struct log *b)
{
    struct log_comparison c = { .log = { a, b } };
    struct json json;
    size_t facilities, only;
    int code;

    diff_compare(&c);
    json_begin(&json, stdout, "diff");
    facilities = diff_machines_json(&json, a, b);
    json_rows(&json, &c);
    only = json_only(&json, &c, A, "only_in_a");
    only += json_only(&json, &c, B, "only_in_b");
    json_count(&json, "runs_in_both", c.count);
    json_count(&json, "same", c.same);
    json_count(&json, "differ", c.differ);
    json_count(&json, "measured", c.measured);
    code = facilities + c.differ + c.measured + only ? EXIT_DIFFERENT : EXIT_AS_EXPECTED;
    json_end(&json, code);
    diff_free(&c);
    return code;
}

static int compare(const struct log *a, const struct log *b)
{
    struct log_comparison c = { .log = { a, b } };
    size_t facilities, only, differences;
    bool same;

    facilities = diff_machines(a, b);
    diff_compare(&c);
    if (c.differ + c.measured)
        puts("\n  runs");
    print_rows(&c);
    only = c.count ? print_only(&c, A) + print_only(&c, B) : print_nothing_in_common(a, b);
    print_details(&c);
    differences = facilities + c.differ + c.measured;
    same = differences + only == 0;
    printf("\nA and B %s: %zu %s; of %zu runs in both %zu are the same, %zu "
           "differ, %zu measured; %zu only in one\n",
           same                   ? "are the same"
           : c.count == 0 && only ? "have no run in common"
           : c.count && differences == 0
               ? "are the same in what both ran, but not all of it "
                 "was run in both"
               : "DIFFER",
           facilities, facilities == 1 ? "facility differs" : "facilities differ", c.count,
           c.same, c.differ, c.measured, only);
    diff_free(&c);
    return same ? EXIT_AS_EXPECTED : EXIT_DIFFERENT;
}

static int verb_diff(const struct given *given)
{
    struct log log[2] = { 0 };
    bool both = log_usable(&log[A], given->operands[0]);
    int code;

    both = log_usable(&log[B], given->operands[1]) && both;
    code = !both         ? EXIT_UNUSABLE
           : given->json ? json_compare(&log[A], &log[B])
                         : compare(&log[A], &log[B]);
    log_free(&log[A]);
    log_free(&log[B]);
    return code;
}

VERB(diff) = {
    .name = "diff",
    .operands = "A B",
    .about = "print what differs between the logs of two machines",
    .more = "A and B are logs.  It prints what the machines are; then what differs by "
            "facility, workload and method; then the records around each first "
            "difference.  The exit code is 0 if all runs that both logs contain are the "
            "same.",
    .examples = "diff metal.log kvm.log",
    .run = verb_diff,
    .json = true,
    .least = 2,
    .most = 2,
    .options = { BOOT_OPTION },
};
