/*
 * SDM vol. 3B, "Last Branch, Interrupt, and Exception Recording" and "Last Branch
 * Records"; AMD64 APM vol. 2, "Control-Transfer Recording MSRs".
 *
 * Three forms: a ring whose newest entry LASTBRANCH_TOS names, entries in order
 * with 0 the newest (architectural LBR, AMD's stack), and a single pair.
 */
#include "lbr_stack.h"

#include <stdbool.h>

#include "entry.h"
#include "msr.h"
#include "registers.h"
#include "visible.h"

static struct {
    uint64_t debugctl, ctl, depth, select;
} before;
static size_t depth; /* entries in use: IA32_LBR_DEPTH, if there is one, may hold less */

/* Straight-line jumps that fill every entry of a stack that cannot be written. */
extern const uint8_t stack_flush[], stack_flush_end[] __attribute__((visibility("hidden")));

/* The bits of the filter that this processor has. */
static uint32_t filter_has(const struct cpu *cpu)
{
    return record_filter_has(method_named("lbr"), cpu->model, &cpu->id);
}

/* For processors whose filter is in the register that turns recording on. */
static uint64_t enable_filtered(const struct cpu *cpu, uint32_t filter)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    return lbr->ctl_enable | filter_register(lbr->filter, filter_has(cpu), filter);
}

/*
 * AMD's DebugExtnCfg has bits beside LBRV2EN that must stay: Linux reads it, changes bit 6
 * and writes it back (arch/x86/events/amd/lbr.c).  IA32_LBR_CTL has only the recorder's
 * bits.
 */
uint64_t lbr_stack_ctl_off(const struct cpu *cpu)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    uint64_t now = 0;
    if (!lbr->select || !msr_read(lbr->ctl, &now))
        return 0;
    return now & ~lbr->ctl_enable;
}

struct enable lbr_stack_enable(const struct cpu *cpu)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    if (lbr->ctl && lbr->filter && !lbr->select) /* bits that it lacks must be 0 */
        return (struct enable){ .msr = lbr->ctl, .on = enable_filtered(cpu, 0) };
    if (lbr->ctl) {
        uint64_t off = lbr_stack_ctl_off(cpu);
        return (struct enable){ .msr = lbr->ctl, .on = off | lbr->ctl_enable, .off = off };
    }
    return (struct enable){ .msr = MSR_DEBUGCTL, .on = cpu->model->debugctl.lbr };
}

struct enable lbr_stack_enable_through(const struct cpu *cpu, uint32_t filter)
{
    struct enable enable = lbr_stack_enable(cpu);
    if (filter)
        enable.on = enable_filtered(cpu, filter);
    return enable;
}

/*
 * Writing the depth clears all entries.  Reading an entry at or above the depth raises #GP
 * (SDM vol. 4, "IA32_LBR_x_FROM_IP"), so the depth that the register then holds is used.
 */
static void set_depth(const struct cpu *cpu)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    uint64_t held = 0;
    msr_write(lbr->set_depth, cpu->lbr_depth);
    if (msr_read(lbr->set_depth, &held) && held < cpu->lbr_depth)
        depth = (size_t)held;
}

static void clear(const struct cpu *cpu)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    depth = cpu->lbr_depth;
    if (lbr->set_depth) {
        set_depth(cpu);
        return;
    }
    if (!lbr->writable) {
        struct enable enable = lbr_stack_enable(cpu);
        if (msr_write(enable.msr,
                      enable.on)) /* in the window a fault would not be survived */
            window_run(&enable, stack_flush);
        return;
    }
    /*
     * AMD's stack is cleared as well: V = S = 0 marks an entry as not written since it was
     * cleared, and old entries survive a new enable (APM vol. 2, "Last Branch Stack
     * Registers").
     */
    for (uint32_t i = 0; i < depth; i++) {
        msr_write(entry_from_msr(lbr, i), 0);
        msr_write(entry_to_msr(lbr, i), 0);
        if (lbr->info)
            msr_write(lbr->info + i, 0);
    }
}

void lbr_stack_prepare(const struct cpu *cpu)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    msr_read(MSR_DEBUGCTL, &before.debugctl);
    if (lbr->ctl) {
        msr_read(lbr->ctl, &before.ctl);
        if (lbr->set_depth)
            msr_read(lbr->set_depth, &before.depth);
    }
    if (lbr->select) {
        msr_read(lbr->select, &before.select);
        msr_write(lbr->select, 0); /* no filter */
    }
    clear(cpu);
}

void lbr_stack_restore(const struct cpu *cpu)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    if (lbr->select)
        msr_write(lbr->select, before.select);
    if (lbr->ctl) {
        if (lbr->set_depth && before.depth)
            msr_write(lbr->set_depth, before.depth);
        msr_write(lbr->ctl, before.ctl);
    }
    msr_write(MSR_DEBUGCTL, before.debugctl);
}

