/*
 * A run that was not made: whether the log itself has what its reason says.
 */
#include "judge_parts.h"

#include <stdlib.h>

#include "skip_reason.h"
#include "heap.h"

static bool facilities_work(const struct log *log, const struct run *run)
{
    for (enum facility i = 0; i < FACILITY_COUNT; i++)
        if (run_needs(run, i) && log->cpu.facilities[i].probe_result != WORKS)
            return false;
    return true;
}

/* The reason to skip this workload, whatever the hardware has; or NULL. */
static const char *skip_reason_of(const struct log *log, const struct run *run)
{
    const struct workload *own = run->workload->own;
    const char *skip_reason =
        skip_reason_for(run->method, log->cpu.row, own, run->workload->at,
                        log->cpu.platform ? log->cpu.platform->gets_wrong : 0);

    if (!skip_reason)
        skip_reason = skip_reason_depth(run->method, own, log->cpu.lbr_depth);
    return skip_reason ? skip_reason
                       : record_filter_skip_reason(run->method, log->cpu.row, &log->cpu.id,
                                                   run->filter);
}

static bool says(const struct run *run, const char *reason)
{
    return reason && span_is(run->reason, reason);
}

/* True if the log says that an earlier boot died of this run, and gives it as the reason.
 */
static bool died_of_it(const struct log *log, const struct run *run)
{
    const struct avoided *avoided = avoided_run(log, run);
    char *reason;
    bool same;

    if (!avoided)
        return false;
    reason = format_text(LOG_DIED_OF_IT "%.*s", SPAN(avoided->log));
    same = span_is(run->reason, reason);
    free(reason);
    return same;
}

/* A log that does not tell the APIC's mode, as older ones do not, is believed. */
static bool apic_is_not(const struct log *log, enum apic_mode mode)
{
    return !log->apic_line || log->apic != mode;
}

static bool apic_is_otherwise(const struct log *log, const struct run *run)
{
    uint32_t flags = run->workload->own->flags;

    if (flags & WORKLOAD_APIC && span_is(run->reason, LACKS_XAPIC))
        return apic_is_not(log, APIC_X);
    return flags & WORKLOAD_X2APIC && span_is(run->reason, LACKS_X2APIC) &&
           apic_is_not(log, APIC_X2);
}

static bool has_no_interrupts(const struct log *log, const struct run *run)
{
    return method_is_interrupted(run->method) && span_is(run->reason, LACKS_APIC) &&
           (!log->apic_line || log->apic == APIC_OFF);
}

/* Each APIC workload has a variant for either mode, and the emulator is in one mode. */
static bool is_of_other_mode(const struct log *log, const struct run *run)
{
    return log->apic_line && log->apic != APIC_OFF && apic_is_otherwise(log, run);
}

/*
 * An option can ask for NMI; where no other run by the method tells, the word is taken.
 * Each command asks for its own.
 */
static bool takes_our_nmi(const struct log *log, const struct run *run)
{
    const char *skip_reason = skip_reason_by_nmi(run->workload->own);

    if (!method_is_interrupted(run->method) || !skip_reason ||
        !span_is(run->reason, skip_reason))
        return false;
    for (size_t i = 0; i < log->run_count && !log->by_command; i++)
        if (log->runs[i].method == run->method && !log->runs[i].skipped)
            return log->runs[i].drained.nmi;
    return true;
}

/*
 * A buffer and a threshold that options ask for.  A run that was made tells them; if no run
 * with such a filter was made, the log is believed.
 */
static bool takes_its_buffer(const struct log *log, const struct run *run)
{
    bool right = says(run, skip_reason_buffer(0, 1, run->filter)) ||
                 says(run, skip_reason_buffer(1, 1, run->filter));

    for (size_t i = 0; right && i < log->run_count; i++)
        right = log->runs[i].method != run->method || log->runs[i].skipped ||
                record_filter_shows(log->runs[i].filter, 0) !=
                    record_filter_shows(run->filter, 0);
    return right && run->method->drained;
}

/* After a processor is lost nothing more runs; the loss itself is reported separately. */
static bool one_is_lost(const struct log *log, const struct run *run)
{
    return log->lost_line && log->lost_line < run->line &&
           span_is(run->reason, LOG_LOST_ONE);
}

/* A stack with no room for it. */
static bool too_small(const struct log *log, const struct run *run)
{
    return log->cpu.lbr_depth < run->method->least_depth;
}

