/* Processor Trace: packets must be in memory, and one must hold the target of the call. */
#include "registers.h"
#include "try.h"

#define PSB_SIZE 16 /* bytes of a packet stream boundary: 02 82, eight times */

/* The low five bits of the first byte of a TIP, and the high three where it has an IP. */
#define TIP       0x0d
#define TIP_MASK  0x1f
#define TIP_SHIFT 5

static const char *lacks(const struct cpu *cpu)
{
    if (!cpu->id.pt)
        return "CPUID.7.0:EBX[25] is 0";
    return cpu->id.pt_topa || cpu->id.pt_single ? NULL
                                                : "CPUID.14H:ECX: no output to memory";
}

static bool is_psb(const uint8_t *at)
{
    for (size_t i = 0; i < PSB_SIZE; i++)
        if (at[i] != (i % 2 ? 0x82 : 0x02))
            return false;
    return true;
}

/*
 * It may come after others: of a WRMSR that turns tracing on the manual lists MODE.Exec and
 * TIP.PGE before it (SDM vol. 3C, "Packet Generation under Different Enable Conditions").
 */
static bool has_psb(const struct trace *trace)
{
    for (size_t i = 0; i + PSB_SIZE <= trace->packet_bytes; i++)
        if (is_psb(trace->packets + i))
            return true;
    return false;
}

/* True if a TIP has these two bytes as its lowest ones, however short its address is. */
static bool names(const struct trace *trace, const uint8_t *target)
{
    for (size_t i = 0; i + 3 <= trace->packet_bytes; i++) {
        const uint8_t *at = trace->packets + i;
        if ((at[0] & TIP_MASK) == TIP && at[0] >> TIP_SHIFT &&
            at[1] == (uint8_t)(uint64_t)target && at[2] == (uint8_t)((uint64_t)target >> 8))
            return true;
    }
    return false;
}

static void attempt(struct trial *t)
{
    if (!try_turns_on(t, &method_pt, "#GP on RTIT_CTL"))
        return;
    struct trace trace = try_trace(t, &method_pt, probe_code, 1);
    if (trace.packet_status & RTIT_STATUS_ERROR)
        try_says(t, DEVIATES, "RTIT_STATUS.Error is set");
    else if (!trace.packet_bytes)
        try_says_dead(t, "no packet was written");
    else if (t->cpu->id.pt_psb && !has_psb(&trace)) /* else no manual says when it comes */
        try_says(t, DEVIATES, "no PSB is in the packets");
    else if (!names(&trace, probe_code))
        try_says(t, DEVIATES, "no TIP has the target of the call");
    else
        try_says(t, WORKS,
                 t->cpu->id.pt_topa ? "packets, through a table of regions"
                                    : "packets, in a single range");
}

const struct probe probe_pt = { lacks, attempt };
