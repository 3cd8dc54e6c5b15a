/*
 * self_check.h.  The check is the host program's own, from common/.  A text screen may
 * have only 25 lines, so this counts by method and names the first failures.
 */
#include "self_check.h"

#include <stdbool.h>

#include "check.h"
#include "deviation.h"
#include "events.h"
#include "filter.h"
#include "hit.h"
#include "known.h"
#include "method.h"
#include "sampled_windows.h"
#include "platform.h"
#include "put.h"
#include "registers.h"
#include "sample.h"
#include "text.h"
#include "visible.h"

#define NAME_COLUMN 10
#define NAMED_MAX   6 /* failures that are named */

static struct text screen;
static struct pack *unpacking;                     /* for the expected traces of programs */
static size_t counts[METHODS_MAX][COMPARED_COUNT]; /* by method, as methods_known */
static size_t all_counts[COMPARED_COUNT];
static struct run_request named[NAMED_MAX];
static char expected_words[FACILITY_COUNT][48];
static const char *expected_on[FACILITY_COUNT];
static bool is_wrong[FACILITY_COUNT];   /* `check` will say that this probe result fails */
static const struct platform *platform; /* NULL: it is not known */
static bool db_recorded;                /* by LBR, since the platform injects #DB again */

bool self_check_on_silicon(void)
{
    return !platform_is_emulated(platform);
}

/* Where rules may hold, without a method. */
static struct rule_place place_on(const struct cpu *cpu)
{
    return (struct rule_place){ .model = cpu->model,
                                .id = &cpu->id,
                                .microcode = cpu->microcode,
                                .platform = platform,
                                .emulated = !self_check_on_silicon() };
}

static void put_column(const char *text, size_t width)
{
    size_t length = 0;
    while (text[length])
        length++;
    text_string(&screen, text);
    for (; length < width; length++)
        text_string(&screen, " ");
}

static void put_count(size_t count, size_t column)
{
    size_t width = 1;
    for (size_t rest = count; rest >= 10; rest /= 10)
        width++;
    for (; width < column; width++)
        text_string(&screen, " ");
    text_decimal(&screen, count);
}

/* The rule that accounts for what the probe found, or NULL. */
static const struct rule *rule_of(const struct cpu *cpu, enum facility facility,
                                  const struct probed *one)
{
    const struct rule_place place = place_on(cpu);
    return rule_of_probe(&place,
                         &(struct rule_probe){ facility, one->said.outcome,
                                               one->said.deviations, one->evidence });
}

/* Notes why a probe result is no failure: "known: pt-cyc". */
static void note_expected(enum facility facility, const char *why, const char *name)
{
    struct text out = text_into(expected_words[facility], sizeof expected_words[facility]);
    text_string(&out, why);
    text_string(&out, name);
    expected_on[facility] = expected_words[facility];
}

size_t self_check_wrong_facilities(void)
{
    size_t count = 0;
    for (size_t i = 0; i < FACILITY_COUNT; i++)
        count += is_wrong[i];
    return count;
}

/* Facilities known to do less on this platform than the manuals say. */
static void expect(const struct cpu *cpu, const struct facilities *found)
{
    platform = platform_find(cpu->id.hypervisor, &cpu->id, cpu->model,
                             facility_may_act(&found->btf));
    const struct platform_guest guest = { &cpu->id, cpu->model, cpu->lbr_depth,
                                          cpu->has_misc_enable &&
                                              cpu->misc_enable & MISC_ENABLE_NO_BTS };
    const bool unknown = !platform && (cpu->id.hypervisor[0] || cpu->id.has_hypervisor);
    for (enum facility i = 0; i < FACILITY_COUNT; i++) {
        const struct probed *one = &found->all[i];
        enum probe_result probe_result = one->said.outcome;
        const struct platform_fact *fact =
            platform ? platform_fact(platform, &guest, i) : NULL;
        bool is_less =
            probe_result == DEAD || probe_result == FAULTS || probe_result == DEVIATES;
        const struct rule *rule = rule_of(cpu, i, one);
        expected_on[i] = NULL; /* absent is no failure anywhere */
        if (rule)
            note_expected(i, "known: ", rule->name);
        is_wrong[i] = !expected_on[i] &&
                      platform_fails(fact, probe_result, one->said.deviations, unknown);
        if (!is_less || !fact ||
            !platform_expects(fact, probe_result, one->said.deviations))
            continue;
        note_expected(i, platform_is_open(fact) ? "not judged on " : "as expected on ",
                      platform->name);
    }
    db_recorded = expected_on[FACILITY_LBR] && found->lbr.said.outcome == DEVIATES &&
                  found->lbr.said.deviations == DEVIATION(LEFT_LBR_ON);
}

