/*
 * tr: DEBUGCTL.TR alone, which sends a message on the bus for every branch.
 *
 * With TR set and BTS clear the messages are for a logic analyser on the front side bus;
 * nothing is stored (SDM vol. 3B, "Branch Trace Messages").  That they cost time is all
 * that software sees of them.  That nothing is stored is looked for: the processor is
 * shown a DS area with a buffer, all of it filled with a canary, as BTS would want it,
 * and whatever is there afterwards that was not before counts as a record.
 */
#include "method_facts.h"

METHOD_FACTS(tr) = {
    .name = "tr",
    .about = "DEBUGCTL.TR alone: messages on the bus, and nothing stored",
    .needs = NEEDS(FACILITY_TR),
    .silent = true,
};

#ifdef KERNEL

#include "ds.h"

#include "msr.h"
#include "registers.h"

#define ROOM   64                    /* records: what were stored would go round */
#define CANARY 0x5452206f6e6c7921ull /* no address: not canonical                */

static uint64_t debugctl_before;

static size_t slots(const struct buffers *buffers)
{
    return buffers->bts_capacity < ROOM ? buffers->bts_capacity : ROOM;
}

static void show_canary(const struct buffers *buffers)
{
    struct bts_record *slot = ds_slots(buffers);
    size_t count = slots(buffers);

    for (size_t i = 0; i <= count; i++)
        slot[i] = (struct bts_record){ CANARY, CANARY, CANARY };
    ds_begin(buffers, count, 0, count + 1);
}

/* Where CPUID has no DS, there is no register that could show the processor an area. */
static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    msr_read(MSR_DEBUGCTL, &debugctl_before);
    if (cpu->id.ds)
        show_canary(buffers);
    return (struct enable){ .msr = MSR_DEBUGCTL, .on = cpu->model->debugctl.tr };
}

static bool touched(const struct bts_record *slot)
{
    return slot->from != CANARY || slot->to != CANARY || slot->flags != CANARY;
}

static struct trace drain(const struct cpu *cpu, const struct buffers *buffers)
{
    const struct bts_record *slot = ds_slots(buffers);
    struct trace trace = { .count = 0 };

    if (!cpu->id.ds)
        return trace;
    for (size_t i = 0; i <= slots(buffers); i++)
        if (touched(&slot[i]))
            trace.count += ds_copy(buffers->records + trace.count, &slot[i], 1);
    trace.ran.lost = !ds_is_as_begun(buffers);
    return trace;
}

static void disarm(const struct cpu *cpu)
{
    if (cpu->id.ds)
        ds_end();
    msr_write(MSR_DEBUGCTL, debugctl_before);
}

METHOD(tr) = {
    .facts = &facts_tr,
    .arm = arm,
    .drain = drain,
    .disarm = disarm,
};

#endif
