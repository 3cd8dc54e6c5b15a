/*
 * A run that was not made: is its reason borne out by the rest of the log, and by the rules
 * that kernel and host share?
 */
#include "judge_parts.h"

#include <stdlib.h>

#include "heap.h"
#include "skip_reason.h"

/* The reason to skip this run by the rules, whatever the hardware has. */
static enum skip_code by_rule(const struct run *run)
{
    const struct workload *own = run->workload->own;
    enum skip_code code =
        skip_reason_for(run->method, run->cpu->row, own, run->workload->at,
                        run->cpu->platform ? run->cpu->platform->gets_wrong : 0);

    if (!code)
        code = skip_reason_depth(run->method, own, run->cpu->lbr_depth);
    return code ? code
                : record_filter_skip_reason(run->method, run->cpu->row, &run->cpu->id,
                                            run->filter);
}

/* True if the run needs the facility that the reason names, and that does not act. */
static bool lacks_facility(const struct run *run)
{
    for (enum facility i = 0; i < FACILITY_COUNT; i++)
        if (span_is(run->skip_of, facility_names[i]))
            return run_needs(run, i) && !found_to_act(run->cpu, i);
    return false;
}

static bool died_of_it(const struct log *log, const struct run *run)
{
    const struct avoid_line *avoided = avoided_run(log, run);

    return avoided && span_same(avoided->log, run->skip_of);
}

/* A log without a line `apic` is believed. */
static bool apic_is_not(const struct log *log, enum apic_mode mode)
{
    return !log->machine.apic.line || log->machine.apic.mode != mode;
}

static bool is_too_small(const struct run *run)
{
    return run->cpu->lbr_depth < run->method->least_depth;
}

/*
 * A run by the same method that was made, on a processor of this kind, or NULL.  All runs
 * of a boot have the same options; each command of a monitor has its own.
 */
static const struct run *made_by_method(const struct log *log, const struct run *run)
{
    for (size_t i = 0; i < log->run_count && !log->by_command; i++)
        if (log->runs[i].method == run->method && !log->runs[i].skipped &&
            log->runs[i].cpu == run->cpu)
            return &log->runs[i];
    return NULL;
}

/* A run with the same recording of ring 0 had the same buffer, and was made. */
static bool made_with_buffer(const struct log *log, const struct run *run)
{
    for (size_t i = 0; i < log->run_count && !log->by_command; i++)
        if (log->runs[i].method == run->method && !log->runs[i].skipped &&
            record_filter_shows(log->runs[i].filter, 0) ==
                record_filter_shows(run->filter, 0))
            return true;
    return false;
}

/* True if this processor lacks the event that the reason names. */
static bool lacks_event(const struct run *run)
{
    const struct cpu_id *id = &run->cpu->id;

    if (run->skip == SKIP_EVENT_NUMBER)
        return pmu_lacks_number(id, EVENT_MAX, 0).code == SKIP_EVENT_NUMBER;
    for (enum event_name i = 0; i < EVENT_NAMES && run->skip == SKIP_NO_EVENT; i++)
        if (span_is(run->skip_of, event_names[i]))
            return pmu_lacks(id, i).code == SKIP_NO_EVENT;
    for (size_t bit = 0; bit < PREDEFINED; bit++) {
        const char *denied = pmu_denied(id, bit);

        if (denied && span_is(run->skip_of, denied))
            return true;
    }
    return false;
}