bool lbr_stack_filter(const struct cpu *cpu, uint32_t filter, struct enable *enable)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    if (!filter)
        return true;
    if (lbr->select)
        return msr_set(lbr->select, filter_register(lbr->filter, filter_has(cpu), filter));
    *enable = lbr_stack_enable_through(cpu, filter);
    bool held = msr_set(enable->msr, enable->on);
    msr_write(enable->msr, enable->off);
    clear(cpu); /* it recorded meanwhile */
    return held;
}

/* The entry in these registers; false: it holds no branch. */
static bool entry(const struct cpu *cpu, uint32_t index, struct branch *out)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    uint64_t from = 0, to = 0;
    msr_read(entry_from_msr(lbr, index), &from);
    if (lbr->form != LBR_PACKED)
        msr_read(entry_to_msr(lbr, index), &to);
    return entry_decode(lbr, cpu->lbr_from_flags, from, to, out);
}

/* Where the entry stands that is `age` records older than the newest. */
static uint32_t index_of_age(const struct cpu *cpu, uint32_t age)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    uint64_t tos = 0;
    if (lbr->tos)
        msr_read(lbr->tos, &tos);
    return entry_of_age(lbr, cpu->lbr_depth, tos, age);
}

static bool record_of_age(const struct cpu *cpu, uint32_t age, struct branch *out)
{
    return entry(cpu, index_of_age(cpu, age), out);
}

/* Entries of the wrong path can be newer than the newest record. */
struct branch lbr_stack_newest(const struct cpu *cpu)
{
    struct branch newest = { 0 };
    uint32_t deepest = cpu->model->lbr.to_valid ? (uint32_t)cpu->lbr_depth : 1;
    for (uint32_t age = 0; age < deepest && !record_of_age(cpu, age, &newest); age++) {
    }
    return newest;
}

/* True if a branch on the wrong path took the entry in these registers. */
static bool wrong_path(const struct cpu *cpu, uint32_t index)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    uint64_t to = 0;
    if (lbr->to_valid)
        msr_read(entry_to_msr(lbr, index), &to);
    return entry_is_wrong_path(lbr, to);
}

size_t lbr_stack_wrong_path(const struct cpu *cpu)
{
    size_t count = 0;
    for (uint32_t i = 0; cpu->model->lbr.to_valid && i < cpu->lbr_depth; i++)
        count += wrong_path(cpu, i);
    return count;
}

/* Left by the jumps that emptied the stack. */
static bool flushed(const struct branch *record)
{
    return record->from >= (uint64_t)stack_flush &&
           record->from < (uint64_t)stack_flush_end;
}

bool lbr_stack_of_age(const struct cpu *cpu, size_t age, struct branch *out)
{
    return age < depth && record_of_age(cpu, (uint32_t)age, out) && !flushed(out);
}

bool lbr_stack_from_age(const struct cpu *cpu, size_t *age, struct branch *out)
{
    for (; *age < cpu->lbr_depth; (*age)++) {
        if (lbr_stack_of_age(cpu, *age, out))
            return true;
        if (!wrong_path(cpu, index_of_age(cpu, (uint32_t)*age)))
            return false; /* an empty entry: none is older */
    }
    return false;
}

size_t lbr_stack_read(const struct cpu *cpu, struct branch *out)
{
    size_t count = 0;
    for (size_t age = depth; age-- > 0;) {
        struct branch record;
        if (lbr_stack_of_age(cpu, age, &record))
            out[count++] = record;
    }
    return count;
}

static struct info info_of_age(const struct cpu *cpu, uint32_t age)
{
    const struct lbr_layout *lbr = &cpu->model->lbr;
    uint32_t index = index_of_age(cpu, age);
    uint64_t registers[INFO_REGISTERS] = { 0 };
    msr_read(entry_from_msr(lbr, index), &registers[INFO_IN_FROM]);
    if (lbr->form != LBR_PACKED)
        msr_read(entry_to_msr(lbr, index), &registers[INFO_IN_TO]);
    if (lbr->info)
        msr_read(lbr->info + index, &registers[INFO_IN_INFO]);
    return info_decode(info_form_of(cpu->model, &cpu->id), registers);
}

void lbr_stack_read_infos(const struct cpu *cpu, size_t entries, struct info *out)
{
    struct branch record;
    for (size_t age = entries; age-- > 0;)
        if (lbr_stack_of_age(cpu, age, &record))
            *out++ = info_of_age(cpu, (uint32_t)age);
}

size_t lbr_stack_read_calls(const struct cpu *cpu, struct branch *out)
{
    size_t count = 0;
    struct branch record;
    while (count < depth && record_of_age(cpu, (uint32_t)count, &record) &&
           !flushed(&record))
        out[count++] = record;
    for (size_t i = 0; i < count / 2; i++) {
        record = out[i];
        out[i] = out[count - 1 - i];
        out[count - 1 - i] = record;
    }
    return count;
}
