/*
 * Judges a log: each run (judge_*.c), and then what belongs to no run.
 */
#include "judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cross.h"
#include "heap.h"
#include "expected_trace.h"
#include "judge_parts.h"
#include "log_run.h"
#include "packets.h"
#include "progress.h"
#include "read.h"
#include "skid.h"
#include "words.h"

/*
 * The emulator has all that the row of its model has, and is not excused as stock QEMU.
 * Without --no-skip, BTF decides which of the two it is, unless more of the facilities fit
 * the other one: then BTF is what is reported.
 */
static const struct platform *platform_of(const struct log *log, const struct cpu_part *cpu,
                                          const struct judge_options *options)
{
    const struct platform *by_btf, *other;
    const char *name = cpu->id.hypervisor;
    const enum probe_result btf = cpu->facilities[FACILITY_BTF].probe_result;
    bool btf_acts;

    if (options->as)
        return options->as;
    if (log->by_command && !cpu->facilities[FACILITY_BTF].line)
        return NULL; /* two platforms may differ in nothing else */

    if (cpu->id.has_hypervisor && cpu->id.hypervisor[0] == 0)
        return NULL; /* one that gives no name is not bare metal */
    if (options->no_skip && strcmp(name, HYPERVISOR_TCG) == 0)
        return platform_named("emulator");
    btf_acts = found_to_act(cpu, FACILITY_BTF) || btf == AVOIDED || btf == DENIED;
    by_btf = platform_find(name, &cpu->id, cpu->row, btf_acts);
    other = platform_find(name, &cpu->id, cpu->row, !btf_acts);
    return facilities_unlike(cpu, other) < facilities_unlike(cpu, by_btf) ? other : by_btf;
}

/*
 * Returns what the hypervisor runs on, or NULL.  No guest can ask, but `make run-kvm` names
 * as the guest's board what its own machine announces.
 */
static const struct platform *beneath_of(const struct log *log, const struct cpu_part *cpu)
{
    const struct platform *found;
    char *name;

    if (!cpu->id.hypervisor[0] || !log->machine.board_product.length)
        return NULL;
    name = format_text("%.*s", SPAN(log->machine.board_product));
    found = platform_find(name, &cpu->id, cpu->row, false);
    free(name);
    return found;
}

/* Sets what a processor's runs are judged by, from the probe results on it. */
static void find_platform(const struct log *log, struct cpu_part *cpu,
                          const struct judge_options *options)
{
    const struct facility_found *lbr = &cpu->facilities[FACILITY_LBR];

    if (cpu->model_line) {
        cpu->platform = platform_of(log, cpu, options);
        cpu->beneath = beneath_of(log, cpu);
    }
    cpu->db_keeps_lbr = lbr->probe_result == DEVIATES &&
                        span_is(lbr->evidence, LEFT_LBR_ON) &&
                        facility_expected(cpu, FACILITY_LBR) == AS_EXPECTED;
}

static void judge_steps(const struct log *log, struct run *run)
{
    struct events events;
    size_t where = run->line;
    bool our_fault;
    char *why;

    events_in(&events, log, run);
    why = follow_steps(log, run, &events, &where, &our_fault, &run->ended_early);
    if (why)
        run_found(run, our_fault ? ERROR : FAIL, where, why);
}

static uint64_t count_branches(const struct log *log, const struct run *run)
{
    struct recorded got;
    struct source *source;
    struct transfer ignored;
    uint64_t count = 0;

    if (!run->method->every_insn)
        return run->records - run->gaps;
    source = transfers_of(&got, log, run);
    while (source->next(source, &ignored))
        count++;
    return count;
}

static void judge_counter(const struct log *log, struct run *run)
{
    const struct pmu_event *event;
    size_t where = run->end_line;
    bool unconfirmed = false;
    char *why =
        run->method->sampled_windows ? pieces_wrong(log, run, &where, &unconfirmed) : NULL;

    if (why) {
        run_found(run, unconfirmed ? MEASURED : FAIL, where, why);
        return;
    }
    why = run->verdict <= MEASURED ? counted_wrong(log, run, &where) : NULL;
    if (!why && run->verdict <= MEASURED && run->method->sampled_windows)
        why = pieces_wrong_rest(log, run);
    if (why && counted_unconfirmed(run)) {
        run_found(run, MEASURED, where,
                  format_text("%s; no failure is certain, since no manual states what this "
                              "event counts",
                              why));
        free(why);
        return;
    }
    if (why) {
        run_found(run, FAIL, where, why);
        return;
    }
    event = counted_event(run);
    if (run->verdict <= MEASURED && run->method->sampled && event && event->insns)
        why = insn_stops_wrong(log, run, &where, &unconfirmed);
    if (why)
        run_found(run, unconfirmed ? MEASURED : FAIL, where, why);
}

