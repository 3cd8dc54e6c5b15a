/*
 * The report of `check`.  Words say everything; on a terminal colour is added.
 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "infos.h"
#include "judge.h"
#include "left.h"
#include "log_run.h"
#include "terminal.h"
#include "verdict.h"
#include "words.h"

static const char *const verdict_colours[] = { "32", "2", "33", "1;31", "1;35" };

/* Prints a verdict in a column of this width (0: the last column). */
static void print_verdict(enum verdict verdict, int width)
{
    if (terminal_takes_colour())
        printf("\033[%sm%-*s\033[0m", verdict_colours[verdict], width,
               verdict_words[verdict]);
    else
        printf("%-*s", width, verdict_words[verdict]);
}

/* The expected trace of a workload from the stick is its author's, not this program's. */
static void print_bundled(const struct bundled *bundled)
{
    if (bundled->wrong.length)
        printf("  workload    %.*s NOT loaded: %.*s\n", SPAN(bundled->file),
               SPAN(bundled->wrong));
    else if (bundled->workload.name)
        printf("  workload    %s from the stick: %.*s\n", bundled->workload.name,
               SPAN(bundled->file));
}

char *avoided_text(const struct avoided *avoided)
{
    const struct subject *s = &avoided->subject;

    return format_text("%.*s%.*s%.*s%s%.*s%s%.*s", SPAN(s->facility), SPAN(s->method),
                       SPAN(s->word), s->workload.length ? " " : "", SPAN(s->workload),
                       s->filter.length ? " filter=" : "", SPAN(s->filter));
}

/* Prints what earlier boots died of, and how to try it all the same. */
static void print_avoided(const struct log *log)
{
    for (size_t i = 0; i < log->avoided_count; i++) {
        char *what = avoided_text(&log->avoided[i]);

        printf("  not tried   %s: an earlier boot died of it, see %.*s\n", what,
               SPAN(log->avoided[i].log));
        free(what);
    }
    if (log->avoided_count)
        puts("              the option `retry` in everybranch.cfg tries it again");
}

/* Prints nothing if no recording was left on, as it should be. */
static void print_left(const struct log *log)
{
    char *text;

    if (!left_recording(&log->machine.cpu))
        return;
    text = left_text(&log->machine.cpu);
    printf("  left on     by the firmware: %s\n", text);
    free(text);
}

static void print_platform(const struct cpu_part *cpu)
{
    if (cpu->platform)
        printf("  platform    %s: %s\n", cpu->platform->name, cpu->platform->about);
    if (cpu->beneath)
        printf("  beneath     %s%s\n", cpu->beneath->hypervisor,
               cpu->beneath->emulated
                   ? ": emulated by QEMU, nothing here is a property of silicon"
                   : "");
}

static void print_machine(const struct log *log)
{
    if (log->machine.cpu.model_line)
        printf(
            "  processor   %.*s (%s family 0x%x model 0x%x stepping 0x%x microcode %.*s)\n",
            SPAN(log->machine.cpu.brand), log->machine.cpu.id.vendor,
            log->machine.cpu.id.family, log->machine.cpu.id.model,
            log->machine.cpu.id.stepping, SPAN(log->machine.cpu.microcode));
    if (log->machine.cpu.id.has_hypervisor && !log->machine.cpu.id.hypervisor[0])
        puts("  hypervisor  unnamed: what it offers is not judged");
    if (log->machine.cpu.id.hypervisor[0])
        printf("  hypervisor  %s%s\n", log->machine.cpu.id.hypervisor,
               !log->machine.cpu.platform && log->by_command &&
                       !log->machine.cpu.facilities[FACILITY_BTF].line
                   ? ": nothing was probed, so what it offers is not judged"
               : !log->machine.cpu.platform ? ": unknown, so what it offers is not judged"
               : log->machine.cpu.platform->emulated
                   ? ": emulated by QEMU, nothing here is a property of silicon"
                   : "");
    print_platform(&log->machine.cpu);
    if (log->machine.linux_line)
        printf("  Linux       %.*s made the runs in a process\n",
               SPAN(log->machine.linux_release));
    if (log->machine.firmware_line)
        printf("  firmware    %.*s %.*s\n", SPAN(log->machine.vendor),
               SPAN(log->machine.revision));
    if (log->machine.bios_line)
        printf("  BIOS        %.*s, %.*s, %.*s, Secure Boot %.*s\n",
               SPAN(log->machine.bios_vendor), SPAN(log->machine.bios_version),
               SPAN(log->machine.bios_date), SPAN(log->machine.secure_boot));
    if (log->machine.system_line)
        printf("  machine     %.*s %.*s\n", SPAN(log->machine.system_vendor),
               SPAN(log->machine.system_product));
    if (log->machine.board_product.length)
        printf("  board       %.*s %.*s\n", SPAN(log->machine.board_vendor),
               SPAN(log->machine.board_product));
    if (log->machine.cpu.model_line && log->machine.cpu.row)
        printf("  model       %s, LBR %zu deep: %s\n", log->machine.cpu.row->name,
               log->machine.cpu.lbr_depth, log->machine.cpu.row->about);
    else if (log->machine.cpu.model_line)
        printf("  model       unknown: no row for this processor, so no method that needs "
               "one\n");
    print_left(log);
    if (log->opened)
        printf("  build       %.*s\n", SPAN(log->machine.build));
    for (size_t i = 0; i < log->bundled_count; i++)
        print_bundled(log->bundled[i]);
    for (size_t i = 0; i < log->note_count; i++)
        printf("  note        %.*s\n", SPAN(log->notes[i]));
    print_avoided(log);
}

