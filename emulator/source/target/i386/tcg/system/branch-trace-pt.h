/*
 * Branch-trace hardware: what the parts of Processor Trace have in common, which are bits
 * of its registers (SDM vol. 3C, "Configuration MSRs") and the calls between its files.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef I386_BRANCH_TRACE_PT_H
#define I386_BRANCH_TRACE_PT_H

/* SDM vol. 3C, "IA32_RTIT_CTL MSR" */
#define CTL_TRACE_EN        BIT_ULL(0)
#define CTL_CYC_EN          BIT_ULL(1)      /* cycle counts                    */
#define CTL_OS              BIT_ULL(2)      /* trace CPL 0                     */
#define CTL_USER            BIT_ULL(3)      /* trace CPL 1 to 3                */
#define CTL_CR3_FILTER      BIT_ULL(7)
#define CTL_TOPA            BIT_ULL(8)      /* output to a table of regions    */
#define CTL_MTC_EN          BIT_ULL(9)      /* mini time counter               */
#define CTL_TSC_EN          BIT_ULL(10)
#define CTL_DIS_RETC        BIT_ULL(11)     /* no compression of returns       */
#define CTL_BRANCH_EN       BIT_ULL(13)
#define CTL_MTC_FREQ        14              /* lowest bit of a field of 4 bits */
#define CTL_CYC_THRESH      19
#define CTL_PSB_FREQ        24
#define CTL_ADDR_CFG(n)     (32 + 4 * (n))

/* What ADDRn_CFG makes of a range */
#define ADDR_UNUSED         0
#define ADDR_FILTER         1
#define ADDR_STOP           2

/* SDM vol. 3C, "IA32_RTIT_STATUS MSR" */
#define STATUS_FILTER_EN    BIT_ULL(0)
#define STATUS_CONTEXT_EN   BIT_ULL(1)
#define STATUS_TRIGGER_EN   BIT_ULL(2)
#define STATUS_ENABLES      (STATUS_FILTER_EN | STATUS_CONTEXT_EN | STATUS_TRIGGER_EN)
#define STATUS_ERROR        BIT_ULL(4)
#define STATUS_STOPPED      BIT_ULL(5)
#define STATUS_BYTES        32              /* lowest bit of a field of 17     */

/* CPUID.14H, subleaf 0: EBX and ECX */
#define EBX_CR3_FILTER      BIT(0)
#define EBX_PSB_CYC         BIT(1)
#define EBX_RANGES          BIT(2)
#define EBX_MTC             BIT(3)
#define ECX_TOPA            BIT(0)
#define ECX_TOPA_ENTRIES    BIT(1)          /* more than one in a table        */
#define ECX_SINGLE_RANGE    BIT(2)
#define ECX_LINEAR_IP       BIT(31)

/*
 * A fiction: the crystal clock, by which MTC counts, has one tick for a number of those of
 * the time-stamp counter.
 */
#define CRYSTAL_SHIFT       6

/* bt.pt.look: what to do when the next block begins */
#define LOOK_START          BIT(0)          /* TraceEn was set                 */
#define LOOK_WHERE          BIT(1)          /* filters have changed            */
#define LOOK_PSB            BIT(2)          /* a PSB is due                    */
#define LOOK_OVF            BIT(3)          /* an overflow ends                */

static inline const BTModel *pt_model(CPUX86State *env)
{
    return env_archcpu(env)->bt_model;
}

static inline unsigned pt_ranges(const BTModel *m)
{
    return MIN(m->leaf_14[1][0] & 7, BT_PT_RANGES);
}

/* branch-trace-pt.c */
uint64_t pt_ctl(CPUX86State *env);
bool pt_packet_en(const BTProcessorTrace *pt);

/* branch-trace-pt-output.c */
void pt_output_begin(CPUX86State *env);
void pt_output(CPUX86State *env, const uint8_t *bytes, unsigned count);

/* branch-trace-pt-packet.c */
typedef enum PTOp {                         /* packets with an address         */
    PT_PGD = 0x01, PT_TIP = 0x0d, PT_PGE = 0x11, PT_FUP = 0x1d
} PTOp;

void pt_flush(CPUX86State *env);
void pt_tnt(CPUX86State *env, bool taken);
void pt_ip(CPUX86State *env, PTOp op, uint64_t ip);
void pt_tip(CPUX86State *env, uint64_t ip, bool may_wait);
void pt_forget_calls(BTProcessorTrace *pt);
void pt_pgd_without_ip(CPUX86State *env);
void pt_mode_exec(CPUX86State *env);
void pt_pip(CPUX86State *env);
void pt_trace_stop(CPUX86State *env);
void pt_overflow_end(CPUX86State *env, uint64_t ip);
void pt_psb(CPUX86State *env, uint64_t ip, bool on);
void pt_timestamps(CPUX86State *env);
void pt_time_begin(CPUX86State *env);
void pt_time(CPUX86State *env);
void pt_cycles(CPUX86State *env, uint64_t from, uint64_t to);
void pt_cbr(CPUX86State *env);

#endif /* I386_BRANCH_TRACE_PT_H */
