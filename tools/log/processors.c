/*
 * A log of several processors, as the log of one of them.
 */
#include "processors.h"

#include <string.h>

size_t processors_of(const struct log *log)
{
    return log->processor_count ? log->processor_count : 1;
}

size_t processor_kind(const struct log *log, const struct run *run)
{
    return run->processor < log->processor_count ? log->processors[run->processor].like : 0;
}

const struct cpu_part *cpu_of(const struct log *log, size_t processor)
{
    size_t like = processor < log->processor_count ? log->processors[processor].like : 0;

    return like ? &log->processors[like].part : &log->cpu;
}

static void as_other(struct log *of, const struct processor *processor)
{
    of->cpu = processor->part;
    of->left = processor->left;
    of->left_line = processor->left.debugctl.length ? processor->line : 0;
}

struct log log_of_processor(const struct log *log, size_t processor)
{
    struct log of = *log;

    if (processor < log->processor_count)
        of.kind = log->processors[processor].like;
    if (of.kind)
        as_other(&of, &log->processors[of.kind]);
    return of;
}

void log_take_back(struct log *log, const struct log *of)
{
    log->complaints = of->complaints;
    log->complaint_count = of->complaint_count;
    log->complaint_capacity = of->complaint_capacity;
    log->pairs_compared = of->pairs_compared;
    log->pairs_disagree = of->pairs_disagree;
    log->log_error = of->log_error;
    log->error_line = of->error_line;
}

/* A processor that did not come back had its recorder armed as well. */
size_t runs_made_in_round(const struct log *log, size_t first)
{
    size_t made = 0;

    for (size_t i = first; i < log->run_count && log->runs[i].turn == log->runs[first].turn;
         i++)
        made += !log->runs[i].skipped && log->runs[i].end_line;
    return made;
}
