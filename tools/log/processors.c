/* processors.h */
#include "processors.h"

size_t processors_of(const struct log *log)
{
    return log->machine.processor_count ? log->machine.processor_count : 1;
}

const struct cpu_part *cpu_of(const struct log *log, size_t processor)
{
    const struct machine *machine = &log->machine;
    size_t like =
        processor < machine->processor_count ? machine->processors[processor].like : 0;

    return like ? &machine->processors[like].part : &machine->cpu;
}

const char *row_name(const struct cpu_part *cpu)
{
    return cpu->row ? cpu->row->name : "unknown";
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
