/*
 * The filters and the packets of time that CPUID.14H announces: each filter must leave out
 * all or nothing, MTC must count on, and neither MTC nor CYC may change another packet.
 */
#include "pt_trial.h"

#include "registers.h"
#include "x86.h"

static bool shows_all(const struct pt_packet_counts *got,
                      const struct pt_packet_counts *want)
{
    return pt_branches(got) == pt_branches(want) && got->begins == 1 && got->ends == 1 &&
           got->first_target == want->first_target;
}

/* True if no packet shows that anything ran: a PSB and what follows it may come. */
static bool shows_nothing(const struct pt_packet_counts *got)
{
    return !got->bits && !got->targets && !got->begins && !got->ends;
}

/* The window and what it calls run in ring 0. */
enum deviation pt_try_rings(struct pt_trial *p)
{
    const struct pt_setting kernel = { .clear = RTIT_USER }, user = { .clear = RTIT_OS };
    struct pt_packet_counts got = pt_trial_run(p, &kernel, probe_code);
    if (!shows_all(&got, &p->plain))
        return PT_USER_CLEAR;
    got = pt_trial_run(p, &user, probe_code);
    return shows_nothing(&got) ? NO_DEVIATION : PT_OS_CLEAR;
}

/* SDM vol. 3C, "Filtering by CR3": bits 4:0 do not count. */
#define CR3_MATCH_MASK (~0x1full)
#define OTHER_CR3      BIT(12)

enum deviation pt_try_cr3(struct pt_trial *p)
{
    const uint64_t own = read_cr3() & CR3_MATCH_MASK;
    const struct pt_setting same = { RTIT_CR3_FILTER, 0, { MSR_RTIT_CR3_MATCH }, { own } };
    const struct pt_setting other = {
        RTIT_CR3_FILTER, 0, { MSR_RTIT_CR3_MATCH }, { own ^ OTHER_CR3 }
    };
    struct pt_packet_counts got = pt_trial_run(p, &same, probe_code);
    if (!shows_all(&got, &p->plain))
        return PT_CR3_SAME;
    got = pt_trial_run(p, &other, probe_code);
    return shows_nothing(&got) ? NO_DEVIATION : PT_CR3_OTHER;
}

/*
 * The call into the range and the return out of it are its TIP.PGE and TIP.PGD; the branch
 * that is not taken is the one bit between them.
 */
enum deviation pt_try_ranges(struct pt_trial *p)
{
    for (uint32_t n = 0; n < p->facility->cpu->id.pt_range_count; n++) {
        const struct pt_setting range = {
            RTIT_RANGE(n),
            0,
            { MSR_RTIT_RANGE_FIRST(n), MSR_RTIT_RANGE_LAST(n) },
            { (uint64_t)probe_code, (uint64_t)probe_ret },
        };
        const struct pt_packet_counts got = pt_trial_run(p, &range, probe_code);
        if (got.begins != 1 || got.ends != 1 || got.bits != 1 || got.targets ||
            got.first_begin != p->plain.first_target)
            return PT_RANGE;
    }
    return NO_DEVIATION;
}

/*
 * An MTC comes whenever its eight bits of the crystal clock have changed, unless it is
 * dropped (SDM vol. 3C, "Mini Time Counter (MTC) Packet").  If 255 in a row are dropped, as
 * where a host does something else meanwhile, the next one has the byte of the one before;
 * so the trial is made again, and only a clock that repeats each time does not count on.
 */
#define CLOCK_TRIES 3
enum deviation pt_try_clock(struct pt_trial *p)
{
    const unsigned periods = p->facility->cpu->id.pt_mtc_periods;
    const uint64_t shortest = periods ? (uint64_t)__builtin_ctz(periods) : 0;
    const struct pt_setting clock = { .set = RTIT_MTC | shortest << RTIT_MTC_PERIOD_SHIFT };
    if (!pt_trial_holds_run(p))
        return NO_DEVIATION;
    struct pt_packet_counts got = pt_trial_run(p, &clock, probe_run);
    for (int tries = 1; got.clock_repeats && tries < CLOCK_TRIES; tries++)
        got = pt_trial_run(p, &clock, probe_run);
    if (got.clocks < 2)
        return PT_MTC_FEW;
    if (got.clock_repeats)
        return PT_MTC_REPEATS;
    const struct pt_packet_counts want = pt_trial_run(p, NULL, probe_run);
    return shows_all(&got, &want) ? NO_DEVIATION : PT_MTC_OTHERS;
}

/* A CYC comes with each packet of a branch, unless no cycle has passed since the last. */
enum deviation pt_try_cycles(struct pt_trial *p)
{
    const struct pt_setting cycles = { .set = RTIT_CYC };
    const struct pt_packet_counts got = pt_trial_run(p, &cycles, probe_code);
    if (!got.cycles)
        return PT_CYC_NONE;
    return shows_all(&got, &p->plain) ? NO_DEVIATION : PT_CYC_OTHERS;
}
