/*
 * The period of a counter: how many events come between two interrupts.
 */
#include "judge_parts.h"

size_t piece_size(const struct cpu_part *cpu)
{
    return cpu->row ? cpu->row->brs.depth : 0;
}

/* Events from one interrupt to the next: branch sampling holds it back for a piece. */
uint64_t interrupt_each(const struct run *run)
{
    return run->drained.period + (run->method->sampled_windows ? piece_size(run->cpu) : 0);
}
