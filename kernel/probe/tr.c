/* TR alone: software can only see that the bit can be set, and that nothing is stored. */
#include "lbr_stack.h"
#include "try.h"

static const char *lacks(const struct cpu *cpu)
{
    if (!cpu->model)
        return "unknown model: bits not known";
    return cpu->model->debugctl.tr ? NULL : "the model has none";
}

/*
 * Some processors keep their last-branch records while TR alone is set, since they make
 * the messages of them (SDM vol. 3B, "Monitoring Branches, Exceptions, and Interrupts"):
 * neither is wrong, so it is reported and not judged.
 */
static const char *works_as(const struct trial *t)
{
    const struct probed *lbr = &t->buffers->found->lbr;
    if (!lbr->was_tried || !facility_acts(lbr))
        return "TR is kept when it is set alone, and nothing is stored";
    lbr_stack_prepare(t->cpu);
    struct enable enable = method_tr.arm(t->cpu, t->buffers);
    window_run(&enable, probe_code);
    size_t count = lbr_stack_read(t->cpu, t->buffers->records);
    method_tr.disarm(t->cpu);
    lbr_stack_restore(t->cpu);
    return count
               ? "TR is kept when it is set alone, and nothing is stored; LBR went on"
               : "TR is kept when it is set alone, and nothing is stored; LBR stood still";
}

static void attempt(struct trial *t)
{
    if (!try_turns_on(t, &method_tr, "#GP on writing DEBUGCTL.TR"))
        return;
    if (!(t->kept & t->cpu->model->debugctl.tr)) {
        try_says_dead(t, "it is not kept");
        return;
    }
    size_t got = try_method(t, &method_tr);
    if (got)
        try_says_count(t, DEVIATES, got, 0, " records stored, without BTS");
    else
        try_says(t, WORKS, works_as(t));
}

const struct probe probe_tr = { lacks, attempt };
