/*
 * Branch-trace hardware: the registers that show branch records.
 *
 * The LBR stack and its top (MSR_LASTBRANCH_n, MSR_LASTBRANCH_TOS), the newest pair, and
 * the last exception record (LER).  SDM vol. 3B, "LBR Stack" of each family; APM vol. 2,
 * "Last Branch Stack Registers".  branch-trace-record.c keeps plain addresses; what a
 * register shows of them is worked out here when it is read: two halves in one register,
 * 32 bits, cycles in TO, flags in FROM.  A new format is a case in read_view() and
 * write_view().
 *
 * branch-trace-msr.c calls this for RDMSR and WRMSR, and -svm.c for the VMCB.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "branch-trace-msr.h"

/* MSR_LASTBRANCH_TOS: where the newest record is. */
static uint64_t tos_value(CPUX86State *env, const BTModel *m)
{
    unsigned tos = env->bt.newest - bt_bad_stale(env) + bt_bad_tos(env);

    return (tos & (env->bt.depth - 1)) | m->tos_stray;
}

/*
 * The index of the record whose register is MSR, or -1.  FIRST is the register of
 * record 0; the others follow it, or FROM and TO alternate.
 */
static int which_record(const BTModel *m, uint32_t msr, uint32_t first,
                        unsigned depth)
{
    unsigned step = m->extn_ctl ? 2 : 1;
    int n = bt_msr_which(msr, first, depth * step);

    return n >= 0 && n % step == 0 ? n / step : -1;
}

/*
 * Where in the ring entry N is.  Without a pointer to the top N counts from the newest.
 * Branch sampling has such a pointer.
 */
static unsigned slot(CPUX86State *env, const BTModel *m, unsigned n)
{
    return m->tos || m->brs
        ? n : bt_newest(&env->bt, n + bt_bad_tos(env) + bt_bad_stale(env));
}

/* A register that shows a record, or a part of one. */
typedef struct View {
    enum { NO_PART, FROM, TO, FROM_AND_TO, INFO } part;
    bool read_only, cycles_in_to, valid_in_to;
    unsigned wrong_top;         /* the lowest bit of those that are no sign, or 0 */
    uint64_t *from, *to, *info;
} View;

static View view_of_ring(CPUX86State *env, const BTModel *m, uint32_t msr)
{
    BranchTrace *bt = &env->bt;
    View view = {
        .read_only = m->records_read_only,
        .cycles_in_to = m->cycles_in_to,
        .valid_in_to = m->extn_ctl && !m->brs,
    };
    int n;

    if ((n = which_record(m, msr, m->from, bt->depth)) >= 0) {
        view.part = m->packed ? FROM_AND_TO : FROM;
    } else if ((n = which_record(m, msr, m->to, bt->depth)) >= 0) {
        view.part = TO;
    } else if ((n = which_record(m, msr, m->info, bt->depth)) >= 0) {
        view.part = INFO;
    } else {
        return view;
    }
    n = slot(env, m, n);
    view.from = &bt->from[n];
    view.to = &bt->to[n];
    view.info = &bt->info[n];
    return view;
}

static View view_of_last_pair(CPUX86State *env, const BTModel *m, uint32_t msr)
{
    BranchTrace *bt = &env->bt;
    unsigned newest = bt_newest(bt, (m->from ? 0 : bt_bad_tos(env))
                                + bt_bad_stale(env));

    return (View) {
        .part = msr == m->last_from ? FROM : msr == m->last_to ? TO : NO_PART,
        .read_only = true,
        .cycles_in_to = m->cycles_in_to,
        .wrong_top = bt_erratum(env, BT_ERRATUM_PAIR_TOP) ? 57 : 0,
        .from = m->extn_ctl ? &bt->pair_from : &bt->from[newest],
        .to = m->extn_ctl ? &bt->pair_to : &bt->to[newest],
        .info = &bt->info[newest],
    };
}

/*
 * Its format is that of the stack, but without cycles [derived].
 *
 * Errata BDM131, BDW120, BDF93, BDH80, BDX93 of Broadwell: bits 63:61 of TO need not equal
 * bit 47, so that writing back what was read raises #GP (Xen, ler_to_fixup_check).  Zen 4 and
 * 5 have more than the address in bits 63:57 of the pair (kvm-unit-tests aef68831), and of
 * this [derived].  Chosen: these bits never equal bit 47.
 */
static View view_of_last_exception(CPUX86State *env, const BTModel *m,
                                   uint32_t msr)
{
    BranchTrace *bt = &env->bt;
    bool top = msr == m->ler_to && bt_erratum(env, BT_ERRATUM_LER_TO_TOP);

    return (View) {
        .part = msr == m->ler_from ? FROM : msr == m->ler_to ? TO
              : msr == m->ler_info ? INFO : NO_PART,
        .read_only = m->ler_read_only,
        .wrong_top = bt_erratum(env, BT_ERRATUM_PAIR_TOP) ? 57 : top ? 61 : 0,
        .from = &bt->ler_from,
        .to = &bt->ler_to,
        .info = &bt->ler_info,
    };
}

static View view_of(CPUX86State *env, const BTModel *m, uint32_t msr)
{
    View view = { .part = NO_PART };

    if (msr) {
        view = view_of_ring(env, m, msr);
        if (view.part == NO_PART) {
            view = view_of_last_pair(env, m, msr);
        }
        if (view.part == NO_PART) {
            view = view_of_last_exception(env, m, msr);
        }
    }
    return view;
}