const char *const *self_check_expected(void)
{
    return expected_on;
}

void self_check_init(char *at, size_t capacity, struct pack *unpack, const struct cpu *cpu,
                     const struct facilities *found)
{
    unpacking = unpack;
    expect(cpu, found);
    screen = text_into(at, capacity);
    text_string(&screen, "everybranch: " SELF_CHECK_IS "\n");
    text_string(&screen, cpu->brand[0] ? cpu->brand : cpu->id.vendor);
    text_string(&screen, ", model ");
    text_string(&screen, cpu->model ? cpu->model->name : "unknown");
    text_string(&screen, "\n\nfound by trying\n");
    for (size_t i = 0; i < FACILITY_COUNT; i++) {
        text_string(&screen, "  ");
        put_column(facility_names[i], NAME_COLUMN);
        put_column(probe_result_name(found->all[i].said.outcome), NAME_COLUMN);
        text_string(&screen, expected_on[i] ? expected_on[i] : "");
        text_string(&screen, expected_on[i] ? ": " : "");
        text_string(&screen, found->all[i].evidence);
        text_string(&screen, "\n");
    }
}

/* Of a run that differs also the record, from 1, at which it first does. */
struct self_check {
    enum compared compared;
    uint64_t at;
};

static struct self_check fails_at(uint64_t index)
{
    return (struct self_check){ DIFFERS, index + 1 };
}

static const struct self_check is_right = { RIGHT, 0 }, is_known = { KNOWN, 0 },
                               is_not_compared = { NOT_COMPARED, 0 };

/* What the rules ask of a run.  tries: NULL while it is not known how often it is made. */
static struct rule_run rule_run_of(const struct run_request *run, const struct trace *trace,
                                   const struct run_tries *tries)
{
    static struct events events;
    const struct workload *w = run->workload;
    uint64_t at = (uint64_t)w->code, call = (uint64_t)window_call,
             back = (uint64_t)window_back;
    events_of(&events, w, at, call, back, false);
    struct rule_run of = {
        .place = place_on(run->cpu),
        .workload = w,
        .at = at,
        .call = call,
        .back = back,
        .events = &events,
        .capacity = ran_capacity(&trace->ran, run->capacity),
        .records = trace->count,
        .hits = { .image = put_map.image_at, .image_size = put_map.image_size },
    };
    of.place.method = run->method;
    of.place.filter = run->filter;
    if (!tries)
        return of;
    of.hits.smis = trace->ran.smis;
    of.hits.nmis = trace->ran.nmis;
    of.hits.smis_are_counted = tries->smis_are_counted;
    of.hits.branches = trace->ran.counted.value;
    of.hits.tries = tries->any ? &tries->tries : NULL;
    return of;
}

/* The interrupt after the last stop may be on its way still, or its stop was lost. */
static struct self_check compare_stops(const struct branch *records,
                                       const struct trace *trace, struct source *expected,
                                       const struct sampling *how)
{
    struct sample_result found = sample_check(records, trace->count, expected, how);
    if (found.wrong)
        return fails_at(found.index);
    if (!sample_lacks_last(&found, how, trace->count, trace->ran.events))
        return is_right;
    return trace->ran.lost ? is_not_compared : fails_at(trace->count);
}

