/*
 * Branch-trace hardware: where the packets of Processor Trace go.
 *
 * SDM vol. 3C, "Table of Physical Addresses (ToPA)" and "Single Range Output".
 * branch-trace-pt-packet.c calls pt_output() for each packet.  It goes to memory at once:
 * there is no internal buffer that WRMSR would have to flush.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "branch-trace-pt.h"

/* An entry of the table.  The address is in bits 12 and up. */
#define ENTRY_END       BIT_ULL(0)      /* the address is that of a table       */
#define ENTRY_INT       BIT_ULL(2)      /* an interrupt when the region is full */
#define ENTRY_STOP      BIT_ULL(4)      /* the trace ends when it is full       */
#define ENTRY_SIZE      6               /* field of 4 bits: 4 KiB << n          */
#define ENTRY_RESERVED  (BIT_ULL(1) | BIT_ULL(3) | BIT_ULL(5) | BIT_ULL(10) | BIT_ULL(11))

/* SDM vol. 3C, "Operational Errors": the trace ends, without another packet. */
static void operational_error(CPUX86State *env)
{
    env->bt.pt.status |= STATUS_ERROR;
    env->bt.pt.status &= ~STATUS_TRIGGER_EN;
}

/* IA32_RTIT_OUTPUT_MASK_PTRS: the upper half is the offset in the region. */
static uint64_t output_offset(const BTProcessorTrace *pt)
{
    return pt->mask_ptrs >> 32;
}

static void set_output_offset(BTProcessorTrace *pt, uint64_t offset)
{
    pt->mask_ptrs = deposit64(pt->mask_ptrs, 32, 32, offset);
}

/* With a table, bits 31:7 are the number of the entry. */
static uint64_t table_index(const BTProcessorTrace *pt)
{
    return extract64(pt->mask_ptrs, 7, 25);
}

static void set_table_index(BTProcessorTrace *pt, uint64_t index)
{
    pt->mask_ptrs = deposit64(pt->mask_ptrs, 7, 25, index);
}

/*
 * SDM vol. 3C, "ToPA Errors": may ENTRY be number INDEX of its table?  The size of an END
 * entry is ignored, but not its other bits [derived].
 */
static bool entry_valid(CPUX86State *env, uint64_t entry, uint64_t index)
{
    uint64_t address = entry & ~0xfffULL;
    uint64_t size = 0x1000ULL << extract64(entry, ENTRY_SIZE, 4);
    bool one_only = !(pt_model(env)->leaf_14[0][2] & ECX_TOPA_ENTRIES);

    if ((entry & ENTRY_RESERVED) || entry >> env_archcpu(env)->phys_bits) {
        return false;
    }
    if (one_only && index == 1
        && (!(entry & ENTRY_END) || address != env->bt.pt.output_base)) {
        return false;
    }
    if (entry & ENTRY_END) {
        return index != 0 && !(entry & (ENTRY_INT | ENTRY_STOP));
    }
    return !(address & (size - 1));
}

/* Looks up the entry of the table that IA32_RTIT_OUTPUT_MASK_PTRS selects.  False: an error. */
static bool table_region(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;
    uint64_t entry;

    if (pt->output_base & 0xfff) {
        return false;
    }
    for (;;) {
        uint64_t index = table_index(pt);

        entry = x86_ldq_phys(env_cpu(env), pt->output_base + 8 * index);
        if (!entry_valid(env, entry, index)) {
            return false;
        }
        if (!(entry & ENTRY_END)) {
            break;
        }
        pt->output_base = entry & ~0xfffULL;
        set_table_index(pt, 0);         /* where END is not valid */
    }
    pt->entry = entry;
    pt->region = entry & ~0xfffULL;
    pt->region_size = 0x1000ULL << extract64(entry, ENTRY_SIZE, 4);
    return output_offset(pt) < pt->region_size;
}

