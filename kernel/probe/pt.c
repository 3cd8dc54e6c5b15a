/*
 * Processor Trace: packets must be in memory, and one must hold the target of the call.
 *
 * Then the probe tries what else CPUID.14H announces by its effect on the same
 * instructions: filters must leave out all or nothing, MTC must count on, MTC and CYC must
 * change nothing else, and the interrupt of a full region must come once, and cost no
 * branch.
 */
#include "count_of.h"
#include "hit.h"
#include "intrusion.h"
#include "msr.h"
#include "pmi_gate.h"
#include "pt_packets.h"
#include "registers.h"
#include "try.h"
#include "x86.h"

static const char *lacks(const struct cpu *cpu)
{
    if (!cpu->id.pt)
        return "CPUID.7.0:EBX[25] is 0";
    return cpu->id.pt_topa || cpu->id.pt_single ? NULL
                                                : "CPUID.14H:ECX: no output to memory";
}

/* What a trial sets in addition to the method. */
struct extra {
    uint64_t set, clear; /* bits of RTIT_CTL */
    uint32_t msr[2];     /* registers that exist only where CPUID announces it; 0: none */
    uint64_t value[2];
};

/* Writes the registers, and returns what they held. */
static struct extra exchange(const struct extra *extra)
{
    struct extra before = *extra;
    for (size_t i = 0; i < 2 && extra->msr[i]; i++) {
        msr_read(extra->msr[i], &before.value[i]);
        msr_write(extra->msr[i], extra->value[i]);
    }
    return before;
}

static struct enable enable_with(struct enable enable, const struct extra *extra)
{
    enable.on = (enable.on | extra->set) & ~extra->clear;
    enable.off = enable.on & ~RTIT_TRACE_EN;
    return enable;
}

/* False: the write faults, which would be fatal in the window. */
static bool is_accepted(const struct trial *t, const struct extra *extra)
{
    struct enable enable = enable_with(method_pt.arm(t->cpu, t->buffers), extra);
    const struct extra before = exchange(extra);
    bool accepted = msr_write(enable.msr, enable.on);
    msr_write(enable.msr, 0);
    exchange(&before);
    method_pt.disarm(t->cpu);
    return accepted;
}

/* Packets of the trial at hand were lost, or an SMI hit it: then it proves nothing. */
static bool disturbed;

static void note_disturbance(const struct intrusions *before, const struct pt_packets *got)
{
    const struct intrusions hit = intrusion_since(before);
    disturbed |= got->overflows || hit_by_any(hit.smis, hit.nmis);
}

static bool try_with(const struct trial *t, const struct extra *extra, const uint8_t *code,
                     struct pt_packets *out)
{
    if (!is_accepted(t, extra))
        return false;
    struct enable enable = enable_with(method_pt.arm(t->cpu, t->buffers), extra);
    const struct extra before = exchange(extra);
    const struct intrusions earlier = intrusion_count();
    window_run(&enable, code);
    struct trace trace = method_pt.drain(t->cpu, t->buffers);
    *out = pt_packets_count(trace.packets, trace.packet_bytes);
    disturbed |= trace.lost > 0; /* the buffer was full */
    note_disturbance(&earlier, out);
    exchange(&before);
    method_pt.disarm(t->cpu);
    return !out->wrong;
}

/* A return has a bit or a target, and may have the other the next time. */
static size_t branches(const struct pt_packets *packets)
{
    return packets->bits + packets->targets;
}

static bool shows_all(const struct pt_packets *got, const struct pt_packets *want)
{
    return branches(got) == branches(want) && got->begins == 1 && got->ends == 1 &&
           got->first_target == want->first_target;
}

/* Nothing of what ran, only where decoding could begin. */
static bool shows_nothing(const struct pt_packets *got)
{
    return !got->bits && !got->targets && !got->begins && !got->ends;
}

/* Each returns what is wrong, or NULL; `plain` has the packets without the setting. */
typedef const char *attempt_of(const struct trial *, const struct pt_packets *plain);

/* The window and what it calls run in ring 0. */
static const char *try_rings(const struct trial *t, const struct pt_packets *plain)
{
    const struct extra kernel = { .clear = RTIT_USER }, user = { .clear = RTIT_OS };
    struct pt_packets got = { 0 };
    if (!try_with(t, &kernel, probe_code, &got) || !shows_all(&got, plain))
        return "with USER clear, packets of ring 0 differ";
    if (!try_with(t, &user, probe_code, &got) || !shows_nothing(&got))
        return "with OS clear, ring 0 has packets";
    return NULL;
}

/* SDM vol. 3C, "Filtering by CR3": bits 4:0 do not count. */
#define CR3_MATCH_MASK (~0x1full)
#define OTHER_CR3      BIT(12)

