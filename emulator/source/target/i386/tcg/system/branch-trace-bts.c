/*
 * Branch-trace hardware: branch records in memory, the Branch Trace Store (BTS).
 *
 * SDM vol. 3B, "BTS and DS Save Area", "64 Bit Format of the DS Save Area".  Of the buffer
 * management area only the first four fields are used here.
 *
 * branch-trace-record.c calls bt_bts_store() for each branch that bt.bts_mask keeps.  At
 * the threshold it requests the PMI, see branch-trace-pmi.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/exec-all.h"
#include "exec/cpu_ldst.h"

/*
 * The processor stores as a supervisor, whatever CPL and AC are.  EIP is that
 * of the branch target already, so a fault must not restore it: the return
 * address is 0.  A bad DS area raises #PF [unconfirmed].
 */
static inline int ds_mmu_idx(CPUX86State *env)
{
    return env->hflags & HF_LMA_MASK ? MMU_KNOSMAP64_IDX : MMU_KNOSMAP32_IDX;
}

/* A piece of guest memory; HOST is where it is, or NULL unless it is writable RAM in one page. */
typedef struct Piece {
    target_ulong address;
    void *host;
} Piece;

static inline Piece piece(CPUX86State *env, target_ulong address,
                          unsigned bytes)
{
    CPUTLBDescFast *fast = &env_cpu(env)->neg.tlb.f[ds_mmu_idx(env)];
    CPUTLBEntry *tlb = &fast->table[(address >> TARGET_PAGE_BITS)
                                    & (fast->mask >> CPU_TLB_ENTRY_BITS)];
    Piece p = { .address = address };

    /*
     * As in accel/tcg/cputlb.c; a probe takes twice the time.  Equality means
     * that the entry is present and has no flag that requires the slow path.
     */
    if ((address & ~TARGET_PAGE_MASK) + bytes <= TARGET_PAGE_SIZE
        && qatomic_read(&tlb->addr_write) == (address & TARGET_PAGE_MASK)) {
        p.host = (void *)((uintptr_t)address + tlb->addend);
    }
    return p;
}

static inline uint64_t field(CPUX86State *env, Piece p, unsigned n, bool wide)
{
    if (p.host) {
        return wide ? ldq_le_p((uint64_t *)p.host + n)
                    : ldl_le_p((uint32_t *)p.host + n);
    }
    return wide ? cpu_ldq_mmuidx_ra(env, p.address + 8 * n, ds_mmu_idx(env), 0)
                : cpu_ldl_mmuidx_ra(env, p.address + 4 * n, ds_mmu_idx(env), 0);
}

static inline void set_field(CPUX86State *env, Piece p, unsigned n, bool wide,
                             uint64_t value)
{
    if (p.host) {
        if (wide) {
            stq_le_p((uint64_t *)p.host + n, value);
        } else {
            stl_le_p((uint32_t *)p.host + n, value);
        }
    } else if (wide) {
        cpu_stq_mmuidx_ra(env, p.address + 8 * n, value, ds_mmu_idx(env), 0);
    } else {
        cpu_stl_mmuidx_ra(env, p.address + 4 * n, value, ds_mmu_idx(env), 0);
    }
}

static inline void store(CPUX86State *env, Piece p, bool wide,
                         const uint64_t record[3])
{
    set_field(env, p, 0, wide, record[0]);
    set_field(env, p, 1, wide, record[1]);
    set_field(env, p, 2, wide, record[2]);
}

static void move(CPUX86State *env, Piece from, Piece to, bool wide)
{
    const uint64_t record[3] = {
        field(env, from, 0, wide), field(env, from, 1, wide),
        field(env, from, 2, wide),
    };

    store(env, to, wide, record);
}

/* Bit 4: predicted, where it means something.  Without the predictor all branches are. */
static uint64_t flags_of(CPUX86State *env, const BTModel *m)
{
    return m->bts_predicted && !env->bt.silicon.predictor.missed ? BIT(4) : 0;
}

/*
 * Stores one record.  The interrupt is requested at or above the threshold, with
 * BTINT or without (SDM vol. 3B, "Setting Up the BTS Buffer": clearing BTINT
 * does not prevent it).  No manual states the rest: the next record must fit
 * below the absolute maximum, or else it goes to the base; with BTINT set the
 * index stays where it is and records are lost.
 *
 * Not inline, since the short path then saves fewer registers.
 */
static __attribute__((noinline))
void store_record(CPUX86State *env, const BTModel *m, bool wide,
                  uint64_t from, uint64_t to)
{
    unsigned size = wide ? 24 : 12;
    bool ring = !(env->bt.debugctl & m->btint);
    Piece area = piece(env, env->bt.ds_area, wide ? 32 : 16);
    uint64_t base = field(env, area, 0, wide);
    uint64_t index = field(env, area, 1, wide);
    uint64_t maximum = field(env, area, 2, wide);
    uint64_t threshold = field(env, area, 3, wide);
    uint64_t record[3] = { from, to, flags_of(env, m) };

    if (index + size > maximum) {
        if (!ring) {
            return;
        }
        index = base;
    }
    if (index > base && bt_bad_swap(env)) {
        move(env, piece(env, index - size, size), piece(env, index, size), wide);
        store(env, piece(env, index - size, size), wide, record);
    } else {
        store(env, piece(env, index, size), wide, record);
    }
    index += size;
    set_field(env, area, 1, wide,
              ring && index + size > maximum ? base : index);
    if (index - bt_bad_threshold(env, size) >= threshold) {
        /* Unconfirmed: BTS alone sets OvfBuffer. */
        if (bt_has_global(m)) {
            env->msr_global_status |= BT_STATUS_OVF_BUFFER;
        }
        bt_request_bts_pmi(env);
    }
}

/*
 * The usual case of store_record(): 64 bits, all in mapped RAM, and after this record
 * there is room for one more below the maximum and the threshold.  False in other cases.
 */
static inline bool store_simply(CPUX86State *env, const BTModel *m,
                                uint64_t from, uint64_t to)
{
    uint64_t *area = piece(env, env->bt.ds_area, 32).host;
    uint64_t index, *record;

    if (!area) {
        return false;
    }
    index = ldq_le_p(&area[1]);
    if (index + 48 > ldq_le_p(&area[2]) || index + 24 >= ldq_le_p(&area[3])
        || index + 48 < index) {
        return false;
    }
    record = piece(env, index, 24).host;
    if (!record) {
        return false;
    }
    stq_le_p(&record[0], from);
    stq_le_p(&record[1], to);
    stq_le_p(&record[2], flags_of(env, m));
    stq_le_p(&area[1], index + 24);
    return true;
}

void bt_bts_store(CPUX86State *env, uint64_t from, uint64_t to)
{
    X86CPU *cpu = env_archcpu(env);
    const BTModel *m = cpu->bt_model;
    bool wide = (m->dtes64 && cpu->bt_variant.dtes64) || (env->hflags & HF_LMA_MASK);

    if (!wide || !env->bt.simple_bts_mask || !store_simply(env, m, from, to)) {
        store_record(env, m, wide, from, to);
    }
}