static uint64_t with_wrong_top(const BTModel *m, View view, uint64_t address)
{
    unsigned top = view.wrong_top;

    return top && !m->narrow
        ? deposit64(address, top, 64 - top, ~sextract64(address, 47, 1)) : address;
}

/*
 * SDM vol. 3B, "LBR Stack" of each family and "LBR Stack and Intel 64
 * Processors": the format.
 */
static uint64_t read_view(const BTModel *m, View view)
{
    uint64_t width = m->narrow ? UINT32_MAX : UINT64_MAX;

    switch (view.part) {
    case FROM:
        if (view.valid_in_to) {
            return *view.from & (m->from_flags | BT_EXTN_ADDRESS);
        }
        return with_wrong_top(m, view, *view.from & width);
    case TO:
        if (view.valid_in_to) {
            return (*view.to & BT_EXTN_ADDRESS)
                | (*view.info & (BT_TO_FLAGS | BT_TO_BOGUS));
        }
        return view.cycles_in_to ? deposit64(*view.to, 48, 16, *view.info)
                                 : with_wrong_top(m, view, *view.to & width);
    case FROM_AND_TO:
        return deposit64(*view.from, 32, 32, *view.to);
    case INFO:
        return *view.info;
    default:
        g_assert_not_reached();
    }
}

/*
 * Measured on Ivy Bridge: FROM without its bit 63, and TO, must be canonical.
 * Where FROM[62:61] are flags as well, they are checked like the address on
 * processors without TSX, which TCG has not (Xen, Linux).  Measured on Skylake:
 * reserved bits of INFO fault.  Any cycles may be written [derived].
 */
static BTOutcome write_view(CPUX86State *env, const BTModel *m, View view,
                            uint64_t value)
{
    uint64_t address = value;

    if (view.read_only) {
        return FAULT;
    }
    switch (view.part) {
    case FROM:
        if (view.valid_in_to) {
            *view.from = value & (m->from_flags | BT_EXTN_ADDRESS);
            return DONE;
        }
        if (m->from_flags) {
            address = deposit64(value, 63, 1, extract64(value, 62, 1));
        }
        if (m->canonical && !bt_msr_canonical(env, address)) {
            return FAULT;
        }
        *view.from = value;
        return DONE;
    case TO:
        if (view.cycles_in_to) {
            *view.info = extract64(value, 48, 16);
            *view.to = sextract64(value, 0, 48);
            return DONE;
        }
        if (view.valid_in_to) {
            *view.info = value & BT_TO_FLAGS;
            *view.to = value & BT_EXTN_ADDRESS;
            return DONE;
        }
        if (m->canonical && !bt_msr_canonical(env, value)) {
            return FAULT;
        }
        *view.to = value;
        return DONE;
    case FROM_AND_TO:
        *view.from = extract64(value, 0, 32);
        *view.to = extract64(value, 32, 32);
        return DONE;
    case INFO:
        return bt_msr_write_masked(view.info, value, ~m->info_writable,
                                   m->info_writable);
    default:
        g_assert_not_reached();
    }
}

static BTOutcome write_tos(CPUX86State *env, const BTModel *m, uint64_t value)
{
    uint64_t tos;

    if (m->tos_read_only
        || bt_msr_write_masked(&tos, value, m->tos_faults, env->bt.depth - 1) != DONE) {
        return FAULT;
    }
    env->bt.newest = tos;
    return DONE;
}

/*
 * SDM vol. 3C, "Intel PT and LBR": where TraceEn turns LBR off, these registers read 0
 * and ignore writes.
 */
static bool off_for_pt(CPUX86State *env, const BTModel *m)
{
    return m->pt_stops_lbr && bt_pt_enabled(env);
}

BTOutcome bt_msr_read_record(CPUX86State *env, uint32_t msr, uint64_t *value)
{
    const BTModel *m = env_archcpu(env)->bt_model;
    View view = view_of(env, m, msr);

    if (view.part == NO_PART && msr != m->tos) {
        return NOT_OURS;
    }
    *value = off_for_pt(env, m) ? 0
           : view.part != NO_PART ? read_view(m, view) : tos_value(env, m);
    return DONE;
}

BTOutcome bt_msr_write_record(CPUX86State *env, uint32_t msr, uint64_t value)
{
    const BTModel *m = env_archcpu(env)->bt_model;
    View view = view_of(env, m, msr);

    if (view.part == NO_PART && msr != m->tos) {
        return NOT_OURS;
    }
    if (off_for_pt(env, m)) {
        return DONE;
    }
    return view.part != NO_PART ? write_view(env, m, view, value)
                                : write_tos(env, m, value);
}

/*
 * Register N of AMD's version 2 stack: FROM of the newest record, its TO, FROM of the
 * one before, and so on.  BTFaults do not apply here: software does not read these.
 */
static View stack_register(CPUX86State *env, unsigned n)
{
    BranchTrace *bt = &env->bt;
    unsigned i = bt_newest(bt, n / 2);

    return (View) {
        .part = n % 2 ? TO : FROM,
        .valid_in_to = true,
        .from = &bt->from[i], .to = &bt->to[i], .info = &bt->info[i],
    };
}

uint64_t bt_stack_register(CPUX86State *env, unsigned n)
{
    return read_view(env_archcpu(env)->bt_model, stack_register(env, n));
}

void bt_set_stack_register(CPUX86State *env, unsigned n, uint64_t value)
{
    write_view(env, env_archcpu(env)->bt_model, stack_register(env, n), value);
}