/* An absent facility needs a remark, unless the model itself lacks it. */
char *facility_remark(const struct cpu_part *cpu, enum facility facility)
{
    const struct platform_fact *fact = fact_of(cpu, facility);
    const enum expectation expected = facility_expected(cpu, facility);
    const enum probe_result found = cpu->facilities[facility].probe_result;
    const char *judged = NULL;

    if (fact && platform_is_open(fact) && found != AVOIDED)
        judged = "not judged";
    else if (expected == NOT_AS_EXPECTED)
        judged = "NOT as expected";
    else if (expected == AS_EXPECTED && found != WORKS && fact->when != MODEL_LACKS)
        judged = "as expected";
    return judged ? format_text("%s on %s: %s", judged, cpu->platform->name, fact->about)
                  : NULL;
}

static void print_remark(const struct log *log, enum facility facility)
{
    char *remark = facility_remark(&log->machine.cpu, facility);

    if (remark)
        printf("  %-11s %s\n", "", remark);
    free(remark);
}

static void print_facilities(const struct log *log)
{
    bool any = false;

    for (size_t i = 0; i < FACILITY_COUNT; i++) {
        const struct facility_found *found = &log->machine.cpu.facilities[i];

        if (!found->line)
            continue;
        if (!any)
            puts("\n  by effect");
        any = true;
        printf("  %-11s %s: %.*s", facility_names[i],
               probe_result_name(found->probe_result), SPAN(found->evidence));
        if (found->most)
            printf(", %llu branches late, the latest by %llu",
                   (unsigned long long)found->typical, (unsigned long long)found->most);
        putchar('\n');
        print_remark(log, i);
    }
}

/*
 * The columns of a table.  Where they are wider than the terminal, there are several
 * tables, one below the other, each with as many columns as fit.
 */
struct columns {
    size_t first, end; /* methods          */
    int name;          /* width of the row's title */
    int least;         /* of a cell        */
};

static int column_width(const struct log *log, const struct columns *columns, size_t method)
{
    int width = (int)strlen(log->plan.methods[method]->name);

    for (size_t i = 0; i < log->run_count; i++) {
        int word = (int)strlen(verdict_words[log->runs[i].verdict]);

        width = word > width ? word : width;
    }
    return width > columns->least ? width : columns->least;
}

/* Does not pad the last column: no line ends in spaces. */
static int padded_width(const struct log *log, const struct columns *columns, size_t method)
{
    return method + 1 == columns->end ? 0 : column_width(log, columns, method);
}

/* Fits as many columns as the terminal has space for, and at least one. */
static void fit_columns(const struct log *log, struct columns *columns)
{
    const size_t capacity = terminal_columns();
    size_t used = 2 + (size_t)columns->name;

    for (columns->end = columns->first; columns->end < log->plan.method_count;
         columns->end++) {
        used += 2 + (size_t)column_width(log, columns, columns->end);
        if (capacity && used > capacity && columns->end > columns->first)
            return;
    }
}