/* As far as the stops tell; the host program holds the counter against them, too. */
static struct self_check compare_samples(const struct run_request *run,
                                         struct source *expected,
                                         const struct branch *records,
                                         const struct trace *trace,
                                         const struct rule_run *of)
{
    const uint64_t counted = trace->ran.counted.value, most = hit_events_max(of);
    const struct pmu *pmu = run->cpu->pmu;
    struct sampling how = sampling_of(
        pmu ? pmu_event_of(pmu, run->interrupt_config.event, run->interrupt_config.umask)
            : NULL,
        run->interrupt_config.period);
    const uint64_t late = trace->ran.skid.value;
    how.foreign = sample_foreign(expected, &how, counted, most);
    struct self_check found = compare_stops(records, trace, expected, &how);
    if (found.compared == DIFFERS && most && late <= most && late > how.foreign) {
        how.foreign = late;
        found = compare_stops(records, trace, expected, &how);
    }
    if (found.compared != RIGHT && how.unsure) {
        how.counts |= how.unsure;
        how.foreign = sample_foreign(expected, &how, counted, most);
        found = compare_stops(records, trace, expected, &how);
    }
    return found.compared == RIGHT && how.foreign ? is_known : found;
}

/* Each hit may have shortened one segment: its handler's records take up room there. */
static struct self_check compare_segments(const struct rule_run *of, struct source *got,
                                          struct source *want, size_t size)
{
    struct sampled_result found = sampled_windows_check(got, want, size, 0);
    struct unhit rest;
    if (!found.wrong)
        return is_right;
    unhit_of(&rest, of, got);
    if (!sampled_windows_check(&rest.source, want, size, hit_traps_max(of, found.index + 1))
             .wrong &&
        unhit_is_bounded(&rest, found.index + 1))
        return is_known;
    return fails_at(found.index);
}

/* Only the host knows how many records may be missing there, and why. */
static bool has_gaps(const struct branch *records, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (records[i].to == BRANCH_UNKNOWN)
            return true;
    return false;
}

static struct self_check compare_records(const struct run_request *run,
                                         const struct trace *trace,
                                         const struct branch *records,
                                         const struct run_tries *tries)
{
    const struct method_facts *method = run->method;
    const struct workload *w = run->workload;
    if (method->packets || (!method->sampled_windows && has_gaps(records, trace->count)))
        return is_not_compared;
    const struct model *model = run->cpu->model; /* its own: cores of a chip may differ */
    uint64_t at = (uint64_t)w->code, call = (uint64_t)window_call;
    struct expected expected;
    struct visible want;
    struct recorded got;
    expected_of(&expected, w, at, call, (uint64_t)window_back, unpacking);
    struct record_filter record_filter =
        record_filter_for(method, model, run->filter, w, at);
    record_filter.db_recorded = db_recorded && method->needs & NEEDS(FACILITY_LBR);
    visible_through(&want, &expected.source, method,
                    ran_capacity(&trace->ran, run->capacity), record_filter);
    recorded_of(&got, records, trace->count, method, w, at, call);
    if (model)
        recorded_on(&got, model, &run->cpu->id);
    const struct rule_run of = rule_run_of(run, trace, tries);
    if (method->sampled)
        return compare_samples(run, &expected.source, records, trace, &of);
    if (method->sampled_windows)
        return compare_segments(&of, &got.source, &want.source, model->brs.depth);
    struct difference d = check(&got.source, &want.source);
    if (d.class == SAME)
        return is_right;
    return rules_explain_all(&got.source, &want.source, &of) ? is_known : fails_at(d.index);
}

uint64_t self_check_difference(const struct run_request *run,
                               const struct run_result *run_result,
                               const struct branch *records)
{
    return compare_records(run, &run_result->trace, records, NULL).at;
}

static struct self_check compare_run(const struct run_request *run,
                                     const struct run_result *run_result,
                                     const struct branch *records,
                                     const struct run_tries *tries)
{
    if (!run_result)
        return (struct self_check){ SKIPPED, 0 };
    if (run_result->window_exit.outcome != ENDED)
        return (struct self_check){ DIFFERS, 0 };
    struct self_check found = compare_records(run, &run_result->trace, records, tries);
    return found.compared == RIGHT && tries->any ? is_known : found;
}

