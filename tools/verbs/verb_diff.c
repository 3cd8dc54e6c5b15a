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
#include "left.h"
#include "read.h"
#include "verbs.h"

#define SIDES_MAX  (12 + FACILITY_COUNT) /* the lines of add_machines and add_facilities */
#define PATH_MOST  36                    /* columns for the path of a log   */
#define RECORD     36                    /* columns for a record            */
#define CONTEXT    2  /* records shown before and after the first difference */
#define NAMED_MAX  5  /* workloads named for a method that differs alike on many */
#define DETAIL_MAX 12 /* runs that are shown in detail   */

/* The n-th record as text; "-" after the end. */
static char *record_text(const struct log_comparison *c, const struct both *both, int side,
                         uint64_t index)
{
    const struct run *run = both->run[side];
    const struct log_map map = map_of(c->log[side], run->workload);
    const struct run_records records = run_records(c->log[side], run);
    const struct branch *record;
    char *ends, *text;

    index += both->skip[side];
    if (index >= records.count)
        return format_text("-");
    record = &records.at[index];
    ends = transfer_text(&map, &(struct transfer){ record->from, record->to, KIND_NONE });
    text = format_text("%s%s", ends,
                       !run->method->stops              ? ""
                       : record->info == STOP_TAKEN     ? " taken"
                       : record->info == STOP_NOT_TAKEN ? " not-taken"
                                                        : "");
    free(ends);
    return text;
}

/* What both say, line by line; the longest entry decides where the second column begins. */
struct sides {
    struct {
        const char *what;
        char *of[2];
    } lines[SIDES_MAX];
    size_t count;
};

static void add_sides(struct sides *sides, const char *what, char *a, char *b)
{
    sides->lines[sides->count].what = what;
    sides->lines[sides->count].of[A] = a;
    sides->lines[sides->count++].of[B] = b;
}

static int column_of(const struct sides *sides)
{
    size_t longest = 0;

    for (size_t i = 0; i < sides->count; i++)
        if (strlen(sides->lines[i].of[A]) > longest)
            longest = strlen(sides->lines[i].of[A]);
    return (int)longest;
}

/* Prints some of the lines, each marked if it differs, and frees them. */
static void print_sides(struct sides *sides, size_t from, size_t to, int column)
{
    for (size_t i = from; i < to; i++) {
        char *a = sides->lines[i].of[A], *b = sides->lines[i].of[B];

        printf("%c %-11s %-*s  %s\n", strcmp(a, b) != 0 ? '*' : ' ', sides->lines[i].what,
               column, a, b);
        free(a);
        free(b);
    }
}

/* A long path is shortened to whole names at its end, which say more. */
static char *path_text(const char *path)
{
    const char *end = path + strlen(path), *at = end - PATH_MOST;

    if (end - path <= PATH_MOST)
        return format_text("%s", path);
    while (at < end && *at != '/')
        at++;
    return format_text("...%s", at < end ? at : end - PATH_MOST);
}

static char *model_of(const struct log *log)
{
    return log->machine.cpu.row
               ? format_text("%s, LBR %zu deep", log->machine.cpu.row->name,
                             log->machine.cpu.lbr_depth)
               : format_text("unknown");
}

static char *signature_of(const struct log *log)
{
    return format_text("family 0x%x model 0x%x stepping 0x%x", log->machine.cpu.id.family,
                       log->machine.cpu.id.model, log->machine.cpu.id.stepping);
}

static char *platform_name(const struct log *log)
{
    return log->machine.cpu.platform
               ? format_text("%s", log->machine.cpu.platform->name)
               : format_text("not known: %s", log->machine.cpu.id.hypervisor);
}

/* Prints the leaves of CPUID that both have and that differ. */
static void print_leaves(const struct log *a, const struct log *b)
{
    const char *before = "* cpuid       these leaves differ: ";

    for (size_t i = 0; i < a->machine.cpu.leaf_count; i++) {
        const struct cpuid_leaf *leaf = &a->machine.cpu.leaves[i];
        const uint32_t *other = cpuid_find(b->machine.cpu.leaves, b->machine.cpu.leaf_count,
                                           leaf->leaf, leaf->subleaf);

        if (!other || memcmp(leaf->registers, other, sizeof(leaf->registers)) == 0)
            continue;
        printf("%s0x%x", before, leaf->leaf);
        if (leaf->subleaf)
            printf(".%u", leaf->subleaf);
        before = ", ";
    }
    if (*before == ',')
        putchar('\n');
}

static void add_machines(struct sides *sides, const struct log *a, const struct log *b)
{
    add_sides(sides, "log", path_text(a->name), path_text(b->name));
    add_sides(sides, "processor", format_text("%.*s", SPAN(a->machine.cpu.named.brand)),
              format_text("%.*s", SPAN(b->machine.cpu.named.brand)));
    add_sides(sides, "vendor", format_text("%s", a->machine.cpu.id.vendor),
              format_text("%s", b->machine.cpu.id.vendor));
    add_sides(sides, "signature", signature_of(a), signature_of(b));
    add_sides(sides, "microcode",
              format_text("0x%llx", (unsigned long long)a->machine.cpu.named.microcode),
              format_text("0x%llx", (unsigned long long)b->machine.cpu.named.microcode));
    add_sides(sides, "model", model_of(a), model_of(b));
    add_sides(sides, "platform", platform_name(a), platform_name(b));
    if (a->machine.os.line || b->machine.os.line)
        add_sides(sides, "Linux", format_text("%.*s", SPAN(a->machine.os.release)),
                  format_text("%.*s", SPAN(b->machine.os.release)));
    if (a->machine.system.line || b->machine.system.line)
        add_sides(sides, "machine", format_text("%.*s", SPAN(a->machine.system.product)),
                  format_text("%.*s", SPAN(b->machine.system.product)));
    if (a->machine.bios.line || b->machine.bios.line)
        add_sides(sides, "BIOS", format_text("%.*s", SPAN(a->machine.bios.version)),
                  format_text("%.*s", SPAN(b->machine.bios.version)));
    if (a->machine.cpu.left.line || b->machine.cpu.left.line)
        add_sides(sides, "left", left_text(&a->machine.cpu), left_text(&b->machine.cpu));
    add_sides(sides, "build", format_text("%.*s", SPAN(a->machine.build)),
              format_text("%.*s", SPAN(b->machine.build)));
}