/* Counts the rows: one for each workload, or for each workload with each filter. */

static size_t row_count(const struct log *log)
{
    return log->plan.workload_count * filters_of(log);
}

static char *row_title(const struct log *log, size_t row)
{
    const char *name = log->plan.workloads[row / filters_of(log)]->own->name;

    if (!log->plan.filter_count)
        return format_text("%s", name);
    return format_text("%s %s", name,
                       filter_words(log->plan.filters[row % filters_of(log)]));
}

static int name_width(const struct log *log, const char *corner)
{
    int widest = (int)strlen(corner);

    for (size_t i = 0; i < row_count(log); i++) {
        char *name = row_title(log, i);
        int width = (int)strlen(name);

        widest = width > widest ? width : widest;
        free(name);
    }
    return widest;
}

/* Returns the worst run of all processors, or NULL if there is none so far. */
static const struct run *worst_run(const struct log *log, size_t row,
                                   const struct method_facts *method)
{
    const struct loaded *workload = log->plan.workloads[row / filters_of(log)];
    uint32_t filter = log->plan.filter_count ? log->plan.filters[row % filters_of(log)] : 0;
    const struct run *worst = NULL;

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (run->workload == workload && run->method == method && run->filter == filter &&
            (!worst || run->verdict > worst->verdict || !run->end_line))
            worst = run;
    }
    return worst;
}

/* True if any run of the row fails or is in error. */
static bool row_fails(const struct log *log, size_t row)
{
    for (size_t i = 0; i < log->plan.method_count; i++) {
        const struct run *worst = worst_run(log, row, log->plan.methods[i]);

        if (worst && worst->end_line && worst->verdict >= FAIL)
            return true;
    }
    return false;
}

static void print_row(const struct log *log, const struct columns *columns, size_t row,
                      void (*cell)(const struct run *, int width))
{
    char *title = row_title(log, row);

    printf("\n  %-*s", columns->name, title);
    free(title);
    for (size_t i = columns->first; i < columns->end; i++) {
        const struct run *run = worst_run(log, row, log->plan.methods[i]);

        printf("  ");
        if (run)
            cell(run, padded_width(log, columns, i));
        else
            printf("%-*s", padded_width(log, columns, i), "-");
    }
}

/* Prints rows with a failure first: nobody reads many rows that pass. */
static void print_columns(const struct log *log, const struct columns *columns,
                          const char *corner, void (*cell)(const struct run *, int width))
{
    printf("\n  %-*s", columns->name, corner);
    for (size_t i = columns->first; i < columns->end; i++)
        printf("  %-*s", padded_width(log, columns, i), log->plan.methods[i]->name);
    for (int fails = 1; fails >= 0; fails--)
        for (size_t i = 0; i < row_count(log); i++)
            if (row_fails(log, i) == fails)
                print_row(log, columns, i, cell);
    putchar('\n');
}

static void print_table(const struct log *log, const char *corner, int least,
                        void (*cell)(const struct run *, int width))
{
    struct columns columns = { .name = name_width(log, corner), .least = least };

    for (; columns.first < log->plan.method_count; columns.first = columns.end) {
        fit_columns(log, &columns);
        print_columns(log, &columns, corner, cell);
    }
}

#define VERDICT_WIDTH 4 /* "pass": a log of CI has all methods side by side */
#define COUNT_WIDTH   7 /* digits of a large number of branches */

static void verdict_cell(const struct run *run, int width)
{
    if (run->end_line)
        print_verdict(run->verdict, width);
    else
        printf("%-*s", width, "...");
}

static void bytes_cell(const struct run *run, int width)
{
    printf("%-*zu", width, run->bytes);
}

#define FEW_BRANCHES 10000 /* with more, a branch takes a fraction of a bit */

static void bits_cell(const struct run *run, int width)
{
    if (run->branches)
        printf("%-*.*f", width, run->branches < FEW_BRANCHES ? 1 : 4,
               8.0 * (double)run->bytes / (double)run->branches);
    else
        printf("%-*s", width, "-");
}

