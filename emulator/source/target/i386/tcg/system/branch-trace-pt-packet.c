/*
 * Branch-trace hardware: the packets of Processor Trace.
 *
 * SDM vol. 3C, "Trace Packets and Data Types": a function for each packet, which makes its
 * bytes.  branch-trace-pt.c decides when a packet is due, and -pt-output.c stores it.
 *
 * The order is: output and overflow; time (CYC, TSC, TMA, MTC); TNT; packets with an
 * address (TIP, FUP, TIP.PGE, TIP.PGD); MODE, PIP, TraceStop, CBR; OVF; PSB.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "branch-trace-pt.h"

/*
 * Chosen: the ratio in CBR, and the period of PSB where software cannot choose it, which
 * is the shortest one elsewhere.
 */
#define BUS_RATIO   24
#define SHORTEST    2048

#define NO_MODE     0xff

/* How many packets an overflow loses [chosen]. */
#define PACKETS_LOST    4

/* No address is compressed against this one, which is not canonical. */
#define NO_IP       BIT_ULL(63)

static uint64_t psb_period(CPUX86State *env)
{
    return (uint64_t)SHORTEST << extract64(env->bt.pt.ctl, CTL_PSB_FREQ, 4);
}

/* Puts a packet into the output.  The next PSB comes after a number of bytes. */
static void put(CPUX86State *env, const void *bytes, unsigned count)
{
    BTProcessorTrace *pt = &env->bt.pt;

    if (pt->overflow) {
        if (++pt->lost == PACKETS_LOST
            && !bt_erratum(env, BT_ERRATUM_PT_OVF_SILENCE)) {
            pt->look |= LOOK_OVF;
        }
        return;
    }
    pt_output(env, bytes, count);
    pt->bytes += count;
    if (pt->bytes >= psb_period(env)) {
        pt->look |= LOOK_PSB;
    }
}

/*
 * SDM vol. 3C, "Internal Buffer Overflow".  Here bt-pt-overflow alone causes it, at a
 * packet for branches.
 */
static void may_overflow(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;
    uint32_t nth = env_archcpu(env)->bt_variant.pt_overflow;

    if (nth && !pt->overflow && ++pt->packets % nth == 0) {
        pt->overflow = true;
        pt->lost = 0;
    }
}

/* A packet with up to 6 bytes after its header. */
static void put_extended(CPUX86State *env, uint8_t header, uint64_t payload,
                          unsigned count)
{
    uint8_t packet[8] = { 0x02, header };

    for (unsigned i = 0; i < count; i++) {
        packet[2 + i] = payload >> (8 * i);
    }
    put(env, packet, 2 + count);
}

/*
 * Erratum SKL168: one CYC before a PSB is dropped.  Chosen: the first of the 16 bytes before
 * the PSB is due; its cycles are lost.
 */
static bool drops_cyc(CPUX86State *env)
{
    bool dropped = env->bt.errata.cyc_dropped;

    if (!bt_erratum(env, BT_ERRATUM_PT_PSB_NO_CYC) || dropped
        || env->bt.pt.bytes + 16 < psb_period(env)) {
        return false;
    }
    env->bt.errata.cyc_dropped = true;
    return true;
}

/*
 * SDM vol. 3C, "Cycle Count Packet (CYC) Packet", "Cycle Thresholds": CYC comes before a
 * packet that it gives the time of, if enough CYCLES have passed.  Returns how many bytes it
 * has, or 0.
 */
static unsigned cyc_packet(CPUX86State *env, uint64_t cycles, uint8_t packet[10])
{
    BTProcessorTrace *pt = &env->bt.pt;
    unsigned threshold = extract64(pt->ctl, CTL_CYC_THRESH, 4), count = 1;

    if (!(pt_ctl(env) & CTL_CYC_EN) || !cycles || pt->overflow
        || (threshold && cycles < BIT_ULL(threshold - 1))) {
        return 0;
    }
    pt->cycles -= cycles;
    if (drops_cyc(env)) {
        return 0;
    }
    packet[0] = (cycles & 31) << 3 | (cycles > 31 ? 4 : 0) | 3;
    for (cycles >>= 5; cycles; cycles >>= 7) {
        packet[count++] = (cycles & 127) << 1 | (cycles > 127);
    }
    return count;
}

static void cyc(CPUX86State *env, uint64_t cycles)
{
    uint8_t packet[10];
    unsigned count = cyc_packet(env, cycles, packet);

    if (count) {
        put(env, packet, count);
    }
}

