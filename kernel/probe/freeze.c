/* Freezing of records and counters by the performance-monitoring interrupt. */
#include "freeze.h"

#include "platform.h"
#include "try.h"

static const char *lacks(const struct cpu *cpu)
{
    if (!cpu->model || !cpu->lbr_depth || !platform_freezes(&cpu->id))
        return "no processor of this kind freezes";
    return try_lacks_counter(cpu);
}

static bool is_frozen(const struct frozen *frozen)
{
    return frozen->stack && frozen->stack_by && frozen->counters;
}

/*
 * The interrupt of BTS should do as that of a counter does (SDM vol. 3B, "Freezing LBR and
 * Performance Counters on PMI"); on some processors setting the bits clears TR, and none
 * comes.
 */
static void say_freezes(struct trial *t)
{
    const struct cpu *cpu = t->cpu;
    const struct probed *bts = &t->buffers->found->bts;
    try_says(t, WORKS,
             freeze_is_documented(cpu) ? "the interrupt froze LBR, as GLOBAL_STATUS says"
                                       : "the interrupt cleared LBR and GLOBAL_CTRL");
    if (!bts->name || !facility_acts(bts) || cpu->model->tr_excludes_lbr)
        return;
    struct frozen by_bts = freeze_try_bts(cpu, t->buffers);
    if (by_bts.came && !is_frozen(&by_bts))
        t->probed->probe_result = DEVIATES;
    try_adds(t, !by_bts.came         ? "; of BTS none came"
                : is_frozen(&by_bts) ? "; that of BTS too"
                                     : "; that of BTS did not");
}

static void attempt(struct trial *t)
{
    struct frozen frozen = freeze_try(t->cpu, t->buffers);
    if (!frozen.accepted)
        try_says(t, FAULTS, "#GP on FREEZE_LBRS_ON_PMI and FREEZE_PERFMON_ON_PMI");
    else if (!frozen.came)
        try_says(t, DEAD, "no interrupt came of the counter");
    else if (!frozen.stack && !frozen.stack_by && !frozen.counters)
        try_says(t, DEAD, "accepted, but the interrupt froze nothing");
    else if (!frozen.stack || !frozen.stack_by)
        try_says(t, DEVIATES,
                 frozen.stack ? "LBR is frozen, but nothing says so"
                              : "the interrupt's entry was recorded");
    else if (frozen.counters_documented && !frozen.counters)
        try_says(t, DEVIATES, "the counters go on");
    else
        say_freezes(t);
}

const struct probe probe_freeze = { lacks, attempt };
