/* pt_trial.h */
#include "pt_trial.h"

#include "hit.h"
#include "intrusion.h"
#include "msr.h"
#include "registers.h"
#include "window.h"

/* Swaps the registers' values with the setting's.  False: a register raised #GP. */
static bool exchange(struct pt_setting *setting)
{
    bool accepted = true;
    for (size_t i = 0; i < 2 && setting->msr[i]; i++) {
        uint64_t before = 0;
        accepted &= msr_read(setting->msr[i], &before) &&
                    msr_write(setting->msr[i], setting->value[i]);
        setting->value[i] = before;
    }
    return accepted;
}

static struct enable enable_with(struct enable enable, const struct pt_setting *setting)
{
    enable.on = (enable.on | setting->set) & ~setting->clear;
    enable.off = enable.on & ~RTIT_TRACE_EN;
    return enable;
}

/* A #GP in the window would be fatal, so each write is made here before.  NULL: no #GP. */
static const char *fault_of(const struct trial *t, struct pt_setting setting)
{
    struct enable enable = enable_with(method_pt.arm(t->cpu, t->buffers), &setting);
    const char *fault = NULL;
    if (!exchange(&setting))
        fault = "#GP on a register that it needs";
    else if (!msr_write(enable.msr, enable.on))
        fault = "#GP on RTIT_CTL";
    msr_write(enable.msr, 0);
    exchange(&setting);
    method_pt.disarm(t->cpu);
    return fault;
}

/*
 * An overflow is reported by OVF when it ends, but the end of the trace may come first:
 * then TIP.PGD is lost like all other packets (SDM vol. 3C, "Internal Buffer Overflow").
 */
void pt_trial_note(struct pt_trial *p, uint64_t status, const struct intrusions *since,
                   const struct pt_packet_counts *got)
{
    const struct intrusions hit = intrusion_since(since);
    if (status & RTIT_STATUS_ERROR)
        p->fault = "RTIT_STATUS.Error is set";
    p->unknown |= got->wrong;
    if (p->disturbed)
        return;
    if (status & RTIT_STATUS_STOPPED)
        p->disturbed = PT_BUFFER_FULL;
    else if (got->overflows || got->begins > got->ends)
        p->disturbed = PT_PACKETS_LOST;
    else if (hit_by_any(hit.smis, hit.nmis))
        p->disturbed = PT_STRUCK;
}

struct pt_packet_counts pt_trial_run(struct pt_trial *p, const struct pt_setting *wanted,
                                     const uint8_t *code)
{
    static const struct pt_setting none = { 0 };
    const struct trial *t = p->facility;
    struct pt_setting setting = wanted ? *wanted : none;
    if (!p->fault)
        p->fault = fault_of(t, setting);
    if (p->fault)
        return (struct pt_packet_counts){ 0 };
    struct enable enable = enable_with(method_pt.arm(t->cpu, t->buffers), &setting);
    exchange(&setting);
    const struct intrusions earlier = intrusion_count();
    window_run(&enable, code);
    p->trace = method_pt.drain(t->cpu, t->buffers);
    const struct pt_packet_counts got =
        pt_packets_count(p->trace.packets, p->trace.packet_bytes);
    if (p->trace.ran.lost)
        p->disturbed = PT_BUFFER_FULL;
    pt_trial_note(p, p->trace.packet_status, &earlier, &got);
    exchange(&setting);
    method_pt.disarm(t->cpu);
    return got;
}

size_t pt_branches(const struct pt_packet_counts *packets)
{
    return packets->bits + packets->targets;
}

/*
 * The bits of probe_run alone take 3,334 bytes, and MTC needs a few thousand more where
 * the clock is fast and the processor slow.
 */
bool pt_trial_holds_run(struct pt_trial *p)
{
    const bool holds = p->facility->buffers->bts_size >= 5 * PT_PAGE;
    if (!holds)
        p->disturbed = PT_BUFFER_SMALL;
    return holds;
}
