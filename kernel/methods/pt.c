/*
 * pt: Intel Processor Trace, every branch in about one bit.
 *
 * IA32_RTIT_CTL turns it on, and the processor writes packets: one bit for each conditional
 * branch (TNT), the target of each indirect one (TIP), two packets for an event (FUP where
 * it struck, TIP where it led), and now and then a boundary at which decoding can begin
 * (PSB).  Direct jumps and calls have no packet, so decoding needs the code: the log has
 * the packets as they are, and the host program decodes them.
 *
 * The packets go to the buffer of BTS, which no other method has at the same time.  A table
 * of physical addresses (ToPA) lists it as regions of 4 KiB to 128 MiB, each aligned to its
 * size; at the end of the last one tracing stops.  A processor whose table has one region
 * uses the largest one.  Without a table a single range is used.  It is a ring: the word at
 * its end is overwritten before the output begins again at its start.
 *
 * A filter leaves a ring out by its bit, OS or USER.  Then packets stop where the processor
 * leaves the other ring (TIP.PGD, without the address to which it went) and go on where it
 * comes back (TIP.PGE, with that address alone).
 *
 * Not used: PTWRITE and power events, which are no branches; MTC and CYC, which make the
 * packets longer and say nothing of branches; the interrupt of a full region; filters by
 * CR3, since the kernel has only one value of it, and by address.  The probe tries these,
 * but not PTWRITE and power events.
 *
 * SDM vol. 3C, "Intel Processor Trace", "Configuration and Programming Guide".
 */
#include "method_facts.h"

METHOD_FACTS(pt) = {
    .name = "pt",
    .about = "Processor Trace: every branch in packets, which the host program decodes",
    .needs = NEEDS(FACILITY_PT),
    .packets = true,
    .filtered = FILTERED_BY_PT,
};

#ifdef KERNEL

#include "method.h"
#include "filtered.h"
#include "msr.h"
#include "registers.h"

#define REGION_LEAST   4096ull
#define REGION_LARGEST 15 /* of the sizes, 4 KiB << n */

/* The table. */
#define TOPA_SIZE_SHIFT 6
#define TOPA_ENTRIES    (REGION_LEAST / sizeof(uint64_t))

#define UNTOUCHED 0xebebebebebebebebull /* at the end of a single range */

static const uint32_t registers[] = { MSR_RTIT_STATUS, MSR_RTIT_OUTPUT_BASE,
                                      MSR_RTIT_OUTPUT_MASK_PTRS, MSR_RTIT_CR3_MATCH };
#define REGISTERS (sizeof registers / sizeof registers[0])

static struct {
    uint64_t ctl, registers[REGISTERS];
} before; /* of the processor at hand: disarm() follows arm() */

struct output {
    uint8_t *at;
    uint64_t size;
};

/* The buffer, from a page on: all of it, or where only one region counts the largest. */
static struct output output_of(const struct cpu *cpu, const struct buffers *buffers)
{
    uint64_t begin = ((uint64_t)buffers->bts + REGION_LEAST - 1) & ~(REGION_LEAST - 1);
    uint64_t end = ((uint64_t)buffers->bts + buffers->bts_size) & ~(REGION_LEAST - 1);
    struct output best = { (uint8_t *)begin, end > begin ? end - begin : 0 };
    if (cpu->id.pt_topa && cpu->id.pt_topa_regions)
        return best;
    for (uint64_t size = REGION_LEAST << REGION_LARGEST; size >= REGION_LEAST; size /= 2) {
        uint64_t at = (begin + size - 1) & ~(size - 1);
        if (at + size <= end)
            return (struct output){ (uint8_t *)at, size };
    }
    return (struct output){ best.at, 0 };
}

/* The largest region that can begin there. */
static unsigned region_size(uint64_t at, uint64_t left)
{
    unsigned size = 0;
    while (size < REGION_LARGEST && REGION_LEAST << (size + 1) <= left &&
           at % (REGION_LEAST << (size + 1)) == 0)
        size++;
    return size;
}

