/*
 * Compares the counter of LBR inserts with the records of the stack.
 *
 * A stack shows its newest records and nothing of those that were pushed out.  The counter
 * counts them all.  It is turned on after recording and off before it, and between these
 * WRMSRs the window has no branch except its call and the return to it (window.asm).  Both
 * are records of the trace, so the window adds nothing to the count.
 */
#include "judge_parts.h"

#include <stdlib.h>

#include "unconfirmed.h"
#include "heap.h"
#include "hit.h"
#include "expected_trace.h"
#include "visible.h"

static bool is_call_stack(const struct run *run)
{
    return run->filter & LEAVES_OUT(FILTER_CALLSTACK);
}

/* Returns how many records an unlimited stack would hold. */
static uint64_t recorded(const struct log *log, const struct run *run)
{
    struct expected_trace expected;
    struct visible visible;
    struct transfer ignored;
    uint64_t count = 0;

    visible_through(&visible, expected_trace_of(&expected, log, run->workload), run->method,
                    0, run_record_filter(run));
    while (visible.source.next(&visible.source, &ignored))
        count++;
    return count;
}

/* Near calls: a return takes a record away, and inserts none. */
static uint64_t calls_of(const struct log *log, const struct run *run)
{
    struct expected_trace expected;
    struct source *trace = expected_trace_of(&expected, log, run->workload);
    struct transfer t;
    uint64_t count = 0;

    while (trace->next(trace, &t))
        count += t.kind == KIND_CALL || t.kind == KIND_ICALL;
    return count;
}

/*
 * A kernel that logs leaf 23H always logs these, and `here` never does; no other counts
 * them without the event.
 */
static const char *cannot_be(const struct run *run)
{
    const struct cpu_part *cpu = run->cpu;
    const bool counts = run->method->ring_lbr && pmu_inserts(&cpu->id);

    if (run->ran.inserts.is && !counts)
        return "got inserts=, want it only of lbr where the processor has the event LBR "
               "inserts";
    if (!run->ran.inserts.is && counts && !cpu->under_linux &&
        cpuid_find(cpu->leaves, cpu->leaf_count, LEAF_PERFMON_EXT, 0))
        return "no inserts=, although leaf 0x23 has LBR inserts";
    return NULL;
}

/*
 * A stack may end with a copy of its newest record.  The counter may count the copy: then
 * it was inserted, and did not replace a record.
 */
static bool copy_counts(const struct run *run, uint64_t want)
{
    return run_found_by(run, "lbr-doubled") && run->ran.inserts.value >= want &&
           run->ran.inserts.value <= want + 1 && run->ran.inserts.value + 1 >= run->records;
}

const char *copy_inserted(const struct log *log, const struct run *run)
{
    if (run->ran.inserts.is != LOG_THERE)
        return "";
    return scratch_text("; the counter counted %llu LBR inserts, so the copy was %s",
                        (unsigned long long)run->ran.inserts.value,
                        run->ran.inserts.value > recorded(log, run) ? "inserted"
                                                                    : "not inserted");
}

/* Handlers of what hit the run may have added records to the stack. */
static bool found_of_handlers(const struct log *log, struct run *run, uint64_t want)
{
    const struct rule_run hit = rule_run_of(log, run);
    const uint64_t inserts = run->ran.inserts.value;

    return inserts > want && inserts - want <= hit_events_max(&hit) &&
           run_found(run, ALLOWED, hit_rule(&hit, 0)->name, run->end_line,
                     format_text("the counter counted %llu LBR inserts, %llu of them in "
                                 "handlers",
                                 (unsigned long long)inserts,
                                 (unsigned long long)(inserts - want)));
}

/* No source says whether the counter is already on at the first branch, or still on at the
 * last, so one insert may be missing. */
void judge_inserts(const struct log *log, struct run *run)
{
    const unsigned long long inserts = run->ran.inserts.value, records = run->records;
    const uint64_t entries = run->records + run->capacity - run_capacity(run);
    uint64_t want;

    if (cannot_be(run)) {
        run_broke(run, "log-ran", run->end_line, format_text("%s", cannot_be(run)));
        return;
    }
    if (run->ran.inserts.is == LOG_ABSENT && rule_is_of_run("inserts-counter", run))
        run_broke(run, "inserts-counter", run->end_line,
                  format_text("inserts=absent: no counter takes the event LBR inserts, "
                              "which the processor has"));
    if (run->ran.inserts.is != LOG_THERE)
        return;
    want = is_call_stack(run) ? calls_of(log, run) : recorded(log, run);
    if (copy_counts(run, want))
        return;
    if (run->ran.inserts.value + run_found_by(run, "lbr-doubled") < run->records)
        run_broke(
            run, "inserts-records", run->end_line,
            format_text("the counter counted %llu LBR inserts, want at least the %llu "
                        "records of the stack (lost)",
                        inserts, records));
    else if (is_call_stack(run))
        run_broke(run, "inserts-alone", run->end_line,
                  inserts <= want ? NULL
                                  : format_text("the counter counted %llu LBR inserts, but "
                                                "the workload has %llu calls (extra)",
                                                inserts, (unsigned long long)want));
    else if (entries < run->capacity && entries < run->ran.inserts.value)
        run_broke(
            run, "inserts-alone", run->end_line,
            format_text("the stack of %llu holds %llu records, but the counter counted "
                        "%llu LBR inserts (lost)",
                        (unsigned long long)run->capacity, records, inserts));
    else if (run->ran.inserts.value != want && !found_of_handlers(log, run, want))
        run_broke(
            run, inserts < want && want - inserts > 1 ? "inserts-records" : "inserts-alone",
            run->end_line,
            format_text("the counter counted %llu LBR inserts, want %llu, as many as the "
                        "workload makes (%s)",
                        inserts, (unsigned long long)want,
                        run->ran.inserts.value < want ? "lost" : "extra"));
}