/* Before OVF erratum SKD007 leaves the first byte of a CYC. */
static void cyc_before_ovf(CPUX86State *env)
{
    uint8_t packet[10];
    unsigned count = cyc_packet(env, env->bt.pt.cycles, packet);

    if (count) {
        put(env, packet, bt_erratum(env, BT_ERRATUM_PT_OVF_IN_CYC) ? 1 : count);
    }
}

/*
 * A fiction: a cycle is four bytes of code up to a branch, and one is for the branch,
 * as in records of the LBR stack.
 */
void pt_cycles(CPUX86State *env, uint64_t from, uint64_t to)
{
    BTProcessorTrace *pt = &env->bt.pt;

    pt->cycles += (from - pt->counted_to) / 4 + 1;
    pt->counted_to = to;
}

/* The clock may be read here, although this is not the end of a block. */
static uint64_t time_stamp(CPUX86State *env)
{
    CPUState *cs = env_cpu(env);
    bool can_do_io = cs->neg.can_do_io;
    uint64_t ticks;

    cs->neg.can_do_io = true;
    ticks = cpu_get_tsc(env) + env->tsc_offset + bt_time();
    cs->neg.can_do_io = can_do_io;
    return ticks;
}

/* SDM vol. 3C, "Timestamp Counter (TSC) Packet" and "TSC/MTC Alignment (TMA) Packet" */
void pt_timestamps(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;
    uint64_t ticks = time_stamp(env);
    uint64_t crystal = ticks >> CRYSTAL_SHIFT;
    uint64_t rest = ticks & MAKE_64BIT_MASK(0, CRYSTAL_SHIFT);
    uint8_t packet[8] = { 0x19 };

    if (!(pt->ctl & CTL_TSC_EN)) {
        return;
    }
    for (unsigned i = 0; i < 7; i++) {
        packet[1 + i] = ticks >> (8 * i);
    }
    put(env, packet, sizeof(packet));
    if (pt->ctl & CTL_MTC_EN) {
        put_extended(env, 0x73, (crystal & 0xffff) | rest << 24, 5);
    }
}

/* The crystal clock in periods of MTC, of which a packet has the lowest byte. */
static uint64_t mini_time(CPUX86State *env)
{
    unsigned frequency = extract64(env->bt.pt.ctl, CTL_MTC_FREQ, 4);

    return time_stamp(env) >> (CRYSTAL_SHIFT + frequency);
}

void pt_time_begin(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;

    pt->mtc_byte = pt->mtc = mini_time(env);
    env->bt.faults.pt_mtc_sent = false;
    pt->cycles = 0;
    pt->counted_to = env->eip;
}

/*
 * A processor that has no MTC sends a TSC packet when its clocks change.  Chosen: it sends one
 * with the next branch or event, when 1024 ticks of the crystal clock have passed.  Otherwise a
 * decoder would give everything after a PSB the time of the PSB.
 */
static void time_without_mtc(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;
    uint64_t now;

    if (!(pt->ctl & CTL_TSC_EN) || (pt_model(env)->leaf_14[0][1] & EBX_MTC)) {
        return;
    }
    now = mini_time(env);
    if (now - pt->mtc > 1024) {
        pt_flush(env);
        pt_timestamps(env);
        pt->mtc = now;
    }
}

/*
 * SDM vol. 3C, "Mini Time Counter (MTC) Packet": one is sent whenever its byte changes, and
 * packets can be dropped.  Here it comes with the next branch or event, and those that were
 * due before are dropped.  After 256 periods or more (the host may do something else at any
 * time, for long) the byte cannot show how many.  With TSCEn there is a TSC packet instead, as
 * after any event that makes timing packets stop; without it a multiple of 256 periods is lost.
 * A byte that is again that of the last MTC has not changed, also if there was a TSC since: no
 * packet is due before the next period.
 */
void pt_time(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;
    uint64_t now;
    bool stamp;

    if (!(pt->ctl & CTL_MTC_EN)) {
        time_without_mtc(env);
        return;
    }
    now = mini_time(env);
    stamp = now - pt->mtc > UINT8_MAX && (pt->ctl & CTL_TSC_EN);
    if (now == pt->mtc || (!stamp && (uint8_t)now == pt->mtc_byte) || bt_bad_pt_mtc(env)) {
        return;
    }
    pt_flush(env);
    cyc(env, pt->cycles);
    if (stamp) {
        pt_timestamps(env);
        pt->mtc = mini_time(env);
    } else {
        put(env, (uint8_t[]) { 0x59, now }, 2);
        pt->mtc_byte = pt->mtc = now;
    }
}