static char *probe_result_of(const struct log *log, enum facility facility)
{
    const enum expectation expected = facility_expected(&log->machine.cpu, facility);
    enum probe_result probe_result = log->machine.cpu.facilities[facility].outcome;
    const char *judged = "";

    if (!log->machine.cpu.facilities[facility].line)
        return format_text("not tried");
    if (facility_derived_rule(&log->machine.cpu, facility))
        judged = ", measured";
    else if (expected == NOT_AS_EXPECTED)
        judged = ", NOT as expected";
    else if (expected == AS_EXPECTED && probe_result != WORKS)
        judged = ", as expected there";
    if (probe_result == DEVIATES) /* in one way or another */
        return format_text("deviates%s: %.*s", judged,
                           SPAN(log->machine.cpu.facilities[facility].evidence));
    return format_text("%s%s", probe_result_name(probe_result), judged);
}

/* A facility was not tried if it was not probed, or if it was avoided after a crash. */
static enum probe_result found(const struct log *log, enum facility facility)
{
    return log->machine.cpu.facilities[facility].line
               ? log->machine.cpu.facilities[facility].outcome
               : AVOIDED;
}

/* Two deviations are the same if their evidence is. */
static bool probe_result_differs(const struct log *a, const struct log *b, enum facility i)
{
    const struct span of_a = a->machine.cpu.facilities[i].evidence;
    const struct span of_b = b->machine.cpu.facilities[i].evidence;

    if (found(a, i) != found(b, i) || found(a, i) != DEVIATES)
        return found(a, i) != found(b, i);
    return !span_same(of_a, of_b);
}

/* Returns how many facilities have different probe results. */
static size_t add_facilities(struct sides *sides, const struct log *a, const struct log *b)
{
    size_t differ = 0;

    for (enum facility i = FACILITY_STEP; i < FACILITY_COUNT; i++) {
        differ += probe_result_differs(a, b, i);
        add_sides(sides, facility_names[i], probe_result_of(a, i), probe_result_of(b, i));
    }
    return differ;
}

/* Prints the two machines side by side; returns how many facilities differ. */
static size_t print_machines(const struct log *a, const struct log *b)
{
    struct sides sides = { .count = 0 };
    size_t of_machine, differ;
    int column;

    add_machines(&sides, a, b);
    of_machine = sides.count;
    differ = add_facilities(&sides, a, b);
    column = column_of(&sides);
    printf("  %-11s %-*s  %s\n", "", column, "A", "B");
    print_sides(&sides, 0, of_machine, column);
    print_leaves(a, b);
    printf("\n  by effect\n");
    print_sides(&sides, of_machine, sides.count, column);
    return differ;
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
        char *processor = processor_text(log, run);
        printf("%s%s %s%s%s", named++ ? ", " : " ", run->method->name,
               run->workload->own->name, filter_suffix(run), processor);
        free(processor);
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

    char *processor = processor_text(c->log[A], both->run[A]);

    if (before > CONTEXT)
        before = CONTEXT;
    printf("\n  %s %s%s%s: %s\n", both->run[A]->method->name,
           both->run[A]->workload->own->name, filter_suffix(both->run[A]), processor,
           both->what);
    free(processor);
    for (uint64_t i = 0; i <= before + CONTEXT; i++) {
        char *a = record_text(c, both, A, at[A] - before + i);
        char *b = record_text(c, both, B, at[B] - before + i);

        if (i <= before || strcmp(a, "-") != 0 || strcmp(b, "-") != 0)
            printf("%c %11llu %-*s  %s\n", i == before ? '>' : ' ',
                   (unsigned long long)(at[A] - before + i) + 1, RECORD, a, b);
        free(a);
        free(b);
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

static void json_sides(struct json *json, const struct log *a, const struct log *b)
{
    json_text(json, "log_a", a->name);
    json_text(json, "log_b", b->name);
    json_machine(json, "machine_a", a, &a->machine.cpu);
    json_machine(json, "machine_b", b, &b->machine.cpu);
}

/* Prints facilities with different probe results; returns how many. */
static size_t json_differing(struct json *json, const struct log *a, const struct log *b)
{
    size_t count = 0;

    json_array(json, "facilities");
    for (enum facility i = FACILITY_STEP; i < FACILITY_COUNT; i++) {
        if (!probe_result_differs(a, b, i))
            continue;
        count++;
        json_object(json, NULL);
        json_text(json, "facility", facility_names[i]);
        json_text(json, "a", probe_result_name(found(a, i)));
        json_text(json, "b", probe_result_name(found(b, i)));
        json_close(json);
    }
    json_close(json);
    return count;
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
    json_sides(&json, a, b);
    facilities = json_differing(&json, a, b);
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

    facilities = print_machines(a, b);
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
