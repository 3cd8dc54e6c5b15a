/*
 * Judges what belongs to no single run: the facilities, compared with what the platform is
 * known to give and with the runs; the cycles of borrowing the machine; and files of the
 * stick that were not loaded.
 */
#include "judge_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "known.h"
#include "log_run.h"
#include "unconfirmed.h"

bool run_needs(const struct run *run, enum facility facility)
{
    return run->method->needs & NEEDS(facility);
}

bool found_to_act(const struct cpu_part *cpu, enum facility facility)
{
    enum probe_result probe_result = cpu->facilities[facility].outcome;

    return probe_result == WORKS || probe_result == DEVIATES;
}

static const struct platform_fact *
fact_on(const struct cpu_part *cpu, const struct platform *platform, enum facility facility)
{
    const struct platform_guest guest = { &cpu->id, cpu->row, cpu->lbr_depth, cpu->no_bts };

    return platform ? platform_fact(platform, &guest, facility) : NULL;
}

const struct platform_fact *fact_of(const struct cpu_part *cpu, enum facility facility)
{
    return fact_on(cpu, cpu->platform, facility);
}

/*
 * True if Linux decides on this result: a process gets branch stacks and BTS where Linux
 * has a driver for the processor and permits it, whatever the platform has.
 */
static bool is_by_linux(const struct cpu_part *cpu, enum facility facility)
{
    enum probe_result found = cpu->facilities[facility].outcome;

    return found == DENIED ||
           (cpu->under_linux && facility != FACILITY_STEP && facility != FACILITY_BTF &&
            (found == WORKS || found == ABSENT));
}

size_t facilities_unlike(const struct cpu_part *cpu, const struct platform *platform)
{
    size_t count = 0;

    for (enum facility i = 0; i < FACILITY_COUNT; i++) {
        const struct facility_line *found = &cpu->facilities[i];
        const struct platform_fact *fact = fact_on(cpu, platform, i);
        enum probe_result probe_result = found_to_act(cpu, i) ? WORKS : found->outcome;

        if (found->line && probe_result != AVOIDED && fact && !is_by_linux(cpu, i))
            count += !(fact->probe_results & FOUND(probe_result));
    }
    return count;
}

/* True if no row has the hypervisor's name. */
static bool of_unknown_hypervisor(const struct cpu_part *cpu)
{
    return !cpu->platform && cpu->facilities[FACILITY_BTF].line &&
           (cpu->id.hypervisor[0] || cpu->id.has_hypervisor);
}

static const char *evidence_of(const struct facility_line *found)
{
    return scratch_text("%.*s", SPAN(found->evidence));
}

/* The rule that accounts for what was found, if no manual states it; or NULL. */
const struct rule *facility_derived_rule(const struct cpu_part *cpu, enum facility i)
{
    const struct facility_line *found = &cpu->facilities[i];
    const struct rule_place place = rule_place_on(cpu);
    const struct rule_probe probe = { i, found->outcome, found->deviations,
                                      evidence_of(found) };

    return found->line ? rule_of_probe(&place, &probe) : NULL;
}

enum expectation facility_expected(const struct cpu_part *cpu, enum facility i)
{
    const struct facility_line *found = &cpu->facilities[i];
    const struct platform_fact *fact = fact_of(cpu, i);

    if (!found->line || !fact || platform_is_open(fact) || found->outcome == AVOIDED ||
        is_by_linux(cpu, i) || facility_derived_rule(cpu, i))
        return NOT_JUDGED;
    return platform_expects(fact, found->outcome, found->deviations) ? AS_EXPECTED
                                                                     : NOT_AS_EXPECTED;
}

/* The name of the row, with the processor's number unless it is the first; valid until the
 * next call. */
static const char *name_of(const struct cpu_part *cpu)
{
    static char name[64];

    snprintf(name, sizeof(name), cpu->number ? "%s processor %zu" : "%s", row_name(cpu),
             cpu->number);
    return name;
}

/*
 * The records of a workload can be right nevertheless: a #DB that does not clear BTF, for
 * instance, only hurts code that relies on it.
 */
static void complain_deviates(struct log *log, const struct cpu_part *cpu, enum facility i,
                              const struct rule *derived)
{
    const struct facility_line *found = &cpu->facilities[i];

    complain(log, (struct complaint){
                      .rule = derived ? derived->name : "facility-manual",
                      .cpu = cpu,
                      .method = facility_names[i],
                      .subject = "facility",
                      .line = found->line,
                      .claim = format_text("%s does as the manual says", facility_names[i]),
                      .what = format_text("%s %s deviates: %.*s", name_of(cpu),
                                          facility_names[i], SPAN(found->evidence)) });
}

/* "dead", "absent or faults" */
static void put_probe_results(struct text *text, unsigned probe_results)
{
    const char *before = "";

    for (enum probe_result i = WORKS; i < PROBE_RESULTS; i++)
        if (probe_results & FOUND(i)) {
            text_string(text, before);
            text_string(text, probe_result_name(i));
            before = " or ";
        }
}