/* Single range: the mask is the size of the region less one, at least 127.  False: an error. */
static bool single_region(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;
    uint64_t mask = (uint32_t)pt->mask_ptrs | 0x7f;

    pt->entry = 0;
    pt->region = pt->output_base;
    pt->region_size = mask + 1;
    return !(mask & (mask + 1)) && !(pt->output_base & mask)
        && output_offset(pt) <= mask;
}

static bool region_known(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;

    if (pt->region_size) {
        return true;
    }
    if (pt->ctl & CTL_TOPA ? table_region(env) : single_region(env)) {
        return true;
    }
    operational_error(env);
    return false;
}

/*
 * SDM vol. 3C, "ToPA STOP": the registers stay at the region that is full, so that the
 * offset is its size.  "ToPA PMI".  A single range begins again.
 */
static void region_full(CPUX86State *env)
{
    BTProcessorTrace *pt = &env->bt.pt;

    if (pt->entry & ENTRY_STOP) {
        pt->status |= STATUS_STOPPED;
        pt->status &= ~STATUS_TRIGGER_EN;
    } else {
        set_output_offset(pt, 0);
    }
    if (pt->entry & ENTRY_INT) {
        env->msr_global_status |= BT_STATUS_TOPA_PMI;
        bt_bad_pt_region_full(env);
        bt_request_pmi(env);
    }
    if ((pt->ctl & CTL_TOPA) && !(pt->entry & ENTRY_STOP)) {
        set_table_index(pt, table_index(pt) + 1);
        pt->region_size = 0;
        region_known(env);
    }
}

/*
 * SDM vol. 3C, "Restricted Memory Access": output to the local APIC and the like is an
 * error; here, to everything that is not writable memory.
 */
static bool write_memory(CPUX86State *env, hwaddr address, const uint8_t *bytes,
                         hwaddr count)
{
    AddressSpace *as = env_cpu(env)->as;

    RCU_READ_LOCK_GUARD();
    while (count) {
        hwaddr there, now = count;
        MemoryRegion *mr = address_space_translate(as, address, &there, &now, true,
                                                   MEMTXATTRS_UNSPECIFIED);

        if (!memory_access_is_direct(mr, true, MEMTXATTRS_UNSPECIFIED)) {
            return false;
        }
        address_space_write(as, address, MEMTXATTRS_UNSPECIFIED, bytes, now);
        address += now;
        bytes += now;
        count -= now;
    }
    return true;
}

/* TraceEn was set: the processor reads its table again. */
void pt_output_begin(CPUX86State *env)
{
    env->bt.pt.region_size = 0;
    region_known(env);
}

/*
 * Errata TGL052, ADL037, RPL017: "Trace May Contain Incorrect Data When Configured With Single
 * Range Output Larger Than 4KB".  Chosen: the first byte of each page but the first is inverted.
 */
static bool is_wrong(CPUX86State *env, uint64_t offset)
{
    return bt_erratum(env, BT_ERRATUM_PT_BAD_RANGE) && !(env->bt.pt.ctl & CTL_TOPA)
        && offset && !(offset & 0xfff);
}

void pt_output(CPUX86State *env, const uint8_t *bytes, unsigned count)
{
    BTProcessorTrace *pt = &env->bt.pt;

    while (count && (pt->status & STATUS_TRIGGER_EN) && region_known(env)) {
        uint64_t offset = output_offset(pt);
        bool wrong = is_wrong(env, offset);
        uint64_t left = MIN(pt->region_size, (offset | 0xfff) + 1) - offset;
        unsigned now = wrong ? 1 : MIN(count, left);
        uint8_t inverted = ~bytes[0];

        if (!write_memory(env, pt->region + offset, wrong ? &inverted : bytes, now)) {
            operational_error(env);
            return;
        }
        set_output_offset(pt, offset + now);
        bytes += now;
        count -= now;
        if (offset + now == pt->region_size) {
            region_full(env);
        }
    }
}
