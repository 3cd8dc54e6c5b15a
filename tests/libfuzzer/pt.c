/*
 * Any bytes as packets of Processor Trace, over the code of a workload, and as packets that
 * were packed: they are decoded or refused.
 *
 * The first byte says how the rest is read; the second one says over which workload.
 */
#include <string.h>

#include "fuzz.h"
#include "pt_stream.h"
#include "records.h"
#include "tools/base/heap.h"
#include "workload.h"

#define AT           0x1000
#define UNPACKED_MAX 4096

static const struct workload *own;
static uint64_t branches;

static bool is_inside(uint64_t at)
{
    return at - AT < own->size;
}

static size_t read_code(void *of, uint64_t at, uint8_t *out, size_t size)
{
    (void)of;
    if (!is_inside(at))
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
    MUST(is_inside(found->from) && found->to != PT_NOWHERE);
    branches++;
}

/* Nothing is found where no decoding can begin, and there are no more bits than bytes have.
 */
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

static void unpack(const uint8_t *bytes, size_t size, bool by_bits)
{
    struct arena memory = { 0 };
    struct run_lines lines = { .packets = true,
                               .by_bits = by_bits,
                               .bytes = arena_keep(&memory, zeroed(size + 1, 1)),
                               .size = size,
                               .unpacked_size = size * 8 % UNPACKED_MAX + 1 };

    memcpy(lines.bytes, bytes, size);
    if (packets_unpack(&memory, &lines))
        walk(lines.bytes, lines.size);
    arena_release(&memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    own = &__start_workloads[data[1] % (__stop_workloads - __start_workloads)];
    if (data[0] & 1)
        unpack(data + 2, size - 2, data[0] & 2);
    else
        walk(data + 2, size - 2);
    return 0;
}