static void judge_result(struct run *run)
{
    const struct workload *own = run->workload->own;

    if (run->has_result && run->result != own->result)
        run_found(run, FAIL, run->end_line,
                  format_text("the program returned 0x%llx, want 0x%llx",
                              (unsigned long long)run->result,
                              (unsigned long long)own->result));
}

/* It was made again for its time. */
static void judge_repeats(struct run *run)
{
    if (run->repeats.made < run->repeats.asked)
        run_found(run, FAIL, run->repeats.line,
                  format_text("the same run again did not end: number %llu of %llu",
                              (unsigned long long)run->repeats.made + 1,
                              (unsigned long long)run->repeats.asked));
}

/* A late interrupt is a failure if none may be late, else measured, if nothing is worse. */
static void judge_late(struct run *run)
{
    enum verdict verdict = skid_is_none(run) ? FAIL : MEASURED;
    char *why = method_is_interrupted(run->method) ? interrupts_late(run) : NULL;

    if (why && run->verdict < verdict)
        run_found(run, verdict, run->end_line, why);
    else
        free(why);
}

static void judge_interrupts(const struct log *log, struct run *run)
{
    bool unconfirmed = false;
    char *why = run->method->pmi_drained ? interrupts_wrong(run, &unconfirmed) : NULL;

    if (why && run->verdict <= MEASURED)
        run_found(run, unconfirmed ? MEASURED : FAIL, run->end_line, why);
    else
        free(why);
    if (run->method->counter_driven && !is_other_build(run->workload))
        judge_counter(log, run);
    judge_late(run);
}

/* An earlier MEASURED must not hide missing interrupts; NMIs, though, may merge. */
static void judge_number(struct run *run)
{
    char *why = counted_number_wrong(run);

    if (why)
        run_found(run, counted_unconfirmed(run) ? MEASURED : FAIL, run->end_line, why);
}

/* No manual says how late the last interrupt may come. */
static void judge_lost(struct run *run)
{
    if (unheard_explained(run))
        run_found(run, MEASURED, run->end_line,
                  format_text("the last interrupt did not come: it was %llu event%s late "
                              "when the window closed",
                              (unsigned long long)unheard_late(run),
                              plural(unheard_late(run))));
    else
        run_found(run, FAIL, run->end_line,
                  format_text("lost=%llu: records are lost (lost)",
                              (unsigned long long)run->lost));
}

/* What a counter or a status register says beside the records; takes `why`, or NULL. */
static void found_beside(struct run *run, char *why, bool unconfirmed)
{
    if (why && (!unconfirmed || run->verdict == PASS))
        run_found(run, unconfirmed ? MEASURED : FAIL, run->end_line, why);
    else
        free(why);
}

/*
 * True if an SMI or a stray NMI that changes what this method records also leaves records
 * of its own.  An NMI need not: a filter can remove its handler, LER holds only the branch
 * before it, a method may take it for an interrupt of its own, and the log has no code to
 * decode packets of the handler.  With a filter, packets stop at an SMI as they do between
 * rings.
 */
static bool hit_shows(const struct run *run)
{
    const struct method_facts *method = run->method;

    if (method->blind_handlers || method->counter_driven ||
        (method->packets && run->filter))
        return false;
    return !run->nmis || (!run->filter && !method->last_event && !method->pmi_drained &&
                          !method->packets);
}

/*
 * The recorder is not at fault for what an SMI or a stray NMI does to a run.  Either takes
 * debug traps away and adds records of its own, but takes none of a trace, unless a counter
 * was to freeze it: RSM may turn the recording on again.
 */
static void excuse_hit(const struct log *log, struct run *run, bool of_records)
{
    char *why = run->why;

    if (run->verdict != FAIL || !run_was_hit(run) ||
        (of_records && hit_shows(run) && !hit_left_records(log, run)))
        return;
    run->why = format_text("%s; it is no failure, since %s hit this run", why,
                           !run->nmis   ? "an SMI"
                           : !run->smis ? "an unexpected NMI"
                                        : "an SMI and an unexpected NMI");
    run->verdict = MEASURED;
    free(why);
}