/* Where options or a command can be the cause, the log does not say what they were. */
static bool is_borne_out(const struct log *log, const struct run *run)
{
    const uint32_t flags = run->workload->own->flags;
    const struct run *made = made_by_method(log, run);

    switch (run->skip) {
    case SKIP_LACKS:
        return lacks_facility(run);
    case SKIP_DIED:
        return died_of_it(log, run);
    case SKIP_LOST:
        return log->machine.lost_line && log->machine.lost_line < run->line;
    case SKIP_NO_APIC:
        return method_is_interrupted(run->method) &&
               (!log->machine.apic.line || log->machine.apic.mode == APIC_OFF);
    case SKIP_NO_XAPIC:
        return flags & WORKLOAD_APIC && apic_is_not(log, APIC_X);
    case SKIP_NO_X2APIC:
        return flags & WORKLOAD_X2APIC && apic_is_not(log, APIC_X2);
    case SKIP_SMALL_STACK:
        return is_too_small(run);
    case SKIP_TAKES_NMI:
        return method_is_interrupted(run->method) &&
               skip_reason_by_nmi(run->workload->own) == SKIP_TAKES_NMI &&
               (run->method->by_nmi || !made || made->asked.nmi);
    case SKIP_THRESHOLD:
    case SKIP_LIVELOCK:
        return run->method->pmi_drained && !made_with_buffer(log, run);
    case SKIP_EVENT_NUMBER: /* the other methods have an event of their own, by name */
        return run->method->sampled && !made && lacks_event(run);
    case SKIP_NO_EVENT:
    case SKIP_EVENT_DENIED:
        return run->method->counter_driven && !made && lacks_event(run);
    case SKIP_FILTER_DROPPED:
        return run->filter;
    default:
        return run->skip == by_rule(run);
    }
}

/* True if the model has what the method needs, whatever was found by trying. */
static bool row_has(const struct run *run)
{
    const struct model *row = run->cpu->row;

    if (!row) /* on the emulator every processor is known */
        return true;
    return (!run_needs(run, FACILITY_BTF) ||
            (row->debugctl.btf && !row->btf_unconfirmed)) &&
           (!run_needs(run, FACILITY_LBR) || run->cpu->lbr_depth > 0) &&
           (!run_needs(run, FACILITY_BTS) || row->bts || run->cpu->id.ds) &&
           (!run_needs(run, FACILITY_TR) || row->debugctl.tr) &&
           (!run_needs(run, FACILITY_LER) || row->ler_from) &&
           (!run_needs(run, FACILITY_BRS) || (row->brs.depth && run->cpu->id.amd_brs)) &&
           (!run_needs(run, FACILITY_PT) || run->cpu->id.pt) &&
           (!run_needs(run, FACILITY_PMI) || !pmu_lacks_all(&run->cpu->id)) &&
           !is_too_small(run);
}

/* The kernel's own buffer, threshold and event never lead to these. */
static bool is_of_option(enum skip_code code)
{
    return code == SKIP_THRESHOLD || code == SKIP_LIVELOCK || code == SKIP_EVENT_NUMBER;
}

/*
 * On the emulator all that the model has must work.  Its APIC is on, in one of the two
 * modes for which there are workloads.
 */
static bool must_have_run(const struct log *log, const struct run *run)
{
    const bool lacks_mode = run->skip == SKIP_NO_XAPIC || run->skip == SKIP_NO_X2APIC;

    return (run->skip == SKIP_LACKS || run->skip == SKIP_DIED ||
            run->skip == SKIP_NO_APIC || is_of_option(run->skip) ||
            (lacks_mode && log->machine.apic.mode == APIC_OFF)) &&
           row_has(run) && !by_rule(run);
}

void judge_skip(const struct log *log, struct run *run, const struct judge_options *options)
{
    char *why = skip_sentence(run);

    if (!is_borne_out(log, run))
        run_broke(run, "log-skip", run->line,
                  format_text("skipped (%s), but nothing else in the log says so", why));
    else if (run->skip != SKIP_FILTER_DROPPED && options->no_skip &&
             must_have_run(log, run))
        run_broke(
            run, "run-made", run->line,
            format_text("skipped (%s), although %s", why,
                        run->cpu->row
                            ? "this model has what it needs"
                            : "every processor of the emulator has a row of its own"));
    if (run->skip == SKIP_FILTER_DROPPED)
        run_broke(run, "run-filter", run->line, why);
    else
        run_found(run, NOT_DONE, "run-made", run->line, why);
}