void self_check_run(const struct run_request *run, const struct run_result *run_result,
                    const struct branch *records, const struct run_tries *tries)
{
    struct self_check found = compare_run(run, run_result, records, tries);
    counts[run->method - methods_known][found.compared]++;
    all_counts[found.compared]++;
    display_compared(run, found.compared, found.at);
    if (found.compared == DIFFERS && all_counts[DIFFERS] <= NAMED_MAX)
        named[all_counts[DIFFERS] - 1] = *run;
}

const size_t *self_check_counts(void)
{
    return all_counts;
}

static void put_run(const struct run_request *run)
{
    char words[FILTER_TEXT_SIZE];
    text_string(&screen, run->method->name);
    text_string(&screen, " ");
    text_string(&screen, run->workload->name);
    if (run->filtered) {
        text_string(&screen, " filter=");
        text_string(&screen, filter_text(run->filter, words));
    }
    if (run->smp) {
        text_string(&screen, " processor ");
        text_decimal(&screen, run->processor);
    }
}

static void put_failures(void)
{
    const size_t failures = all_counts[DIFFERS];
    for (size_t i = 0; i < FACILITY_COUNT; i++)
        if (is_wrong[i]) {
            text_string(&screen, "  not as expected: facility ");
            text_string(&screen, facility_names[i]);
            text_string(&screen, "\n");
        }
    for (size_t i = 0; i < failures && i < NAMED_MAX; i++) {
        text_string(&screen, "  not as expected: ");
        put_run(&named[i]);
        text_string(&screen, "\n");
    }
    if (failures > NAMED_MAX) {
        text_string(&screen, "  and ");
        text_decimal(&screen, failures - NAMED_MAX);
        text_string(&screen, " more\n");
    }
}

/* "3 not as expected, 1 facility wrong" */
static void put_wrong(void)
{
    const size_t wrong = self_check_wrong_facilities();
    text_decimal(&screen, all_counts[DIFFERS]);
    text_string(&screen, " not as expected");
    if (!wrong)
        return;
    text_string(&screen, ", ");
    text_decimal(&screen, wrong);
    text_string(&screen, wrong == 1 ? " facility wrong" : " facilities wrong");
}

/* "12 not compared, " */
static void put_counted(enum compared compared)
{
    if (!all_counts[compared])
        return;
    text_decimal(&screen, all_counts[compared]);
    text_string(&screen, " ");
    text_string(&screen, display_columns[compared].word);
    text_string(&screen, ", ");
}

void self_check_end(const struct end_line *totals, bool avoided)
{
    display_end(totals, all_counts, avoided);
    if (!totals->runs) {
        text_string(&screen, "\n" NO_RUNS "\n");
        return;
    }
    text_string(&screen, "\n");
    put_column("runs", NAME_COLUMN + 2);
    for (enum compared c = 0; c < COMPARED_COUNT; c++) {
        for (size_t i = text_length(display_columns[c].word); i < display_columns[c].width;
             i++)
            text_string(&screen, " ");
        text_string(&screen, display_columns[c].word);
    }
    text_string(&screen, "\n");
    for (size_t i = 0; i < methods_known_count(); i++) {
        size_t all = 0;
        for (enum compared c = 0; c < COMPARED_COUNT; c++)
            all += counts[i][c];
        if (!all)
            continue;
        text_string(&screen, "  ");
        put_column(methods_known[i].name, NAME_COLUMN);
        for (enum compared c = 0; c < COMPARED_COUNT; c++)
            put_count(counts[i][c], display_columns[c].width);
        text_string(&screen, "\n");
    }
    put_failures();
    text_string(&screen, "\n");
    text_decimal(&screen, totals->ran);
    text_string(&screen, totals->ran == 1 ? " run, " : " runs, ");
    text_decimal(&screen, totals->skipped);
    text_string(&screen, " skipped, ");
    put_counted(NOT_COMPARED);
    put_counted(KNOWN);
    put_wrong();
    text_string(&screen, avoided ? ", and not all was tried: see below\n" : "\n");
    if (display_legend(all_counts)) {
        text_string(&screen, display_legend(all_counts));
        text_string(&screen, "\n");
    }
}