/*
 * SDM vol. 3C, "Taken/Not-taken (TNT) Packet": a set bit, then the branches, the
 * oldest first.  This is what must precede packets of other kinds.
 */
void pt_flush(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;
    uint64_t bits = pt->tnt | BIT_ULL(pt->tnt_count);

    if (pt->tnt_count) {
        may_overflow(env);
        cyc(env, pt->tnt_cycles);
    }
    if (pt->tnt_count > 6) {
        put_extended(env, 0xa3, bits, 6);
    } else if (pt->tnt_count) {
        put(env, &(uint8_t) { bits << 1 }, 1);
    }
    pt->tnt = 0;
    pt->tnt_count = 0;
    if (pt->tip_bytes) {
        put(env, pt->tip, pt->tip_bytes);
    }
    pt->tip_bytes = 0;
}

void pt_tnt(CPUX86State *env, bool taken)
{
    BTProcessorTrace *pt = &env->bt.pt;

    if (bt_bad_pt_tnt(env)) {
        return;
    }
    if (!pt->tnt_count) {
        pt->tnt_cycles = pt->cycles;
    }
    pt->tnt = pt->tnt << 1 | taken;
    if (++pt->tnt_count == (pt_model(env)->pt_long_tnt ? 47 : 6)) {
        pt_flush(env);
    }
}

/*
 * SDM vol. 3C, "IP Compression": the upper bytes that are those of the last address, or
 * the sign, are left out.  Returns how many bytes remain, and IPBytes of the packet.
 */
static unsigned compress(uint64_t ip, uint64_t last, uint8_t *ip_bytes)
{
    static const uint8_t length[] = { 0, 2, 4, 6, 6, 0, 8 };

    *ip_bytes = ip >> 16 == last >> 16 ? 1
              : ip >> 32 == last >> 32 ? 2
              : (uint64_t)sextract64(ip, 0, 48) == ip ? 3
              : ip >> 48 == last >> 48 ? 4 : 6;
    return length[*ip_bytes];
}

/* Makes a packet with an address, and returns how many bytes it has. */
static unsigned ip_packet(CPUX86State *env, PTOp op, uint64_t ip, uint8_t packet[9])
{
    BTProcessorTrace *pt = &env->bt.pt;
    uint8_t ip_bytes;
    unsigned count;

    if (op == PT_TIP && bt_bad_pt_tip(env)) {
        ip++;
    }
    count = compress(ip, pt->last_ip, &ip_bytes);
    packet[0] = op | ip_bytes << 5;
    for (unsigned i = 0; i < count; i++) {
        packet[1 + i] = ip >> (8 * i);
    }
    pt->last_ip = ip;
    return 1 + count;
}

void pt_ip(CPUX86State *env, PTOp op, uint64_t ip)
{
    BTProcessorTrace *pt = &env->bt.pt;
    uint8_t packet[9];

    pt_flush(env);
    if (op == PT_TIP) {
        may_overflow(env);
    }
    if (op != PT_FUP) {
        cyc(env, pt->cycles);
    }
    put(env, packet, ip_packet(env, op, ip, packet));
}

/*
 * SDM vol. 3C, "Deferred TIPs": a TIP may wait until the TNT packet is sent.  Chosen: it does
 * only with the property, after a branch that waits too, and without cycle counts.
 */
void pt_tip(CPUX86State *env, uint64_t ip, bool may_wait)
{
    BTProcessorTrace *pt = &env->bt.pt;

    if (!env_archcpu(env)->bt_variant.pt_defer || !may_wait || !pt->tnt_count
        || (pt->ctl & CTL_CYC_EN)) {
        pt_ip(env, PT_TIP, ip);
        return;
    }
    if (pt->tip_bytes + 9 > BT_PT_TIPS) {
        pt_flush(env);
    }
    pt->tip_bytes += ip_packet(env, PT_TIP, ip, pt->tip + pt->tip_bytes);
}

/* SDM vol. 3C, "Packet Generation Disable (TIP.PGD)" */
void pt_pgd_without_ip(CPUX86State *env)
{
    pt_flush(env);
    cyc(env, env->bt.pt.cycles);
    put(env, &(uint8_t) { PT_PGD }, 1);
}