/* True if two runs, one after the other, need only one line. */
static bool alike(const struct run *a, const struct run *b)
{
    return a->method == b->method && a->workload == b->workload && a->filter == b->filter &&
           a->verdict == b->verdict && b->end_line;
}

/* Prints a run and the following runs like it, up to the next command. */
static size_t print_runs(const struct log *log, size_t first, size_t next_logged)
{
    const struct run *run = &log->runs[first];
    size_t count = 1;

    while (first + count < log->run_count && alike(run, run + count) &&
           run[count].line < next_logged)
        count++;
    if (count == 1)
        printf("      run %zu", run->number);
    else
        printf("      runs %zu to %zu", run->number, run->number + count - 1);
    printf(", %s %s%s: ", run->method->name, run->workload->own->name, filter_suffix(run));
    if (run->end_line)
        print_verdict(run->verdict, 0);
    else
        printf("...");
    putchar('\n');
    return count;
}

static void print_commands(const struct log *log)
{
    size_t run = 0, logged = 0;

    while (run < log->run_count || logged < log->logged_count) {
        size_t next = logged < log->logged_count ? log->logged[logged].line : SIZE_MAX;

        if (run < log->run_count && log->runs[run].line < next) {
            run += print_runs(log, run, next);
            continue;
        }
        printf(log->logged[logged].kind == TOLD_COMMAND ? "\n  > %.*s\n" : "      %.*s\n",
               SPAN(log->logged[logged].text));
        logged++;
    }
}

/*
 * Prints a method that disagrees with several others on one workload: how with the first,
 * then the names of the others.
 */
static void print_complaint(const struct log *log, size_t i)
{
    const struct complaint *complaint = &log->findings.complaints[i];
    const char *before = "; and so with ";

    for (size_t j = 0; j < i; j++)
        if (complaints_of_one(&log->findings.complaints[j], complaint))
            return;
    printf("%s:%zu: %s", log->name, complaint->line, complaint->what);
    for (size_t j = i + 1; j < log->findings.complaint_count; j++)
        if (complaints_of_one(&log->findings.complaints[j], complaint)) {
            printf("%s%s", before, log->findings.complaints[j].other);
            before = ", ";
        }
    putchar('\n');
}

static void print_log_error(const struct log *log)
{
    char *where = where_text(log, log->error_line);

    printf("%s: %s\n", where, log->log_error);
    free(where);
}

/* Prints what several processors have alike only once. */
static void print_difference(const struct log *log, size_t number)
{
    const struct run *run = &log->runs[number];
    char buffer[512];
    struct text who = text_into(buffer, sizeof(buffer));

    if (processors_like(log, number, &who))
        printf("%s:%zu: %s%s %s %s%s: %s%s\n", log->name, run->where, row_name(run->cpu),
               who.at, run->method->name, run->workload->own->name, filter_suffix(run),
               run->verdict == MEASURED ? "measured: " : "", run->why);
}

/* Facilities come first: they explain much that follows. */
static void print_differences(const struct log *log)
{
    bool any = log->findings.complaint_count || log->log_error;

    for (size_t i = 0; i < log->run_count; i++)
        any = any || log->runs[i].verdict >= MEASURED;
    if (any)
        putchar('\n');
    for (size_t i = 0; i < log->findings.complaint_count; i++)
        if (!log->findings.complaints[i].other)
            print_complaint(log, i);
    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (run->verdict >= MEASURED)
            print_difference(log, i);
    }
    for (size_t i = 0; i < log->findings.complaint_count; i++)
        if (log->findings.complaints[i].other)
            print_complaint(log, i);
    if (log->log_error)
        print_log_error(log);
}

/* True if two runs of one method are skipped for the same reason. */
static bool same_skip(const struct run *a, const struct run *b)
{
    return a->verdict == SKIP && b->verdict == SKIP && a->method == b->method &&
           strcmp(a->why, b->why) == 0;
}

static bool reason_printed(const struct log *log, size_t run)
{
    for (size_t i = 0; i < run; i++)
        if (same_skip(&log->runs[i], &log->runs[run]))
            return true;
    return false;
}

/*
 * True if all runs of its method with that filter, or on that workload, are skipped for
 * the same reason.
 */