static void complain_unexpected(struct log *log, const struct cpu_part *cpu,
                                enum facility i, const struct platform_fact *fact,
                                const struct rule *derived)
{
    const struct facility_line *found = &cpu->facilities[i];
    char buffer[LOG_LINE_MAX];
    struct text wanted = text_into(buffer, sizeof(buffer));

    put_probe_results(&wanted, fact->probe_results);
    complain(log, (struct complaint){
                      .rule = derived ? derived->name : "facility-platform",
                      .cpu = cpu,
                      .method = facility_names[i],
                      .subject = "facility",
                      .line = found->line,
                      .claim = format_text("%s is as expected on %s", facility_names[i],
                                           cpu->platform->name),
                      .what = format_text(
                          "%s %s: got %s, want %s on %s: %s (%s: %s)", name_of(cpu),
                          facility_names[i], probe_result_name(found->outcome), buffer,
                          cpu->platform->name, fact->about,
                          confidence_words[fact->confidence], fact->source) });
}

/* A command probed again, and it was not what it had been. */
static void complain_changed(struct log *log, const struct cpu_part *cpu, enum facility i)
{
    const struct facility_line *found = &cpu->facilities[i];

    complain(
        log,
        (struct complaint){
            .rule = "facility-same",
            .method = facility_names[i],
            .subject = "facility",
            .line = cpu->again[i].line,
            .claim = format_text("%s stays what it was found to be", facility_names[i]),
            .what = format_text("%s %s: got %s, want %s as in line %zu", name_of(cpu),
                                facility_names[i], probe_result_name(cpu->again[i].outcome),
                                probe_result_name(found->outcome), found->line) });
}

void judge_facility(struct log *log, const struct cpu_part *cpu, enum facility i)
{
    const struct facility_line *found = &cpu->facilities[i];
    const struct platform_fact *fact = fact_of(cpu, i);
    const struct rule *derived = facility_derived_rule(cpu, i);
    bool fails;

    if (!found->line || found->outcome == AVOIDED || found->outcome == DENIED)
        return;
    if (cpu->again[i].line)
        complain_changed(log, cpu, i);
    if (fact && is_by_linux(cpu, i))
        return; /* it says nothing of the hardware */
    fails =
        platform_fails(fact, found->outcome, found->deviations, of_unknown_hypervisor(cpu));
    if (fails && found->outcome == DEVIATES)
        complain_deviates(log, cpu, i, derived);
    else if (fails)
        complain_unexpected(log, cpu, i, fact, derived);
}

/* A facility that the probe found not to work cannot have made correct records. */
void judge_facility_by_runs(struct log *log, const struct cpu_part *cpu, enum facility i)
{
    const struct facility_line *found = &cpu->facilities[i];

    if (!found->line || found_to_act(cpu, i))
        return;
    for (size_t n = 0; n < log->run_count; n++) {
        const struct run *run = &log->runs[n];

        if (!run->end_line || !run_has_no_fault(run) || !run_needs(run, i) ||
            run->cpu != cpu)
            continue;
        complain(
            log,
            (struct complaint){
                .rule = "facility-effect",
                .method = facility_names[i],
                .subject = "facility",
                .line = found->line,
                .claim = format_text("%s is what was found by trying", facility_names[i]),
                .what = format_text("the probe reports %s as %s, but %s passes on %s%s",
                                    facility_names[i], probe_result_name(found->outcome),
                                    run->method->name, run->workload->own->name,
                                    filter_suffix(run)) });
        return;
    }
}

/* A cycle that nobody looked at proves nothing, and one that kills the firmware is ours. */
void judge_cycles(struct log *log)
{
    const struct cycles_line *cycles = &log->machine.cycles;

    if (!cycles->line || (cycles->checked && cycles->alive == cycles->checked))
        return;
    complain(
        log,
        (struct complaint){
            .rule = "firmware-alive",
            .method = "cycles",
            .subject = "firmware",
            .line = cycles->line,
            .claim = format_text("the firmware works whenever it has the machine back"),
            .what = format_text("the firmware was found alive and its file system writing "
                                "%llu times of %llu, in %llu cycles",
                                (unsigned long long)cycles->alive,
                                (unsigned long long)cycles->checked,
                                (unsigned long long)cycles->done) });
}

/* True if this names no file: "2 more" are those for which there was no room. */
static bool is_count(struct span file)
{
    static const char more[] = " more";
    const size_t length = sizeof more - 1;
    return file.length > length &&
           memcmp(file.at + file.length - length, more, length) == 0;
}

/* A workload's file that the kernel could not load is a skip of all its runs. */
void judge_rejected(struct log *log, const struct judge_options *options)
{
    for (size_t i = 0; i < log->bundled_count && options->no_skip; i++) {
        const struct bundled *bundled = log->bundled[i];
        const bool several = is_count(bundled->file);

        if (bundled->wrong.length)
            complain(log,
                     (struct complaint){
                         .rule = "files-loaded",
                         .method = "bundle",
                         .subject = "stick",
                         .line = bundled->line,
                         .claim = format_text(several ? "%.*s files are loaded"
                                                      : "the file %.*s is loaded",
                                              SPAN(bundled->file)),
                         .what = format_text(several ? "%.*s files were not loaded: %.*s"
                                                     : "the file %.*s was not loaded: %.*s",
                                             SPAN(bundled->file), SPAN(bundled->wrong)) });
    }
}