/* CS.L and CS.D */
static uint8_t current_mode(CPUX86State *env)
{
    return env->hflags & HF_CS64_MASK ? 1 : env->hflags & HF_CS32_MASK ? 2 : 0;
}

/*
 * SDM vol. 3C, "MODE.Exec Packet": it is sent if the mode has changed since the last one, or
 * none was sent since the last PSB.
 */
void pt_mode_exec(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;
    uint8_t mode = current_mode(env);

    if (mode != pt->mode && !pt->overflow) {
        pt_flush(env);
        cyc(env, pt->cycles);
        pt->mode = mode;
        put(env, (uint8_t[]) { 0x99, mode }, 2);
    }
}

/* SDM vol. 3C, "Paging Information (PIP) Packet": CR3[51:5] */
void pt_pip(CPUX86State *env)
{
    pt_flush(env);
    cyc(env, env->bt.pt.cycles);
    put_extended(env, 0x43, extract64(env->cr[3], 5, 47) << 1, 6);
}

void pt_trace_stop(CPUX86State *env)
{
    pt_flush(env);
    put_extended(env, 0x83, 0, 0);
}

/* SDM vol. 3C, "Core:Bus Ratio (CBR) Packet" */
void pt_cbr(CPUX86State *env)
{
    put_extended(env, 0x03, BUS_RATIO, 2);
}

/*
 * After OVF comes FUP, or TIP.PGE later.  Erratum SKD010: neither comes.  Erratum APL12: FUP
 * comes out of a range as well.
 */
static void after_ovf(CPUX86State *env, uint64_t ip)
{
    bool on = pt_packet_en(&env->bt.pt);
    bool filtered = (env->bt.pt.status & STATUS_ENABLES)
        == (STATUS_CONTEXT_EN | STATUS_TRIGGER_EN);

    if (bt_erratum(env, BT_ERRATUM_PT_OVF_ALONE)) {
        env->bt.errata.pge_lost = !on;
    } else if (on || (filtered && bt_erratum(env, BT_ERRATUM_PT_OVF_FUP))) {
        pt_ip(env, PT_FUP, ip);
    }
    if (!on) {
        env->bt.pt.last_ip = NO_IP; /* as in a PSB+ */
    }
}

/*
 * SDM vol. 3C, "Overflow (OVF) Packet": the trace goes on at IP, or later with TIP.PGE.
 * Branches that wait are lost as well, and a change of mode needs a PSB.
 */
void pt_overflow_end(CPUX86State *env, uint64_t ip)
{
    BTProcessorTrace *pt = &env->bt.pt;

    pt->overflow = false;
    pt->tnt = 0;
    pt->tnt_count = 0;
    pt->tip_bytes = 0;
    pt->last_ip = NO_IP;
    pt_forget_calls(pt);
    if (!bt_faults(env)->pt_no_ovf) {
        cyc_before_ovf(env);
        put_extended(env, 0xf3, 0, 0);
        after_ovf(env, ip);
    }
    if (pt->mode != current_mode(env)) {
        pt->look |= LOOK_PSB;       /* a MODE.Exec was lost */
    }
}

/*
 * SDM vol. 3C, "Packet Stream Boundary (PSB) Packet", "Decoder Synchronization (PSB+)":
 * the decoder may begin here, at IP if the trace is on there.
 */
void pt_psb(CPUX86State *env, uint64_t ip, bool on)
{
    BTProcessorTrace *pt = &env->bt.pt;
    uint8_t packet[16];

    pt_flush(env);
    for (unsigned i = 0; i < sizeof(packet); i += 2) {
        packet[i] = 0x02;
        packet[i + 1] = 0x82;
    }
    pt->bytes = 0;
    env->bt.errata.cyc_dropped = false;
    pt->look &= ~LOOK_PSB;
    pt->last_ip = 0;
    pt_forget_calls(pt);
    pt->mode = NO_MODE;
    put(env, packet, sizeof(packet));
    pt_timestamps(env);
    if ((pt->status & STATUS_CONTEXT_EN) && (pt_ctl(env) & CTL_OS)) {
        pt_pip(env);
    }
    pt_cbr(env);
    if (bt_erratum_psb_cut(env)) {
        pt_overflow_end(env, ip);
        return;
    }
    if (on) {
        pt_mode_exec(env);
        pt_ip(env, PT_FUP, ip);
    }
    if (!pt_packet_en(pt)) {
        pt->last_ip = 0;            /* libipt passes over a FUP that should not be there */
    }
    put_extended(env, 0x23, 0, 0);     /* PSBEND */
}