static bool all_skipped(const struct log *log, const struct run *of, bool by_filter)
{
    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (run->method == of->method && !same_skip(run, of) &&
            (by_filter ? run->filter == of->filter : run->workload == of->workload))
            return false;
    }
    return true;
}

static bool skipped_always(const struct log *log, const struct run *of)
{
    for (size_t i = 0; i < log->run_count; i++)
        if (log->runs[i].method == of->method && !same_skip(&log->runs[i], of))
            return false;
    return true;
}

/*
 * True for the first run that is skipped for this reason with this filter, or on this
 * workload.
 */
static bool is_first(const struct log *log, const struct run *of, bool by_filter)
{
    for (const struct run *run = log->runs; run < of; run++)
        if (same_skip(run, of) &&
            (by_filter ? run->filter == of->filter : run->workload == of->workload))
            return false;
    return true;
}

#define FILTERS_NAMED 8 /* how many filters are named */

/*
 * Prints what the method is skipped on, unless on all: workloads, or filters that are
 * skipped on all workloads.
 */
static void print_skipped(const struct log *log, const struct run *run)
{
    bool by_filter = run->filtered && all_skipped(log, run, true);
    const char *before = by_filter ? " with filter=" : " on ";
    size_t named = 0;

    if (skipped_always(log, run))
        return;
    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *other = &log->runs[i];

        if (!same_skip(other, run) || !is_first(log, other, by_filter) ||
            (by_filter && ++named > FILTERS_NAMED))
            continue;
        printf("%s%s", before,
               by_filter ? filter_words(other->filter) : other->workload->own->name);
        before = ", ";
    }
    if (named > FILTERS_NAMED)
        printf(" and %zu more", named - FILTERS_NAMED);
}

/* Drops the method's own name from "brs absent: ...": it was printed already. */
static const char *reason_without_name(const struct run *run)
{
    size_t length = strlen(run->method->name);

    return strncmp(run->why, run->method->name, length) == 0 && run->why[length] == ' '
               ? run->why + length + 1
               : run->why;
}

/* Prints each reason once, not for every workload. */
static void print_skips(const struct log *log)
{
    bool any = false;

    for (size_t i = 0; i < log->run_count; i++) {
        if (log->runs[i].verdict != SKIP || reason_printed(log, i))
            continue;
        printf("%s  %s is skipped", any ? "" : "\n", log->runs[i].method->name);
        print_skipped(log, &log->runs[i]);
        printf(": %s\n", reason_without_name(&log->runs[i]));
        any = true;
    }
}

#define INTERRUPTED_WIDTH \
    ((int)sizeof("lbr-stream") - 1) /* the longest name of such a method */

/*
 * Prints how many interrupts a method had, and how late; no manual says how late they may
 * be.
 */
static void print_interrupts(const struct log *log, const struct method_facts *method)
{
    uint64_t events = 0, skid = 0, most = 0, unlogged = 0, held = 0, ran = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (run->method != method)
            continue;
        unlogged += run->drained.tells_late ? 0 : run->events;
        events += run->events;
        skid += run->drained.skid;
        held += run->branches;
        ran += run->ran ? run->ran : run->branches;
        most = run->drained.most > most ? run->drained.most : most;
    }
    if (events == 0)
        return;
    printf("  %-*s  %llu interrupt%s", INTERRUPTED_WIDTH, method->name,
           (unsigned long long)events, plural(events));
    if (events == unlogged)
        printf("; how late is not known of this event");
    else if (skid)
        printf(", %llu %s%s late in all, the latest by %llu", (unsigned long long)skid,
               method->counter_driven ? "event" : "record", plural(skid),
               (unsigned long long)most);
    if (held < ran)
        printf("; %llu %% of the branches held", (unsigned long long)(held * 100 / ran));
    putchar('\n');
}

/* Runs with fewer branches are mostly overhead, so bits per branch would say little. */
#define DENSE 1000

/* Counts what passes although nothing confirms it: tools/judge/rounds.c. */
static void print_ended_early(const struct log *log)
{
    uint64_t count = 0;

    for (size_t i = 0; i < log->run_count; i++)
        count += log->runs[i].ended_early;
    if (count)
        printf("  %llu time%s REPE or REPNE stopped before its count ran out: only memory, "
               "which no log holds, could confirm it\n",
               (unsigned long long)count, plural(count));
}

