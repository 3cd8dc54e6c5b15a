/*
 * none: the window with nothing turned on.
 *
 * The untraced run, beside which the table of costs puts the others (`everybranch cost`).
 * Nothing is looked at and there is nothing to drain.
 */
#include "method.h"

static const char *lacks(const struct cpu *cpu, const struct facilities *found)
{
    (void)cpu, (void)found;
    return NULL;
}

static size_t capacity(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu, (void)buffers;
    return 0;
}

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu, (void)buffers;
    return (struct enable){ .msr = 0 };
}

static struct trace drain(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu, (void)buffers;
    return (struct trace){ .count = 0 };
}

static void disarm(const struct cpu *cpu)
{
    (void)cpu;
}

const struct method method_none = {
    "none", lacks, capacity, arm, drain, disarm, NULL, NULL
};