static const char *try_cr3(const struct trial *t, const struct pt_packets *plain)
{
    const uint64_t own = read_cr3() & CR3_MATCH_MASK;
    const struct extra same = { RTIT_CR3_FILTER, 0, { MSR_RTIT_CR3_MATCH }, { own } };
    const struct extra other = {
        RTIT_CR3_FILTER, 0, { MSR_RTIT_CR3_MATCH }, { own ^ OTHER_CR3 }
    };
    struct pt_packets got = { 0 };
    if (!try_with(t, &same, probe_code, &got) || !shows_all(&got, plain))
        return "with CR3_MATCH, packets differ";
    if (!try_with(t, &other, probe_code, &got) || !shows_nothing(&got))
        return "with another CR3_MATCH, there are packets";
    return NULL;
}

/*
 * The call into the range and the return out of it are its TIP.PGE and TIP.PGD; the branch
 * that is not taken is the one bit between them.
 */
static const char *try_ranges(const struct trial *t, const struct pt_packets *plain)
{
    for (uint32_t n = 0; n < t->cpu->id.pt_range_count; n++) {
        const struct extra range = {
            RTIT_RANGE(n),
            0,
            { MSR_RTIT_RANGE_FIRST(n), MSR_RTIT_RANGE_LAST(n) },
            { (uint64_t)probe_code, (uint64_t)probe_ret },
        };
        struct pt_packets got = { 0 };
        if (!try_with(t, &range, probe_code, &got) || got.begins != 1 || got.ends != 1 ||
            got.bits != 1 || got.targets || got.first_begin != plain->first_target)
            return "with a range, the packets are not those of its code";
    }
    return NULL;
}

#define PAGE 4096ull

/*
 * False: the option buffer= leaves too little for probe_run.  Its bits alone take 3,334
 * bytes, and MTC needs a few thousand more where the clock is fast and the processor slow.
 */
static bool holds_run(const struct buffers *buffers)
{
    return buffers->bts_size >= 5 * PAGE;
}

/*
 * An MTC comes whenever its eight bits of the crystal clock have changed, unless it is
 * dropped (SDM vol. 3C, "Mini Time Counter (MTC) Packet").
 */
static const char *try_clock(const struct trial *t, const struct pt_packets *plain)
{
    const unsigned periods = t->cpu->id.pt_mtc_periods;
    const uint64_t shortest = periods ? (uint64_t)__builtin_ctz(periods) : 0;
    const struct extra clock = { .set = RTIT_MTC | shortest << RTIT_MTC_PERIOD_SHIFT };
    const struct extra none = { 0 };
    struct pt_packets got = { 0 }, want = { 0 };
    (void)plain;
    if (!try_with(t, &clock, probe_run, &got) || got.clocks < 2)
        return "MTC: fewer than two packets in a long run";
    if (got.clock_repeats)
        return "MTC: two in a row have one value";
    return try_with(t, &none, probe_run, &want) && shows_all(&got, &want)
               ? NULL
               : "MTC: the other packets differ";
}

/* One comes with each packet of a branch, unless no cycle has passed since the last. */
static const char *try_cycles(const struct trial *t, const struct pt_packets *plain)
{
    const struct extra cycles = { .set = RTIT_CYC };
    struct pt_packets got = { 0 };
    if (!try_with(t, &cycles, probe_code, &got) || !got.cycles)
        return "CYC: no packet";
    return shows_all(&got, plain) ? NULL : "CYC: the other packets differ";
}

/* A table of two pages.  The first is nearly full: only this much room is left. */
#define ROOM_IN_FIRST   64
#define INTERRUPT_SHOWS 2 /* targets: its entry and its IRETQ */

static uint64_t interrupts;

static bool region_is_full(const struct frame *frame)
{
    uint64_t status = 0;
    (void)frame;
    return msr_read(MSR_PERF_GLOBAL_STATUS, &status) && status & GLOBAL_STATUS_TOPA;
}

static void on_full_region(struct frame *frame)
{
    (void)frame;
    interrupts++;
    msr_write(MSR_PERF_GLOBAL_OVF_CTRL, GLOBAL_STATUS_TOPA);
}

/* The first page in the buffer; where that holds a run, another one follows. */
static uint8_t *first_page(const struct buffers *buffers)
{
    return (uint8_t *)(((uint64_t)buffers->bts + PAGE - 1) & ~(PAGE - 1));
}

static bool can_interrupt(const struct trial *t)
{
    return t->cpu->id.pt_topa_regions && holds_run(t->buffers) &&
           !try_lacks_counter(t->cpu);
}

