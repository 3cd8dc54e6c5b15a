/*
 * SDM vol. 3B, "Last Branch, Interrupt, and Exception Recording" and "Last Branch
 * Records"; AMD64 APM vol. 2, "Control-Transfer Recording MSRs".
 *
 * Three forms: a ring whose newest entry LASTBRANCH_TOS names, entries in order
 * with 0 the newest (architectural LBR), and a single pair (AMD).
 */
#include "stack.h"

#include <stdbool.h>

#include "msr.h"
#include "registers.h"
#include "x86.h"

static struct {
    uint64_t debugctl, ctl, depth, select;
} before;

/* Straight-line jumps that fill every entry of a stack that cannot be written. */
extern const uint8_t stack_flush[], stack_flush_end[] __attribute__((visibility("hidden")));

struct enable stack_enable(const struct cpu *cpu)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    if (lbr->ctl)
        return (struct enable){
            lbr->ctl, LBR_CTL_ENABLE | LBR_CTL_OS | LBR_CTL_USR | LBR_CTL_ALL_BRANCHES, 0, 0
        };
    return (struct enable){ MSR_DEBUGCTL, cpu->model->debugctl.lbr, 0, 0 };
}

static void clear(const struct cpu *cpu)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    if (lbr->set_depth) {
        wrmsr(lbr->set_depth, cpu->lbr_depth); /* clears all entries as well */
        return;
    }
    if (lbr->read_only) {
        struct enable enable = stack_enable(cpu);
        window_run(&enable, stack_flush);
        return;
    }
    for (uint32_t i = 0; i < cpu->lbr_depth; i++) {
        msr_write(lbr->from + i, 0);
        msr_write(lbr->to + i, 0);
        if (lbr->info)
            msr_write(lbr->info + i, 0);
    }
}

void stack_prepare(const struct cpu *cpu)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    msr_read(MSR_DEBUGCTL, &before.debugctl);
    if (lbr->ctl) {
        msr_read(lbr->ctl, &before.ctl);
        msr_read(lbr->set_depth, &before.depth);
    }
    if (lbr->select) {
        msr_read(lbr->select, &before.select);
        msr_write(lbr->select, 0); /* no filter */
    }
    clear(cpu);
}

void stack_restore(const struct cpu *cpu)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    if (lbr->select)
        msr_write(lbr->select, before.select);
    if (lbr->ctl) {
        if (before.depth)
            msr_write(lbr->set_depth, before.depth);
        msr_write(lbr->ctl, before.ctl);
    }
    msr_write(MSR_DEBUGCTL, before.debugctl);
}

/* Flags stand above the address in FROM; below them it is sign-extended. */
static uint64_t address(uint64_t value, uint8_t flags)
{
    return (uint64_t)((int64_t)(value << flags) >> flags);
}

static struct branch entry(const struct cpu *cpu, uint32_t index)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    uint64_t from = 0, to = 0;
    msr_read(lbr->from + index, &from);
    msr_read(lbr->to + index, &to);
    return (struct branch){ address(from, cpu->lbr_from_flags), to, 0 };
}

/* The entry that is `age` records older than the newest. */
static struct branch entry_of_age(const struct cpu *cpu, uint32_t age)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    if (!lbr->tos)
        return entry(cpu, age);
    uint64_t tos = 0;
    msr_read(lbr->tos, &tos);
    /* Stray bits can stand above the pointer: only its width counts. */
    return entry(cpu, ((uint32_t)tos - age) & ((uint32_t)cpu->lbr_depth - 1));
}

struct branch stack_newest(const struct cpu *cpu)
{
    return entry_of_age(cpu, 0);
}

/* Empty, or left by the jumps that flushed the stack, or by their window's own. */
static bool unused(const struct branch *record)
{
    bool flushed =
        record->from >= (uint64_t)stack_flush && record->from < (uint64_t)stack_flush_end;
    return flushed || (!record->from && !record->to);
}

size_t stack_read(const struct cpu *cpu, struct branch *out)
{
    size_t count = 0;
    for (uint32_t age = (uint32_t)cpu->lbr_depth; age-- > 0;) {
        struct branch record = entry_of_age(cpu, age);
        if (!unused(&record))
            out[count++] = record;
    }
    return count;
}
