/* AMD branch sampling: the branches after the one with which a counter begins. */
#include "msr.h"
#include "registers.h"
#include "try.h"

static const char *lacks(const struct cpu *cpu)
{
    if (!cpu->model)
        return "unknown model: registers not known";
    if (!cpu->model->brs.depth || !cpu->id.amd_brs)
        return "CPUID announces none, or the model has none";
    return try_lacks_counter(cpu);
}

/* The method's window turns a counter on; this tries the register of branch sampling. */
static bool turns_on(struct trial *t)
{
    uint32_t ctl = t->cpu->model->brs.ctl;
    uint64_t before = 0;
    if (!msr_read(ctl, &before) ||
        !msr_write(ctl, BRS_ALWAYS | t->cpu->model->brs.ctl_enable))
        return false;
    msr_read(ctl, &t->kept);
    msr_write(ctl, before);
    return true;
}

static void attempt(struct trial *t)
{
    if (!turns_on(t)) {
        try_says(t, FAULTS, "#GP on turning it on");
        return;
    }
    size_t got = try_method(t, &method_brs);
    if (!got)
        try_says_dead(t, "nothing was recorded");
    else if (got > TRY_BRANCHES || !try_got_newest(t, got, got))
        try_says_count(t, DEVIATES, got, TRY_BRANCHES,
                       " records: not the branches that ran");
    else
        try_says_count(t, WORKS, got, TRY_BRANCHES,
                       got + 1 == TRY_BRANCHES
                           ? " branches recorded: the counter begins a piece after one"
                           : " branches recorded");
}

const struct probe probe_brs = { lacks, attempt };
