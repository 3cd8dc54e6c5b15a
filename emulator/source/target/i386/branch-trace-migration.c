/*
 * Branch-trace hardware: migration of its state.
 *
 * A subsection of vmstate_x86_cpu (target/i386/machine.c) for processors that have a row,
 * with further ones for silicon mode, errata, a guest of SVM and Processor Trace.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "migration/vmstate.h"

static bool needed(void *opaque)
{
    X86CPU *cpu = opaque;

    return cpu->bt_model != NULL;
}

static int pre_save(void *opaque)
{
    X86CPU *cpu = opaque;

    bt_count_settle(&cpu->env);
    return 0;
}

static int post_load(void *opaque, int version_id)
{
    X86CPU *cpu = opaque;
    BranchTrace *bt = &cpu->env.bt;
    BTPredictor *predictor = &bt->silicon.predictor;
    uint32_t stale = bt->stale;
    uint64_t last_to = predictor->last_to, cycles = predictor->cycles;
    bool missed = predictor->missed;

    if (bt->depth > BT_MAX_DEPTH || (bt->depth & (bt->depth - 1))
        || bt->newest >= MAX(bt->depth, 1)) {
        return -EINVAL;
    }
    bt_update(&cpu->env);
    /* bt_update() took LBR, if it is on, to be turned on just now. */
    bt->stale = stale;
    predictor->last_to = last_to;
    predictor->cycles = cycles;
    predictor->missed = missed;
    return 0;
}

static bool silicon_needed(void *opaque)
{
    X86CPU *cpu = opaque;
    static const BTSilicon nothing;

    return cpu->bt_model && memcmp(&cpu->bt_silicon, &nothing, sizeof(nothing));
}

static int silicon_pre_save(void *opaque)
{
    X86CPU *cpu = opaque;

    cpu->env.bt.silicon.time = bt_time();
    return 0;
}

/* Every processor has saved the same time, and the first that is loaded sets it. */
static int silicon_post_load(void *opaque, int version_id)
{
    X86CPU *cpu = opaque;
    uint64_t time = cpu->env.bt.silicon.time;

    if (time > bt_time()) {
        bt_time_passes(time - bt_time());
    }
    return 0;
}

static const VMStateDescription vmstate_bt_silicon = {
    .name = "cpu/branch_trace/silicon",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = silicon_needed,
    .pre_save = silicon_pre_save,
    .post_load = silicon_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT64_ARRAY(env.bt.silicon.random, X86CPU, BT_RANDOMS),
        VMSTATE_BOOL(env.bt.silicon.pmi_waits, X86CPU),
        VMSTATE_UINT32(env.bt.silicon.pmi_branches, X86CPU),
        VMSTATE_UINT64(env.bt.silicon.pmi_insns, X86CPU),
        VMSTATE_BOOL(env.bt.silicon.nmi_late, X86CPU),
        VMSTATE_BOOL(env.bt.silicon.nmi_off, X86CPU),
        VMSTATE_UINT64(env.bt.silicon.time, X86CPU),
        VMSTATE_BOOL(env.bt.silicon.call_stack, X86CPU),
        VMSTATE_UINT8_ARRAY(env.bt.silicon.predictor.counter, X86CPU,
                            BT_PREDICT_COUNTERS),
        VMSTATE_UINT64_ARRAY(env.bt.silicon.predictor.branch, X86CPU,
                             BT_PREDICT_TARGETS),
        VMSTATE_UINT64_ARRAY(env.bt.silicon.predictor.target, X86CPU,
                             BT_PREDICT_TARGETS),
        VMSTATE_UINT64_ARRAY(env.bt.silicon.predictor.call, X86CPU,
                             BT_PREDICT_CALLS),
        VMSTATE_UINT32(env.bt.silicon.predictor.calls, X86CPU),
        VMSTATE_BOOL(env.bt.silicon.predictor.missed, X86CPU),
        VMSTATE_UINT64(env.bt.silicon.predictor.last_to, X86CPU),
        VMSTATE_UINT64(env.bt.silicon.predictor.cycles, X86CPU),
        VMSTATE_END_OF_LIST()
    }
};