/* Packets that lead nowhere, or lack some: what they showed before must be right. */
static void judge_misfit(const struct log *log, struct run *run)
{
    const char *excuse = packets_excuse(run);
    char *why = packets_misfit(run);

    if (!excuse || !begins_as_expected(log, run, run->lines->before_wrong)) {
        run_found(run, FAIL, run->lines->line, why);
        return;
    }
    run_found(run, MEASURED, run->lines->line, format_text("%s; %s", why, excuse));
    free(why);
}

/* A full buffer, whose size the user chooses, is no fault of the processor. */
static void judge_filled(const struct log *log, struct run *run)
{
    const unsigned long long branches = run->branches;

    if (begins_as_expected(log, run, run->branches))
        run_found(run, MEASURED, run->lines->line,
                  format_text("the buffer was full after %llu records, which are right: "
                              "buffer= makes it larger",
                              branches));
    else
        judge_records(log, run);
}

/* Judges a run that came to its end and whose lines can be. */
static void judge_ended(const struct log *log, struct run *run)
{
    bool unconfirmed = false;
    char *why;

    if (run->method->packets && (why = packets_status_wrong(run))) {
        run_found(run, FAIL, run->lines->line, why);
        return;
    }
    if (run->method->packets && packets_filled(run)) {
        judge_filled(log, run);
        return;
    }
    if (run->method->packets && run->lines->wrong)
        judge_misfit(log, run);
    else if (run->gaps && !run->method->sampled_windows)
        judge_gaps(log, run);
    else if (!run->method->sampled && !run->method->sampled_windows)
        judge_records(log, run);
    excuse_hit(log, run, true);
    if (run->verdict > MEASURED)
        return;
    judge_result(run);
    if (run->verdict == PASS && run->method->packets && (why = packets_wrong(log, run)))
        run_found(run, FAIL, run->lines->line, why);
    if (run->verdict == PASS && run->info & INFO_HAS(INFO_TYPE))
        judge_types(log, run);
    if (run->verdict == PASS && run->method->every_insn)
        judge_steps(log, run);
    excuse_hit(log, run, false);
    judge_interrupts(log, run);
    excuse_hit(log, run, false);
    if (run->verdict == MEASURED && run->method->counter_driven && !run->nmis)
        judge_number(run);
    if (run->verdict <= MEASURED)
        judge_repeats(run);
    if (run->verdict <= MEASURED) {
        why = debug_status_wrong(run, &unconfirmed);
        found_beside(run, why, unconfirmed);
    }
    if (run->verdict <= MEASURED) {
        why = inserts_wrong(log, run, &unconfirmed);
        found_beside(run, why, unconfirmed);
    }
    if (run->verdict <= MEASURED && run->lost > 0)
        judge_lost(run);
}

/* Judges such a run of a program in C that another compiler made: other_build.c. */
static void judge_other_build(const struct log *log, struct run *run,
                              const struct judge_options *options)
{
    bool our_fault = false, unconfirmed = false;
    size_t where;
    char *why;

    run_found(run, options->no_skip ? FAIL : SKIP, run->line,
              format_text("another compiler made it, so no expected trace of it is "
                          "here"));
    if (run->method->packets && (why = packets_status_wrong(run))) {
        run_found(run, FAIL, run->lines->line, why);
        return;
    }
    if (run->method->packets && packets_filled(run))
        return;
    if (run->method->packets && run->lines->wrong) {
        run_found(run, FAIL, run->lines->line, packets_misfit(run));
        return;
    }
    why = other_build_wrong(log, run, &where, &our_fault);
    if (why)
        run_found(run, our_fault ? ERROR : FAIL, where, why);
    excuse_hit(log, run, false);
    judge_interrupts(log, run);
    excuse_hit(log, run, false);
    judge_repeats(run);
    why = debug_status_wrong(run, &unconfirmed);
    found_beside(run, why, unconfirmed);
    if (run->verdict <= MEASURED && run->lost > 0)
        judge_lost(run);
}

