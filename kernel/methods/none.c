/*
 * none: the window with nothing turned on.
 *
 * The untraced run, beside which the table of costs puts the others (`everybranch cost`).
 * Nothing is looked at and there is nothing to drain.
 */
#include "method_facts.h"

METHOD_FACTS(none) = {
    .name = "none",
    .about = "no tracing: the cost of the others is measured against this",
    .silent = true,
};

#ifdef KERNEL

#include "method.h"

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

METHOD(none) = {
    .facts = &facts_none,
    .arm = arm,
    .drain = drain,
    .disarm = disarm,
};

#endif
