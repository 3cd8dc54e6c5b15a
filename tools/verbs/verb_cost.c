/*
 * `cost`: what each method takes, and branch single-step compared with single-step.
 *
 * Events are the same on every machine.  Ticks hold for one boot of one machine; on an
 * emulator they say nothing about silicon.
 */
#include "verbs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cost.h"
#include "exit_code.h"
#include "json_log.h"
#include "judge.h"
#include "read.h"
#include "select.h"
#include "words.h"

static const char emulated[] =
    "EMULATED: these ticks say nothing about silicon; how many events there are does.";

static bool is_emulated(const struct log *log)
{
    const struct cpu_part *cpu = &log->machine.cpu;

    return (cpu->platform && cpu->platform->emulated) || (cpu->host && cpu->host->emulated);
}

/* Returns the ratio, or 0 if there is none. */
static double times(uint64_t of, uint64_t by)
{
    return by ? (double)of / (double)by : 0;
}

/* Returns what one of `count` took beyond the untraced run, or 0. */
static double each(const struct cost_table *table, const struct cost *cost, uint64_t count)
{
    uint64_t ticks;

    return cost_beyond(table, cost, &ticks) ? times(ticks, count) : 0;
}

static void print_real(double value)
{
    if (value > 0)
        printf(" %10.*f", value < 100 ? 1 : 0, value);
    else
        printf(" %10s", "-");
}

static void print_method(const struct cost_table *table, const struct cost *cost)
{
    const struct cost *untraced = cost_by(table, "none");

    printf("  %-10s %10" PRIu64, cost->method->name, cost->events);
    print_real(times(table->insns, cost->events));
    printf(" %14" PRIu64, cost->ticks);
    print_real(each(table, cost, table->branches));
    print_real(each(table, cost, cost->events));
    print_real(untraced ? times(cost->ticks, untraced->ticks) : 0);
    printf(" %8" PRIu64 "%s\n", cost->runs, cost->failed ? "  NOT as expected" : "");
}

static void print_headline(const struct cost_table *table, bool on_emulator)
{
    const struct cost *btf = cost_by(table, "btf"), *step = cost_by(table, "step");

    if (!btf || !step || !btf->events || !btf->ticks)
        return;
    printf("\n  branch-step (btf) takes %" PRIu64 " debug exceptions, single-step (step) "
           "%" PRIu64 ": %.1f times as many\n",
           btf->events, step->events, times(step->events, btf->events));
    printf("  branch-step takes %" PRIu64 " ticks, single-step %" PRIu64
           ": %.1f times as many%s\n",
           btf->ticks, step->ticks, times(step->ticks, btf->ticks),
           on_emulator ? ", EMULATED" : "");
}

static void print_table(const struct log *log, const struct cost_table *table)
{
    printf("\n%s: ", table->workload->own->name);
    if (table->insns)
        printf("%" PRIu64 " instructions, ", table->insns);
    if (table->branches)
        printf("%" PRIu64 " branches\n", table->branches);
    else
        puts("another compiler made it, so what ran is not counted");
    printf("  %-10s %10s %10s %14s %10s %10s %10s %8s\n", "", "", "insns", "", "ticks",
           "ticks", "times the", "least of");
    printf("  %-10s %10s %10s %14s %10s %10s %10s %8s\n", "method", "events", "an event",
           "ticks", "a branch", "an event", "untraced", "runs");
    for (size_t i = 0; i < table->count; i++)
        print_method(table, &table->methods[i]);
    if (!cost_by(table, "none"))
        puts("  no untraced run (method none): what a branch or an event takes is not "
             "known");
    print_headline(table, is_emulated(log));
}

static void print_machine(const struct log *log)
{
    printf("%s: %.*s\n", log->name, SPAN(log->machine.cpu.named.brand));
    if (is_emulated(log))
        printf("%s\n", emulated);
    puts("Ticks are of the TSC; those of a branch and an event are beyond the untraced "
         "run.");
}