static void judge_made_run(struct log *log, struct run *run,
                           const struct judge_options *options)
{
    char *why = run_cannot_be(log, run);

    if (run->method->packets) /* the kernel does not know how many records they are */
        run->records = run_records(log, run).count;
    run->gaps = gaps_of(log, run);
    run->branches = count_branches(log, run);
    run->ran = run->method->sampled_windows ? run->drained.counted : 0;
    if (why) {
        run_found(run, ERROR, run->line, why);
    } else if (run->outcome != ENDED) {
        why = halted_on_platform(log, run);
        run_found(run, why ? MEASURED : FAIL, run->end_line,
                  why ? why : how_it_ended(log, run));
    } else if ((why = ran_cannot_be(log, run))) {
        run_found(run, ERROR, run->end_line, why);
    } else {
        if (is_other_build(run->workload))
            judge_other_build(log, run, options);
        else
            judge_ended(log, run);
        judge_tries(log, run);
    }
    if (run->verdict == FAIL)
        judge_on_platform(run);
    if (!records_hold(log, run)) /* what was got instead says nothing of the processor */
        run_found(run, ERROR, run->lines->line,
                  format_text("its packed records cannot be unpacked"));
}

static void judge_run(struct log *log, struct run *run, const struct judge_options *options)
{
    run->judged = true;
    if (run->damaged)
        run_found(run, ERROR, run->end_line,
                  format_text("lines of the run are lost or damaged"));
    else if (run->skipped)
        judge_skip(log, run, options);
    else
        judge_made_run(log, run, options);
}

/* Judges the runs of one processor, whose log this is. */
static void judge_runs(struct log *log, size_t number, const struct judge_options *options)
{
    struct progress progress;
    struct crossing crossing;
    uint64_t records = 0, done = 0;

    for (size_t i = 0; i < log->run_count; i++)
        records += log->runs[i].processor == number ? log->runs[i].records : 0;
    progress_begin(&progress, "judging", records);
    cross_begin(&crossing, log);
    for (size_t i = 0; i < log->run_count; i++) {
        struct run *run = &log->runs[i];

        if (run->processor != number)
            continue;
        if (run->end_line) /* the last one may be broken off */
            judge_run(log, run, options);
        cross_add(&crossing, run);
        records_free(run, i + 1 < log->run_count ? run + 1 : NULL);
        done += run->records;
        progress_at(&progress, done);
    }
    cross_end(&crossing);
    progress_end(&progress);
}

/* What the log says of a processor, or NULL if it is like an earlier one. */
static struct cpu_part *own_cpu(struct log *log, size_t number)
{
    if (number == 0)
        return &log->machine.cpu;
    return log->machine.processors[number].like == number
               ? &log->machine.processors[number].part
               : NULL;
}

static void find_platforms(struct log *log, const struct judge_options *options)
{
    for (size_t i = 0; i < processors_of(log); i++)
        if (own_cpu(log, i))
            find_platform(log, own_cpu(log, i), options);
}

/* Identical processors share the facility results of the first of their kind. */
static void judge_processor(struct log *log, size_t number,
                            const struct judge_options *options)
{
    const struct cpu_part *cpu = own_cpu(log, number);

    for (size_t i = 0; i < FACILITY_COUNT && cpu; i++)
        judge_facility(log, cpu, i);
    judge_runs(log, number, options);
}

void judge(struct log *log, const struct judge_options *options)
{
    find_platforms(log, options);
    for (size_t i = 0; i < processors_of(log); i++)
        judge_processor(log, i, options);
    for (size_t i = 0; i < processors_of(log); i++)
        for (enum facility f = 0; f < FACILITY_COUNT && own_cpu(log, i); f++)
            judge_facility_by_runs(log, own_cpu(log, i), f);
    judge_time(log, NULL);
    judge_smp(log);
    judge_all_tries(log);
    judge_cycles(log);
    judge_rejected(log, options);
}

enum verdict log_verdict(const struct log *log)
{
    enum verdict worst = log->findings.complaint_count ? FAIL : PASS;

    for (size_t i = 0; i < log->run_count; i++)
        if (log->runs[i].verdict != SKIP && log->runs[i].verdict > worst)
            worst = log->runs[i].verdict;
    return log->log_error ? ERROR : worst;
}

bool log_has_no_error(const struct log *log)
{
    char *where;

    if (!log->log_error)
        return true;
    where = where_text(log, log->error_line);
    fprintf(stderr, "everybranch: %s: %s\n", where, log->log_error);
    free(where);
    return false;
}

static const struct judge_options plain = { .no_skip = false };

bool log_usable(struct log *log, const char *name)
{
    log_read(log, name);
    if (!log_has_no_error(log))
        return false;
    judge(log, &plain);
    return log_has_no_error(log);
}

bool run_usable(struct log *log, const struct run *run)
{
    if (!run->judged) {
        find_platforms(log, &plain);
        judge_run(log, &log->runs[run - log->runs], &plain);
        judge_time(log, run);
    }
    return log_has_no_error(log);
}
