/* Last-branch records: each branch, until #DB turns recording off. */
#include "lbr_stack.h"
#include "registers.h"
#include "try.h"
#include "x86.h"

static const char *lacks(const struct cpu *cpu)
{
    if (!cpu->model)
        return "unknown model: registers not known";
    return cpu->lbr_depth ? NULL : "none is known of this model";
}

/* True if the newest record may be a copy of the one before it (common/rules/lbr.c). */
static bool ends_in_copy(const struct trial *t, size_t got)
{
    const struct branch *newest = &t->buffers->records[got - 1];
    return t->cpu->model->lbr.doubles_newest && got > 1 && branch_same(newest, newest - 1);
}

/* The copy is added to the newest record, or is in its place. */
static bool got_newest(const struct trial *t, size_t got, size_t want)
{
    if (try_got_newest(t, got, want))
        return true;
    if (!ends_in_copy(t, got) || got < want)
        return false;
    return got == want ? try_got(t, got - 1, try_branches + TRY_BRANCHES - want, want - 1)
                       : try_got_newest(t, got - 1, want);
}

/*
 * How a comparison and its taken branch are recorded.  With DebugCtl.LBR set as well FROM
 * must be the branch (AMD64 APM vol. 2, "Last Branch Stack Registers").
 */
static bool fuses(const struct trial *t, bool with_pair)
{
    struct enable enable = method_lbr.arm(t->cpu, t->buffers);
    if (with_pair)
        wrmsr(MSR_DEBUGCTL, t->cpu->model->debugctl.lbr);
    window_run(&enable, probe_fused);
    if (with_pair)
        wrmsr(MSR_DEBUGCTL, 0);
    struct trace trace = method_lbr.drain(t->cpu, t->buffers);
    method_lbr.disarm(t->cpu);
    for (size_t i = 0; i < trace.count; i++)
        if (t->buffers->records[i].to == (uint64_t)probe_fused_end)
            return t->buffers->records[i].from != (uint64_t)probe_fused_jcc;
    return false;
}

static void say_works(struct trial *t, size_t got, size_t want)
{
    if (!t->cpu->model->lbr.fuses || !fuses(t, false))
        try_says_count(t, WORKS, got, want, " records, turned off by #DB");
    else if (fuses(t, true))
        try_says(t, DEVIATES, "FROM is a fused instruction although DebugCtl.LBR is set");
    else
        try_says_count(t, WORKS, got, want,
                       " records, turned off by #DB; FROM is a fused instruction, except "
                       "with DebugCtl.LBR");
}

static void attempt(struct trial *t)
{
    const struct model *model = t->cpu->model;
    const struct lbr_layout *layout = &model->lbr;
    size_t want = TRY_BRANCHES < t->cpu->lbr_depth ? TRY_BRANCHES : t->cpu->lbr_depth;
    if (!try_turns_on(t, &method_lbr, "#GP on turning it on"))
        return;
    size_t got = try_method(t, &method_lbr);
    if (!got) { /* look at what was asked for before the hardware is called dead */
        bool selects = !layout->filter || !filter_selects_nothing(layout->filter, t->kept);
        try_says_dead(t, selects ? "nothing was recorded"
                                 : "nothing was recorded: it selects no kind of branch");
        return;
    }
    if (!got_newest(t, got, want))
        try_says_count(t, DEVIATES, got, want, " records: not the branches that ran");
    else if (try_db(lbr_stack_enable(t->cpu)) &
             (layout->ctl ? layout->ctl_enable : model->debugctl.lbr))
        try_deviates(t, LEFT_LBR_ON);
    else
        say_works(t, want, want);
}

const struct probe probe_lbr = { lacks, attempt };
