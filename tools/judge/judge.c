/*
 * Judges a log: each run (judge_*.c), and then what belongs to no run.
 */
#include "judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "beyond.h"
#include "count_of.h"
#include "cross.h"
#include "deviation.h"
#include "fused.h"
#include "heap.h"
#include "infos.h"
#include "hit.h"
#include "expected_trace.h"
#include "judge_parts.h"
#include "lateness.h"
#include "log_run.h"
#include "packets.h"
#include "progress.h"
#include "read.h"
#include "saturate.h"
#include "unconfirmed.h"
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
    const enum probe_result btf = cpu->facilities[FACILITY_BTF].outcome;
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
static const struct platform *host_of(const struct log *log, const struct cpu_part *cpu)
{
    const struct platform *found;
    char *name;

    if (!cpu->id.hypervisor[0] || !log->machine.system.board_product.length)
        return NULL;
    name = format_text("%.*s", SPAN(log->machine.system.board_product));
    found = platform_find(name, &cpu->id, cpu->row, false);
    free(name);
    return found;
}

/* Sets what a processor's runs are judged by, from the probe results on it. */
static void find_platform(const struct log *log, struct cpu_part *cpu,
                          const struct judge_options *options)
{
    const struct facility_line *lbr = &cpu->facilities[FACILITY_LBR];

    if (cpu->model.line) {
        cpu->platform = platform_of(log, cpu, options);
        cpu->host = host_of(log, cpu);
    }
    cpu->db_keeps_lbr = lbr->outcome == DEVIATES &&
                        lbr->deviations == DEVIATION(LEFT_LBR_ON) &&
                        facility_expected(cpu, FACILITY_LBR) == AS_EXPECTED;
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

static bool result_is_right(struct run *run)
{
    const struct workload *own = run->workload->own;

    if (!run->ran.result.is || run->ran.result.value == own->result)
        return true;
    run_broke(run, "run-result", run->end_line,
              format_text("the program returned 0x%llx, want 0x%llx",
                          (unsigned long long)run->ran.result.value,
                          (unsigned long long)own->result));
    return false;
}

/* It was made again for its time. */
static void judge_repeats(struct run *run)
{
    if (run->cost.made < run->cost.asked)
        run_broke(run, "run-ends", run->cost.line,
                  format_text("the same run again did not end: number %llu of %llu",
                              (unsigned long long)run->cost.made + 1,
                              (unsigned long long)run->cost.asked));
}

/* The rule of what a hit or an erratum did to the records, or NULL. */
static const struct rule *spoiled_by(const struct run *run)
{
    static const char *const errata[] = { "from-after-smi", "from-power" };
    const struct rule *rule = hit_found(run);

    for (size_t i = 0; !rule && i < COUNT_OF(errata); i++)
        rule = run_found_by(run, errata[i]) ? rule_named(errata[i]) : NULL;
    return rule;
}

/* True if one record leads into the kernel: an entry that was spoiled. */
static bool has_spoiled_entry(const struct rule_run *of, const struct log *log,
                              const struct run *run)
{
    struct recorded got;
    struct source *source = transfers_of(&got, log, run);
    struct transfer t;
    uint64_t count = 0;

    while (source->next(source, &t))
        count += hit_is_in_kernel(of, t.to);
    return count == 1;
}

/*
 * How many entries of the run's own interrupts the kernel did not find: each hit may hide
 * one behind a handler's record, and an erratum may spoil one.  In a stream the kernel
 * counts such an entry a second time, when it finds the IRETQ.
 */
static uint64_t entries_hidden(const struct log *log, const struct run *run)
{
    const struct rule_run hit = rule_run_of(log, run);
    const struct tries *tries = &run->ran.tries;
    const uint64_t at = tries->count ? tries->differed[tries->count - 1] : 0;
    const uint64_t lost = run->ran.lost;
    const uint64_t least = run->method->overlaps ? lost - lost / 2 : lost;
    const uint64_t lack = saturated_less(run->ran.returns, run->ran.entries.value);
    const uint64_t hidden = lack < least ? least : lack < lost ? lack : lost;

    return method_is_interrupted(run->method) && spoiled_by(run) &&
                   saturated_sum(hidden, run->ran.entries.value) <= run->ran.events &&
                   hidden <= (hit_found(run) ? hit_traps_max(&hit, at)
                                             : has_spoiled_entry(&hit, log, run))
               ? hidden
               : 0;
}

/* The IRETQs of its interrupts among the records, which a hit before them left there. */
static uint64_t iretqs_left(const struct log *log, const struct run *run)
{
    const struct rule_run hit = rule_run_of(log, run);
    struct recorded got;
    struct unhit rest;
    struct transfer ignored;

    if (!method_is_interrupted(run->method) || !hit_found(run))
        return 0;
    unhit_of(&rest, &hit, transfers_of(&got, log, run));
    while (rest.source.next(&rest.source, &ignored))
        continue;
    return rest.out_of_gates;
}

/* No manual says how late the last interrupt may come. */
static void judge_lost(struct run *run)
{
    if (unheard_explained(run))
        run_found(run, ALLOWED, "pmi-last", run->end_line,
                  format_text("the last interrupt did not come: it was %llu event%s late "
                              "when the window closed",
                              (unsigned long long)unheard_late(run),
                              plural(unheard_late(run))));
    else if (run->hidden)
        run_found(
            run, ALLOWED, spoiled_by(run)->name, run->end_line,
            format_text("lost=%llu: entries of interrupts among the records of handlers",
                        (unsigned long long)run->ran.lost));
    else if (run->ran.lost > interrupts_entries_lost(run))
        run_broke(run, "run-loss", run->end_line,
                  format_text("lost=%llu: records are lost (lost)",
                              (unsigned long long)run->ran.lost));
}

/*
 * Entries of branches on the wrong path take the places of records, which nothing shows.
 * The emulator announces in CPUID no property that makes them.
 */
static void judge_wrong_path(struct run *run)
{
    const struct rule_place place = rule_place_of(run);
    const uint64_t all = run->method->counter_driven
                             ? saturated_product(run->cpu->lbr_depth, run->gaps)
                             : run->capacity;
    const uint64_t most = place.emulated ? 0 : all / 2;

    if (run->ran.wrong_path > most)
        run_broke(run, "lbr-wrong-path", run->end_line,
                  format_text("branches on the wrong path took %llu of the %llu entries of "
                              "the LBR stack, want at most %llu (lost)",
                              (unsigned long long)run->ran.wrong_path,
                              (unsigned long long)all, (unsigned long long)most));
}

/* There is one pair of LER registers. */
static void judge_one(struct run *run)
{
    if (run->method->last_event && run->records > 1)
        run_broke(run, "ler-one", run->end_line,
                  format_text("the LER holds %llu records, want at most one (extra)",
                              (unsigned long long)run->records));
}

/* What is beside the records, and needs none of them to be right. */
static void judge_beside(const struct log *log, struct run *run)
{
    const bool other_build = is_other_build(run->workload);

    run->hidden = entries_hidden(log, run);
    run->hidden_iretqs = iretqs_left(log, run);
    if (run->method->pmi_drained)
        judge_interrupts(run);
    if (run->method->counter_driven && !other_build)
        judge_counter(log, run);
    judge_stacks(run);
    if (method_is_interrupted(run->method)) {
        judge_lateness(log, run);
        run_broke(run, "interrupt-sums", run->end_line, interrupts_too_many(run));
    }
    judge_repeats(run);
    judge_exceptions(run);
    if (!other_build)
        judge_inserts(log, run);
    judge_lost(run);
}

/* Compares the records, whatever shows them; true: none is wrong for certain. */
static bool records_are_right(const struct log *log, struct run *run,
                              struct disputed *disputed)
{
    if (run->method->packets && run->lines->wrong)
        return judge_misfit(log, run, disputed);
    if (run->gaps && !run->method->sampled_windows)
        return judge_gaps(log, run);
    if (run->method->sampled || run->method->sampled_windows)
        return true; /* which the counter's checks compare */
    return judge_records(log, run, "run-records", disputed);
}

/*
 * Judges a run that came to its end and whose lines can be.  Nothing else is asked of a
 * trace that the processor could not write, or stopped since its buffer was full.  Packets'
 * bits, types and steps are held against the way that the records show, so no record may be
 * wrong; one that a rule disputes is a difference of that record alone.
 */
static void judge_ended(const struct log *log, struct run *run)
{
    struct disputed disputed = { .count = 0 };
    bool right;

    if (run->method->packets && (judge_status(run) || judge_filled(log, run))) {
        judge_form(log, run);
        return;
    }
    right = records_are_right(log, run, &disputed);
    run->right = right && disputed.count == 0;
    right = result_is_right(run) && right;
    if (right && run->method->packets)
        judge_bits(log, run);
    if (run->method->packets)
        judge_form(log, run);
    if (right && run->info & (INFO_HAS(INFO_TYPE) | INFO_HAS(INFO_MISPREDICTED)))
        judge_types(log, run);
    if (right && run->info)
        judge_infos(log, run);
    if ((right || lacks_stops(run)) && run->method->every_insn)
        judge_steps(log, run, &disputed, right);
    judge_flags(log, run);
    judge_wrong_path(run);
    judge_one(run);
    judge_beside(log, run);
    judge_handlers(log, run);
    judge_fused(log, run);
    free(disputed.at);
}

/* Judges such a run of a program in C that another compiler made: other_build.c. */
static void judge_other_build(const struct log *log, struct run *run,
                              const struct judge_options *options)
{
    bool filled = run->method->packets && (judge_status(run) || packets_filled(run));

    if (!filled && run->method->packets && run->lines->wrong) {
        run_broke(run, "build-packets", run->lines->line, packets_misfit(run));
    } else if (!filled) {
        judge_way(log, run);
        judge_beside(log, run);
    }
    run_found(run, options->no_skip ? BROKEN : NOT_DONE, "build-same", run->line,
              format_text("another compiler made it, so no expected trace of it is "
                          "here"));
}

static void judge_made_run(struct log *log, struct run *run,
                           const struct judge_options *options)
{
    char *why = run_cannot_be(log, run);

    if (run->method->packets) /* the kernel does not know how many records they are */
        run->records = run_records(log, run).count;
    count_gaps(log, run);
    run->branches = count_branches(log, run);
    run->branches_run = run->method->sampled_windows ? run->ran.counted.value : 0;
    if (!records_hold(log, run)) { /* then they say nothing of the processor */
        free(why);
        run_broke(run, "log-packed", run->lines->line,
                  format_text("its packed records cannot be unpacked"));
    } else if (why) {
        run_broke(run, "log-run", run->line, why);
    } else if (run->ran.outcome != ENDED) {
        why = halted_on_platform(log, run);
        if (!run_found(run, ALLOWED, "step-hlt", run->end_line, why) &&
            !run_found(run, ALLOWED, "count-small-period", run->end_line,
                       stuck_by_period(log, run)))
            run_broke(run, "run-ends", run->end_line, how_it_ended(log, run));
    } else if ((why = ran_cannot_be(log, run))) {
        run_broke(run, "log-ran", run->end_line, why);
    } else {
        if (is_other_build(run->workload))
            judge_other_build(log, run, options);
        else
            judge_ended(log, run);
        judge_tries(run);
    }
}

static void judge_run(struct log *log, struct run *run, const struct judge_options *options)
{
    const size_t mark = scratch_mark();

    run->judged = true;
    if (run->damaged)
        run_broke(run, "log-whole", run->end_line,
                  format_text("lines of the run are lost or damaged"));
    else if (run->skipped)
        judge_skip(log, run, options);
    else
        judge_made_run(log, run, options);
    run_decide(run);
    scratch_release(mark);
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
    return log->machine.processors[number].said.like == number
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

/* A log that shows no right recorder is no pass. */
static void judge_passed(struct log *log, const struct judge_options *options)
{
    if (!options->no_skip || log->run_count == 0 || log_has_passed(log) ||
        log_verdict(log) >= FAIL)
        return;
    complain(log, (struct complaint){
                      .rule = "log-passes",
                      .method = "log",
                      .subject = "runs",
                      .line = log->runs[log->run_count - 1].end_line,
                      .claim = format_text("a run passes"),
                      .what = format_text("no run passed: each is measured or skipped") });
    complaints_decide(log);
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
    judge_all_losses(log);
    judge_all_rings(log);
    judge_all_properties(log);
    judge_all_rests(log);
    judge_all_copies(log);
    judge_all_small_periods(log);
    judge_all_late(log);
    judge_cycles(log);
    judge_rejected(log, options);
    complaints_decide(log);
    judge_passed(log, options);
}

bool log_has_no_error(const struct log *log)
{
    char *where;

    if (!log->log_error)
        return true;
    where = where_text(log, log->error_line);
    fprintf(stderr, "everybranch: %s: %s\n", where, log->log_error);
    if (log->advice)
        fprintf(stderr, "everybranch: %s\n", log->advice);
    free(where);
    return false;
}

bool log_is_whole(const struct log *log)
{
    const bool whole = log_has_no_error(log);

    if (!whole && log->run_count)
        fputs(
            "everybranch: this is refused for a log that is not whole; `everybranch check` "
            "and `everybranch report` say what it shows\n",
            stderr);
    if (whole && log->skipped)
        fprintf(stderr, "everybranch: %s: skipped: %s\n", log->name, log->skipped);
    return whole;
}

static const struct judge_options plain = { .no_skip = false };

bool log_usable(struct log *log, const char *name)
{
    log_read(log, name);
    if (!log_is_whole(log))
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
