/* The record of the last branch before an exception or interrupt. */
#include "ler.h"

#include "entry.h"
#include "lbr_stack.h"
#include "msr.h"
#include "registers.h"
#include "try.h"

static const char *lacks(const struct cpu *cpu)
{
    if (!cpu->model)
        return "unknown model: registers not known";
    return cpu->model->ler_from ? NULL : "none is known of this model";
}

static bool is_mark(const struct cpu *cpu, const struct ler *ler,
                    const struct ler_place *place)
{
    struct branch got;
    return entry_decode_ler(cpu->model, cpu->lbr_from_flags, ler->from, ler->to, &got) &&
           got.from == (uint64_t)place->jump && got.to == (uint64_t)place->event;
}

/* Not the one that it holds from an earlier probe, or from before a warm reset. */
static const struct ler_place *new_mark(const struct cpu *cpu, const struct ler *ler)
{
    return &ler_places[is_mark(cpu, ler, &ler_places[LER_OF_FAULT]) ? LER_OF_OTHER_FAULT
                                                                    : LER_OF_FAULT];
}

/*
 * Reports a record that an exception updates.  Only the manual of architectural LBR says
 * that INT n updates it, too (SDM vol. 3B, "Last Branch Records"); on other processors the
 * answer is no deviation.
 */
static void say_of_int(struct trial *t)
{
    const struct ler now = ler_mark(t->cpu, &ler_places[LER_OF_INT]);
    if (is_mark(t->cpu, &now, &ler_places[LER_OF_INT]))
        try_says(t, WORKS,
                 "it holds the branch before a #DE or an INT, and a #DB leaves it so");
    else if (t->cpu->model->ler_of_int)
        try_says(t, DEVIATES, "it holds the branch before a #DE, but not before an INT");
    else
        try_says(
            t, WORKS,
            "it holds the branch before a #DE, not before an INT, and a #DB leaves it so");
}

static bool same(const struct ler *a, const struct ler *b)
{
    return a->from == b->from && a->to == b->to;
}

static void say_of_exceptions(struct trial *t, const struct ler *before)
{
    const struct ler_place *place = new_mark(t->cpu, before);
    const struct ler marked = ler_mark(t->cpu, place);
    struct ler now;
    if (!is_mark(t->cpu, &marked, place)) {
        try_says(t, same(before, &marked) ? DEAD : DEVIATES,
                 "it does not hold the branch before a #DE");
        return;
    }
    try_db(ler_enable(t->cpu));
    ler_read(t->cpu, &now);
    if (!same(&now, &marked))
        try_says(t, DEVIATES, "a #DB has changed it");
    else
        say_of_int(t);
}

static void attempt(struct trial *t)
{
    struct ler before;
    if (!ler_read(t->cpu, &before)) {
        try_says(t, FAULTS, "#GP on reading it");
        return;
    }
    if (!msr_write(MSR_DEBUGCTL, t->cpu->model->debugctl.lbr)) {
        try_says(t, FAULTS, "#GP on turning it on");
        return;
    }
    msr_write(MSR_DEBUGCTL, 0);
    lbr_stack_prepare(t->cpu);
    say_of_exceptions(t, &before);
    lbr_stack_restore(t->cpu);
}

const struct probe probe_ler = { lacks, attempt };