static void json_method(struct json *json, const struct cost_table *table,
                        const struct cost *cost)
{
    uint64_t beyond;

    json_object(json, NULL);
    json_text(json, "method", cost->method->name);
    json_count(json, "runs", cost->runs);
    json_bool(json, "as_expected", !cost->failed);
    json_count(json, "events", cost->events);
    json_count(json, "ticks", cost->ticks);
    if (cost_beyond(table, cost, &beyond))
        json_count(json, "ticks_beyond_untraced", beyond);
    else
        json_null(json, "ticks_beyond_untraced");
    json_close(json);
}

void json_cost(struct json *json, const char *key, const struct cost_table *table)
{
    json_object(json, key);
    json_text(json, "workload", table->workload->own->name);
    if (table->insns)
        json_count(json, "instructions", table->insns);
    else
        json_null(json, "instructions");
    if (table->branches)
        json_count(json, "branches", table->branches);
    else
        json_null(json, "branches");
    json_array(json, "methods");
    for (size_t i = 0; i < table->count; i++)
        json_method(json, table, &table->methods[i]);
    json_close(json);
    json_close(json);
}

/* True if this workload is to be shown. */
static bool is_meant(const struct given *given, const struct loaded *loaded,
                     const struct loaded *best)
{
    const char *names = given_value(given, "workload");

    if (names)
        return listed(names, loaded->own->name);
    return given_has(given, "all") || loaded == best;
}

/* Returns how many tables there were. */
static size_t show(const struct given *given, const struct log *log, struct json *json)
{
    const struct loaded *best = cost_best(log);
    size_t shown = 0;

    for (size_t i = 0; i < log->workload_count; i++) {
        struct cost_table table;

        if (!is_meant(given, log->workloads[i], best))
            continue;
        cost_of(&table, log, log->workloads[i]);
        if (table.count == 0)
            continue;
        if (!json && !shown)
            print_machine(log);
        if (json)
            json_cost(json, NULL, &table);
        else
            print_table(log, &table);
        shown++;
    }
    return shown;
}

static int show_json(const struct given *given, const struct log *log)
{
    struct json json;
    size_t shown;

    json_begin(&json, stdout, "cost");
    json_text(&json, "log", log->name);
    json_bool(&json, "emulated", is_emulated(log));
    json_array(&json, "workloads");
    shown = show(given, log, &json);
    json_close(&json);
    json_end(&json, shown ? EXIT_AS_EXPECTED : EXIT_UNUSABLE);
    return shown ? EXIT_AS_EXPECTED : EXIT_UNUSABLE;
}

static int show_text(const struct given *given, const struct log *log)
{
    if (!select_workloads_known(log, given_value(given, "workload")))
        return EXIT_UNUSABLE;
    if (show(given, log, NULL))
        return EXIT_AS_EXPECTED;
    return given_wrong(given, "%s: no completed run of %s", log->name,
                       given_value(given, "workload") ? given_value(given, "workload")
                                                      : "any workload");
}

static int verb_cost(const struct given *given)
{
    struct log log;
    int code = EXIT_UNUSABLE;

    if (log_usable(&log, given->operands[0]))
        code = given->json ? show_json(given, &log) : show_text(given, &log);
    log_free(&log);
    return code;
}

VERB(cost) = {
    .name = "cost",
    .operands = "LOG",
    .about = "print what each method costs, in events and ticks",
    .more = "For each method it prints events, instructions and ticks beyond those of "
            "the untraced run (method none) of the same boot: in total, for each branch "
            "and for each event.  Then it compares branch single-step with single-step.  "
            "With the boot option cost=20, each run is made 20 times and the fewest "
            "ticks count.  Without an option it takes the most informative workload.",
    .examples = "cost everybranch.log\n"
                "cost --workload wt,quicksort everybranch.log",
    .run = verb_cost,
    .least = 1,
    .most = 1,
    .json = true,
    .options = {
        BOOT_OPTION,
        { .name = "workload", .value = "WORKLOADS", .about = "only these workloads" },
        { .name = "all", .about = "every workload" },
    },
};