/* Counts the runs that SMIs and stray NMIs hit, and those that were made again. */
static void print_hits(const struct log *log)
{
    size_t repeated = 0, hit = 0, differed = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        differed += log->runs[i].tries.count > 0;
        repeated += log->runs[i].repeated > 0 && !log->runs[i].tries.count;
        hit += run_was_hit(&log->runs[i]);
    }
    if (repeated || hit)
        printf("  %zu run%s made again after an SMI or a stray NMI; %zu %s still hit\n",
               repeated, repeated == 1 ? " was" : "s were", hit, hit == 1 ? "was" : "were");
    if (differed)
        printf("  %zu run%s made again since %s differed: this processor does not count "
               "SMIs\n",
               differed, differed == 1 ? " was" : "s were", differed == 1 ? "it" : "they");
    if (log->nmis)
        printf("  %llu unexpected NMI%s\n", (unsigned long long)log->nmis,
               plural(log->nmis));
}

static void print_sums(const struct log *log)
{
    uint64_t branches = 0, events = 0;
    size_t count[VERDICTS] = { 0 }, bytes = 0; /* bytes of the runs alone */

    for (size_t i = 0; i < log->run_count; i++) {
        branches += log->runs[i].branches;
        events += method_is_interrupted(log->runs[i].method) ? 0 : log->runs[i].events;
        bytes += log->runs[i].bytes;
        count[log->runs[i].verdict] += log->runs[i].end_line != 0;
    }
    printf("\n  %llu %s traced, %llu debug event%s\n", (unsigned long long)branches,
           branches == 1 ? "branch" : "branches", (unsigned long long)events,
           plural(events));
    for (size_t i = 0; i < methods_known_count(); i++)
        if (method_is_interrupted(&methods_known[i]))
            print_interrupts(log, &methods_known[i]);
    report_known(log);
    printf("  %zu bytes on the wire, %zu of them for the runs", log->wire_bytes, bytes);
    if (branches >= DENSE * log->run_count && branches)
        printf(": %.3f bits a branch, all told", 8.0 * (double)bytes / (double)branches);
    putchar('\n');
    if (log->machine.cycles.line)
        printf(
            "  the machine was borrowed %llu times more, and found alive in %llu of %llu "
            "checks\n",
            (unsigned long long)log->machine.cycles.done,
            (unsigned long long)log->machine.cycles.alive,
            (unsigned long long)log->machine.cycles.checked);
    print_hits(log);
    printf("  %zu pair%s of methods compared, %zu disagree%s\n",
           log->findings.pairs_compared, plural(log->findings.pairs_compared),
           log->findings.pairs_disagree, log->findings.pairs_disagree == 1 ? "s" : "");
    print_ended_early(log);
    printf("%s: %zu run%s: %zu pass, %zu fail, %zu skipped, %zu in error", log->name,
           log->run_count, plural(log->run_count), count[PASS], count[FAIL], count[SKIP],
           count[ERROR]);
    if (count[MEASURED])
        printf(", %zu measured", count[MEASURED]);
    if (log->findings.complaint_count)
        printf("; and %zu more that belong%s to no single run",
               log->findings.complaint_count,
               log->findings.complaint_count == 1 ? "s" : "");
    puts(log->log_error ? "; the log is UNUSABLE" : "");
}

void report(const struct log *log, const struct report_options *options)
{
    if (log->log_error && !log->error_line) { /* no line was read */
        print_log_error(log);
        return;
    }
    printf("%s\n", log->name);
    print_machine(log);
    print_facilities(log);
    print_processors(log);
    if (log->by_command)
        print_commands(log);
    else if (log->plan.line)
        print_table(log, log->plan.filter_count ? "workload, left out" : "workload",
                    VERDICT_WIDTH, verdict_cell);
    if (log->plan.line && !log->by_command && options->bytes) {
        print_table(log, "bytes", COUNT_WIDTH, bytes_cell);
        print_table(log, "bits/branch", COUNT_WIDTH, bits_cell);
    }
    infos_report(log);
    print_skips(log);
    print_differences(log);
    print_sums(log);
}
