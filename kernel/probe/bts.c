/* The Branch Trace Store, by MSR, and how late its interrupts come. */
#include "apic.h"
#include "msr.h"
#include "registers.h"
#include "try.h"

static const char *lacks(const struct cpu *cpu)
{
    if (!cpu->model)
        return "unknown model: bits not known";
    if (!cpu->model->bts)
        return "the model has none";
    /* CPUID first: emulators report BTS as available in MISC_ENABLE and have no DS. */
    if (!cpu->id.ds)
        return "CPUID.1:EDX.DS is 0";
    if (cpu->has_misc_enable && (cpu->misc_enable & MISC_ENABLE_NO_BTS))
        return "MISC_ENABLE.BTS_UNAVAILABLE is 1";
    return NULL;
}

static bool holds_ds_area(struct trial *t)
{
    uint64_t before;
    if (!msr_read(MSR_DS_AREA, &before)) {
        try_says(t, FAULTS, "#GP on reading DS_AREA");
        return false;
    }
    bool held = msr_set(MSR_DS_AREA, (uint64_t)t->buffers->ds_area);
    msr_write(MSR_DS_AREA, before);
    if (!held)
        try_says(t, DEAD, "DS_AREA does not hold what is written");
    return held;
}

static void attempt(struct trial *t)
{
    size_t capacity = t->buffers->bts_capacity;
    size_t want = TRY_BRANCHES < capacity ? TRY_BRANCHES : capacity;
    if (!holds_ds_area(t))
        return;
    if (!try_turns_on(t, &method_bts, "#GP on DEBUGCTL.TR and BTS"))
        return;
    size_t got = try_method(t, &method_bts);
    if (!got)
        try_says_dead(t, "nothing was stored");
    else if (try_got_newest(t, got, want))
        try_says_count(t, WORKS, got, want, " records");
    else
        try_says_count(t, DEVIATES, got, want, " records: not the branches that ran");
    if (got && apic_is_on())
        try_long_run(t, &method_bts_pmi);
}

const struct probe probe_bts = { lacks, attempt };
