/*
 * Judges a log of several processors: all must start, come back, and run at once.
 */
#include "judge_parts.h"

#include "heap.h"
#include "log_run.h"

static bool was_made(const struct run *run)
{
    return !run->skipped && run->end_line && run->ran.outcome != GONE;
}

static bool someone_gone(const struct log *log, size_t first)
{
    for (size_t i = first;
         i < log->run_count && log->runs[i].round_line == log->runs[first].round_line; i++)
        if (log->runs[i].ran.outcome == GONE)
            return true;
    return false;
}

/* The recorders of a round must all have been armed while each one's window was open. */
static void judge_round(struct log *log, size_t first)
{
    size_t made = runs_made_in_round(log, first);

    for (size_t i = first;
         i < log->run_count && log->runs[i].round_line == log->runs[first].round_line;
         i++) {
        const struct run *run = &log->runs[i];

        if (!was_made(run) || run->ran.armed.value == made || someone_gone(log, first))
            continue;
        complain_of_runs(
            log, run, "processors-together",
            format_text("all processors of round %zu run at once", run->round_line),
            format_text(
                "round %zu: %llu recorders were armed while processor %zu ran, want "
                "all %zu of the round",
                run->round_line, (unsigned long long)run->ran.armed.value, run->processor,
                made));
        return;
    }
}

static void judge_lost(struct log *log, size_t number)
{
    const struct processor *processor = &log->machine.processors[number];

    if (processor->lost.line)
        complain(log,
                 (struct complaint){
                     .rule = "processors-return",
                     .method = "processors",
                     .subject = "machine",
                     .line = processor->lost.line,
                     .claim = format_text("processor %zu comes back", number),
                     .what = format_text("processor %zu (APIC 0x%llx) is lost: %.*s",
                                         number, (unsigned long long)processor->said.apic,
                                         SPAN(processor->lost.why)) });
}

void judge_smp(struct log *log)
{
    if (log->machine.several.started < log->machine.several.wanted)
        complain(log, (struct complaint){
                          .rule = "processors-start",
                          .method = "processors",
                          .subject = "machine",
                          .line = log->machine.several.line,
                          .claim = format_text("all selected processors start"),
                          .what = format_text(
                              "%llu processors started, want %llu",
                              (unsigned long long)log->machine.several.started,
                              (unsigned long long)log->machine.several.wanted) });
    for (size_t i = 0; i < log->machine.processor_count; i++)
        judge_lost(log, i);
    for (size_t i = 0; i < log->run_count; i += processors_of(log))
        if (log->runs[i].round_line)
            judge_round(log, i);
}