/* By the model's row alone, whatever was found by trying. */
static bool row_has(const struct log *log, const struct run *run)
{
    const struct model *row = log->cpu.row;

    if (!row) /* on the emulator every processor is known */
        return true;
    return (!run_needs(run, FACILITY_BTF) ||
            (row->debugctl.btf && !row->btf_unconfirmed)) &&
           (!run_needs(run, FACILITY_LBR) || log->cpu.lbr_depth > 0) &&
           (!run_needs(run, FACILITY_BTS) || row->bts || log->cpu.id.ds) &&
           (!run_needs(run, FACILITY_TR) || row->debugctl.tr) &&
           (!run_needs(run, FACILITY_LER) || row->ler_from) &&
           (!run_needs(run, FACILITY_BRS) || (row->brs.depth && log->cpu.id.amd_brs)) &&
           (!run_needs(run, FACILITY_PMI) || !pmu_lacks_all(&log->cpu.id)) &&
           !too_small(log, run);
}

/* All runs of a boot by one method count the same event; each command has its own. */
static bool made_elsewhere(const struct log *log, const struct run *run)
{
    for (size_t i = 0; i < log->run_count && !log->by_command; i++)
        if (log->runs[i].method == run->method && !log->runs[i].skipped &&
            log->runs[i].processor == run->processor)
            return true;
    return false;
}

/*
 * The reason names an event that this processor lacks.  If no run was made, the log does
 * not say which event was asked for, so any that it lacks is accepted, except for a method
 * that has an event of its own.
 */
static bool lacks_event(const struct log *log, const struct run *run)
{
    const struct pmu *pmu = pmu_find(&log->cpu.id);
    bool chosen = run->method->sampled;

    if (!pmu || !run->method->counted || made_elsewhere(log, run))
        return false;
    if (!chosen)
        return says(run, pmu_lacks(&log->cpu.id, pmu_with_far(pmu)));
    for (enum event_name i = 0; i < EVENT_NAMES; i++)
        if (says(run, pmu_lacks(&log->cpu.id, i)))
            return true;
    for (size_t bit = 0; bit < PREDEFINED; bit++)
        if (says(run, pmu_denies(&log->cpu.id, bit)))
            return true;
    return says(run, pmu_lacks_number(&log->cpu.id, EVENT_MAX, 0));
}

/* True if the reason is the log's own word for a facility that is missing. */
static bool names_facility(const struct log *log, const struct run *run)
{
    for (enum facility i = 0; i < FACILITY_COUNT; i++) {
        const struct facility_found *found = &log->cpu.facilities[i];
        char *reason =
            format_text("%s %s: %.*s", facility_names[i],
                        probe_result_name(found->probe_result), SPAN(found->evidence));
        bool same = span_is(run->reason, reason);

        free(reason);
        if (same && run_needs(run, i) && !found_to_act(log, i))
            return true;
    }
    return false;
}

/* Reasons that count even where nothing that the model has may be skipped. */
static bool is_excused_always(const struct log *log, const struct run *run)
{
    return takes_our_nmi(log, run) || takes_its_buffer(log, run) || one_is_lost(log, run) ||
           lacks_event(log, run);
}

/* True if a reason that does not concern a facility is correct. */
static bool is_excused(const struct log *log, const struct run *run,
                       const char *skip_reason)
{
    return says(run, skip_reason) || died_of_it(log, run) || has_no_interrupts(log, run) ||
           apic_is_otherwise(log, run) || is_excused_always(log, run) ||
           (too_small(log, run) && span_is(run->reason, LACKS_STACK));
}

void judge_skip(const struct log *log, struct run *run, const struct judge_options *options)
{
    const char *skip_reason = skip_reason_of(log, run);
    const bool excused = is_excused(log, run, skip_reason);

    if (span_is(run->reason, LACKS_FILTER) && run->filter && !skip_reason)
        run_found(run, FAIL, run->line, format_text("%s", LACKS_FILTER));
    else if (facilities_work(log, run) && !excused)
        run_found(run, ERROR, run->line,
                  format_text("skipped (%.*s), although %s", SPAN(run->reason),
                              skip_reason ? skip_reason : "what it needs works"));
    else if (!excused && !names_facility(log, run))
        run_found(run, ERROR, run->line,
                  format_text("skipped (%.*s), which is not what was found of any facility "
                              "that it needs",
                              SPAN(run->reason)));
    else if (!skip_reason && options->no_skip && row_has(log, run) &&
             !is_of_other_mode(log, run) && !is_excused_always(log, run))
        run_found(run, FAIL, run->line,
                  format_text("skipped (%.*s), although %s", SPAN(run->reason),
                              log->cpu.row
                                  ? "this model has what it needs"
                                  : "every processor of the emulator should have its row"));
    else
        run_found(run, SKIP, run->line, format_text("%.*s", SPAN(run->reason)));
}