static bool errata_needed(void *opaque)
{
    X86CPU *cpu = opaque;
    static const BTErrata nothing;

    return cpu->bt_model && memcmp(&cpu->bt_errata, &nothing, sizeof(nothing));
}

static const VMStateDescription vmstate_bt_errata = {
    .name = "cpu/branch_trace/errata",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = errata_needed,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(env.bt.errata.psbs, X86CPU),
        VMSTATE_UINT32(env.bt.errata.branches, X86CPU),
        VMSTATE_UINT32(env.bt.errata.pt_ends, X86CPU),
        VMSTATE_UINT32(env.bt.errata.bts, X86CPU),
        VMSTATE_BOOL(env.bt.errata.cyc_dropped, X86CPU),
        VMSTATE_BOOL(env.bt.errata.pge_lost, X86CPU),
        VMSTATE_BOOL(env.bt.errata.spoiled, X86CPU),
        VMSTATE_UINT64(env.bt.errata.last_from, X86CPU),
        VMSTATE_UINT32(env.bt.errata.cured, X86CPU),
        VMSTATE_UINT64_ARRAY(env.bt.errata.period, X86CPU, BT_MAX_GENERAL),
        VMSTATE_END_OF_LIST()
    }
};

static bool guest_needed(void *opaque)
{
    X86CPU *cpu = opaque;

    return cpu->env.bt.guest_loaded;
}

/* LBR virtualisation: the registers are the guest's, and the host's are in its save area. */
static const VMStateDescription vmstate_bt_guest = {
    .name = "cpu/branch_trace/guest",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = guest_needed,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(env.bt.guest_loaded, X86CPU),
        VMSTATE_END_OF_LIST()
    }
};

static bool pt_needed(void *opaque)
{
    X86CPU *cpu = opaque;

    return cpu->bt_model && bt_has_pt(cpu->bt_model);
}

/* The region of output is looked up again. */
static int pt_post_load(void *opaque, int version_id)
{
    X86CPU *cpu = opaque;
    BTProcessorTrace *pt = &cpu->env.bt.pt;

    pt->region_size = 0;
    if (pt->tnt_count > 47 || pt->newest_call >= BT_PT_CALLS
        || pt->calls > BT_PT_CALLS || pt->tip_bytes > BT_PT_TIPS) {
        return -EINVAL;
    }
    return 0;
}

static const VMStateDescription vmstate_bt_pt = {
    .name = "cpu/branch_trace/pt",
    .version_id = 3,
    .minimum_version_id = 3,
    .needed = pt_needed,
    .post_load = pt_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT64(env.bt.pt.ctl, X86CPU),
        VMSTATE_UINT64(env.bt.pt.status, X86CPU),
        VMSTATE_UINT64(env.bt.pt.output_base, X86CPU),
        VMSTATE_UINT64(env.bt.pt.mask_ptrs, X86CPU),
        VMSTATE_UINT64(env.bt.pt.cr3_match, X86CPU),
        VMSTATE_UINT64_2DARRAY(env.bt.pt.range, X86CPU, BT_PT_RANGES, 2),
        VMSTATE_UINT32(env.bt.pt.look, X86CPU),
        VMSTATE_UINT32(env.bt.pt.bytes, X86CPU),
        VMSTATE_UINT64(env.bt.pt.last_ip, X86CPU),
        VMSTATE_UINT8(env.bt.pt.mode, X86CPU),
        VMSTATE_UINT64(env.bt.pt.tnt, X86CPU),
        VMSTATE_UINT32(env.bt.pt.tnt_count, X86CPU),
        VMSTATE_UINT64(env.bt.pt.tnt_cycles, X86CPU),
        VMSTATE_UINT64(env.bt.pt.cycles, X86CPU),
        VMSTATE_UINT64(env.bt.pt.counted_to, X86CPU),
        VMSTATE_UINT64(env.bt.pt.mtc, X86CPU),
        VMSTATE_UINT8(env.bt.pt.mtc_byte, X86CPU),
        VMSTATE_BOOL(env.bt.pt.smm_trace_en, X86CPU),
        VMSTATE_UINT64_ARRAY(env.bt.pt.call, X86CPU, BT_PT_CALLS),
        VMSTATE_UINT32(env.bt.pt.newest_call, X86CPU),
        VMSTATE_UINT32(env.bt.pt.calls, X86CPU),
        VMSTATE_UINT8_ARRAY(env.bt.pt.tip, X86CPU, BT_PT_TIPS),
        VMSTATE_UINT32(env.bt.pt.tip_bytes, X86CPU),
        VMSTATE_BOOL(env.bt.pt.overflow, X86CPU),
        VMSTATE_UINT32(env.bt.pt.lost, X86CPU),
        VMSTATE_UINT32(env.bt.pt.packets, X86CPU),
        VMSTATE_UINT32(env.bt.faults.pt_branches, X86CPU),
        VMSTATE_UINT32(env.bt.faults.pt_tips, X86CPU),
        VMSTATE_BOOL(env.bt.faults.pt_mtc_sent, X86CPU),
        VMSTATE_UINT32(env.bt.faults.pt_pmi_again, X86CPU),
        VMSTATE_END_OF_LIST()
    }
};

