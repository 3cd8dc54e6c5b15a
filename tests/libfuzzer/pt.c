/*
 * Any bytes as packets of Processor Trace, over the code of a workload, and as packets that
 * were packed: they are decoded or refused.
 *
 * The first byte says how the rest is read; the second one says over which workload.
 */
#include "fuzz.h"
#include "pt_stream.h"
#include "records.h"
#include "tools/base/heap.h"
#include "workload.h"

#define AT           0x1000
#define UNPACKED_MAX 4096

static const struct workload *own;
static uint64_t branches;

static size_t read_code(void *of, uint64_t at, uint8_t *out, size_t size)
{
    (void)of;
    if (at - AT >= own->size)
        return 0;
    if (size > own->size - (at - AT))
        size = (size_t)(own->size - (at - AT));
    memcpy(out, own->code + (at - AT), size);
    return size;
}

static void found(void *of, const struct pt_found *found)
{
    (void)of;
    MUST((found->what == PT_WRONG) == (found->why != NULL));
    if (found->what != PT_TAKEN && found->what != PT_NOT_TAKEN)
        return;
    MUST(found->from - AT < own->size && found->to != PT_NOWHERE);
    branches++;
}

/* Without a PSB nothing is found; and bytes have no more bits than 8 each. */
static void walk(const uint8_t *bytes, size_t size)
{
    const struct pt_user user = { .read = read_code, .found = found };
    const struct pt_packets count = pt_count(bytes, size);

    branches = 0;
    MUST(pt_walk(bytes, size, &user) == (count.psbs > 0));
    MUST(count.psbs || !branches);
    MUST(count.taken + count.not_taken <= 8 * size && count.skipped <= size);
    MUST(count.packets + count.padding <= size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena memory = { 0 };
    struct run_lines lines = { .packets = true, .size = size - 2 };

    if (size < 2)
        return 0;
    own = &__start_workloads[data[1] % (__stop_workloads - __start_workloads)];
    lines.by_bits = data[0] & 2;
    lines.unpacked_size = data[0] & 1 ? lines.size * 8 % UNPACKED_MAX + 1 : 0;
    lines.bytes = arena_keep(&memory, zeroed(size, 1));
    memcpy(lines.bytes, data + 2, lines.size);
    if (!lines.unpacked_size || packets_unpack(&memory, &lines))
        walk(lines.bytes, lines.size);
    arena_release(&memory);
    return 0;
}