static void fill_table(uint64_t *table, const struct output *output)
{
    uint64_t at = (uint64_t)output->at, left = output->size;
    size_t count = 0;
    while (left && count + 1 < TOPA_ENTRIES) {
        unsigned size = region_size(at, left);
        table[count++] = at | (uint64_t)size << TOPA_SIZE_SHIFT;
        at += REGION_LEAST << size;
        left -= REGION_LEAST << size;
    }
    table[count - 1] |= TOPA_STOP;
    table[count] = (uint64_t)table | TOPA_END;
}

static uint64_t *last_word(const struct output *output)
{
    return (uint64_t *)(output->at + output->size) - 1;
}

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    struct output output = output_of(cpu, buffers);
    uint64_t *table = (uint64_t *)buffers->ds_area;
    uint64_t on = RTIT_TRACE_EN | RTIT_BRANCH_EN | filtered_pt(buffers->filter);
    msr_read(MSR_RTIT_CTL, &before.ctl);
    msr_write(MSR_RTIT_CTL, 0); /* while it traces, writes to the others raise #GP */
    for (size_t i = 0; i < REGISTERS; i++)
        msr_read(registers[i], &before.registers[i]);
    msr_write(MSR_RTIT_STATUS, 0);
    if (cpu->id.pt_topa) {
        fill_table(table, &output);
        msr_write(MSR_RTIT_OUTPUT_BASE, (uint64_t)table);
        msr_write(MSR_RTIT_OUTPUT_MASK_PTRS, RTIT_OUTPUT_RESERVED);
        on |= RTIT_TOPA;
    } else {
        *last_word(&output) = UNTOUCHED;
        msr_write(MSR_RTIT_OUTPUT_BASE, (uint64_t)output.at);
        msr_write(MSR_RTIT_OUTPUT_MASK_PTRS, (output.size - 1) | RTIT_OUTPUT_RESERVED);
    }
    return (struct enable){ .msr = MSR_RTIT_CTL, .on = on, .off = on & ~RTIT_TRACE_EN };
}

/* Bytes in the regions of the table before the one that is being filled, and in that. */
static uint64_t written(const struct cpu *cpu, const uint64_t *table)
{
    uint64_t where = 0, bytes = 0;
    msr_read(MSR_RTIT_OUTPUT_MASK_PTRS, &where);
    bytes = where >> RTIT_OUTPUT_OFFSET_SHIFT;
    if (!cpu->id.pt_topa)
        return bytes;
    size_t entry = (uint32_t)where >> RTIT_OUTPUT_ENTRY_SHIFT;
    for (size_t i = 0; i < entry && i < TOPA_ENTRIES && !(table[i] & TOPA_END); i++)
        bytes += REGION_LEAST << (table[i] >> TOPA_SIZE_SHIFT & 0xf);
    return bytes;
}

static struct trace drain(const struct cpu *cpu, const struct buffers *buffers)
{
    struct output output = output_of(cpu, buffers);
    uint64_t status = 0, bytes = written(cpu, (const uint64_t *)buffers->ds_area);
    msr_read(MSR_RTIT_STATUS, &status);
    bool came_round = !cpu->id.pt_topa && *last_word(&output) != UNTOUCHED;
    /* A region that stopped it is full, and the offset is then that of the next. */
    if ((status & RTIT_STATUS_STOPPED && cpu->id.pt_topa && !bytes) || bytes > output.size)
        bytes = output.size;
    return (struct trace){ .packets = output.at,
                           .packet_bytes = (size_t)bytes,
                           .packet_status = status,
                           .ran.lost = came_round ||
                                       status & (RTIT_STATUS_STOPPED | RTIT_STATUS_ERROR) };
}

static uint64_t packet_buffer(const struct cpu *cpu, const struct buffers *buffers)
{
    return output_of(cpu, buffers).size;
}

static void disarm(const struct cpu *cpu)
{
    (void)cpu;
    for (size_t i = 0; i < REGISTERS; i++)
        msr_write(registers[i], before.registers[i]);
    msr_write(MSR_RTIT_CTL, before.ctl);
}

METHOD(pt) = {
    .facts = &facts_pt,
    .arm = arm,
    .drain = drain,
    .disarm = disarm,
    .packet_buffer = packet_buffer,
};

#endif