/* Traces probe_run into these pages, and returns how many bytes came. */
static size_t run_with_interrupt(const struct trial *t, const uint8_t *pages)
{
    static const struct pmi_taker taker = { .asked = region_is_full,
                                            .take = on_full_region };
    uint64_t *table = (uint64_t *)t->buffers->ds_area, where = 0;
    struct enable enable = method_pt.arm(t->cpu, t->buffers);
    table[0] = (uint64_t)pages | TOPA_INT;
    table[1] = (uint64_t)(pages + PAGE) | TOPA_STOP;
    table[2] = (uint64_t)table | TOPA_END;
    msr_write(MSR_RTIT_OUTPUT_MASK_PTRS,
              (PAGE - ROOM_IN_FIRST) << RTIT_OUTPUT_OFFSET_SHIFT | RTIT_OUTPUT_RESERVED);
    interrupts = 0;
    pmi_gate_begin(true, &enable, &taker);
    window_run(&enable, probe_run);
    pmi_gate_end();
    msr_read(MSR_RTIT_OUTPUT_MASK_PTRS, &where);
    method_pt.disarm(t->cpu);
    bool in_second = (uint32_t)where >> RTIT_OUTPUT_ENTRY_SHIFT == 1;
    return in_second ? ROOM_IN_FIRST + (where >> RTIT_OUTPUT_OFFSET_SHIFT) : 0;
}

static const char *try_interrupt(const struct trial *t, const struct pt_packets *plain)
{
    const struct extra none = { 0 };
    struct pt_packets want = { 0 };
    const uint8_t *pages = first_page(t->buffers);
    const struct intrusions earlier = intrusion_count();
    size_t bytes = run_with_interrupt(t, pages);
    const struct pt_packets got = pt_packets_count(pages + PAGE - ROOM_IN_FIRST, bytes);
    note_disturbance(&earlier, &got);
    (void)plain;
    if (interrupts != 1)
        return interrupts ? "a full region interrupts more than once"
                          : "a full region does not interrupt";
    if (!try_with(t, &none, probe_run, &want) || got.wrong ||
        branches(&got) != branches(&want) + INTERRUPT_SHOWS)
        return "the interrupt of a full region costs branches";
    return NULL;
}

static bool has_rings(const struct trial *t)
{
    (void)t;
    return true;
}
static bool has_cr3(const struct trial *t)
{
    return t->cpu->id.pt_cr3;
}
static bool has_ranges(const struct trial *t)
{
    return t->cpu->id.pt_ranges && t->cpu->id.pt_range_count;
}
static bool has_clock(const struct trial *t)
{
    return t->cpu->id.pt_mtc && holds_run(t->buffers);
}
static bool has_cycles(const struct trial *t)
{
    return t->cpu->id.pt_psb;
}

/* Each is tried where `has` says that it is there; `name` goes into the evidence. */
static const struct {
    const char *name;
    bool (*has)(const struct trial *);
    attempt_of *attempt;
} further[] = {
    { "; by ring", has_rings, try_rings }, { ", CR3", has_cr3, try_cr3 },
    { ", range", has_ranges, try_ranges }, { "; MTC", has_clock, try_clock },
    { "; CYC", has_cycles, try_cycles },   { "; PMI", can_interrupt, try_interrupt },
};

static void try_further(struct trial *t, const struct pt_packets *plain)
{
    for (size_t i = 0; i < COUNT_OF(further); i++) {
        if (!further[i].has(t))
            continue;
        disturbed = plain->overflows > 0;
        const char *wrong = further[i].attempt(t, plain);
        if (wrong && !disturbed) {
            try_says(t, DEVIATES, wrong);
            return;
        }
        if (!wrong)
            try_adds(t, further[i].name);
    }
}

/*
 * A PSB may come after other packets: of a WRMSR that turns tracing on the manual lists
 * MODE.Exec and TIP.PGE before it (SDM vol. 3C, "Packet Generation under Different Enable
 * Conditions").
 */
static void attempt(struct trial *t)
{
    if (!try_turns_on(t, &method_pt, "#GP on RTIT_CTL"))
        return;
    struct trace trace = try_trace(t, &method_pt, probe_code, 1);
    const struct pt_packets plain = pt_packets_count(trace.packets, trace.packet_bytes);
    if (trace.packet_status & RTIT_STATUS_ERROR)
        try_says(t, DEVIATES, "RTIT_STATUS.Error is set");
    else if (!trace.packet_bytes)
        try_says_dead(t, "no packet was written");
    else if (plain.wrong)
        try_says(t, DEVIATES, "a packet is unknown");
    else if (t->cpu->id.pt_psb && !plain.boundaries) /* else no manual says when it comes */
        try_says(t, DEVIATES, "no PSB is in the packets");
    else if (!plain.targets || plain.first_target != (uint16_t)(uint64_t)probe_code)
        try_says(t, DEVIATES, "no TIP has the target of the call");
    else {
        try_says(t, WORKS,
                 t->cpu->id.pt_topa ? "packets, through a table of regions"
                                    : "packets, in a single range");
        try_further(t, &plain);
    }
}

const struct probe probe_pt = { lacks, attempt };