const VMStateDescription vmstate_branch_trace = {
    .name = "cpu/branch_trace",
    .version_id = 2,
    .minimum_version_id = 2,
    .needed = needed,
    .pre_save = pre_save,
    .post_load = post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT64(env.bt.debugctl, X86CPU),
        VMSTATE_UINT64(env.bt.select, X86CPU),
        VMSTATE_UINT64(env.bt.lbr_ctl, X86CPU),
        VMSTATE_UINT64(env.bt.extn_ctl, X86CPU),
        VMSTATE_BOOL(env.bt.brs_holds, X86CPU),
        VMSTATE_UINT32(env.bt.depth, X86CPU),
        VMSTATE_UINT32(env.bt.newest, X86CPU),
        VMSTATE_UINT64_ARRAY(env.bt.from, X86CPU, BT_MAX_DEPTH),
        VMSTATE_UINT64_ARRAY(env.bt.to, X86CPU, BT_MAX_DEPTH),
        VMSTATE_UINT64_ARRAY(env.bt.info, X86CPU, BT_MAX_DEPTH),
        VMSTATE_UINT64(env.bt.pair_from, X86CPU),
        VMSTATE_UINT64(env.bt.pair_to, X86CPU),
        VMSTATE_UINT64(env.bt.ler_from, X86CPU),
        VMSTATE_UINT64(env.bt.ler_to, X86CPU),
        VMSTATE_UINT64(env.bt.ler_info, X86CPU),
        VMSTATE_UINT64(env.bt.ds_area, X86CPU),
        VMSTATE_UINT32(env.bt.faults.records, X86CPU),
        VMSTATE_UINT32(env.bt.faults.pmis, X86CPU),
        VMSTATE_UINT32(env.bt.faults.pmi_in, X86CPU),
        VMSTATE_UINT32(env.bt.stale, X86CPU),
        VMSTATE_UINT64_2DARRAY(env.bt.happened, X86CPU, BT_COUNTED, 2),
        VMSTATE_UINT64_ARRAY(env.bt.counter, X86CPU, BT_COUNTERS),
        VMSTATE_UINT64(env.bt.smm_debugctl, X86CPU),
        VMSTATE_UINT64(env.bt.smm_lbr_ctl, X86CPU),
        VMSTATE_END_OF_LIST()
    },
    .subsections = (const VMStateDescription * const []) {
        &vmstate_bt_silicon,
        &vmstate_bt_errata,
        &vmstate_bt_guest,
        &vmstate_bt_pt,
        NULL
    }
};
