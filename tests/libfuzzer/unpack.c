/*
 * Records, packed and folded in every way that there is: they must come back.
 *
 * The first byte of an input says how the rest is read, as packed bytes, which may be
 * anything, or as a way to make records, and whether the exact room is tried.
 */
#include <string.h>

#include "fuzz.h"
#include "fold.h"
#include "log_run.h"
#include "tests/unit/lines.h"
#include "pack.h"
#include "parsed.h"
#include "portable.h"

#define RECORDS_MAX 300
#define BYTES_MAX   (64 * RECORDS_MAX)

static struct branch records[RECORDS_MAX], packable[RECORDS_MAX];
static uint8_t bytes[BYTES_MAX];
static struct pack pack;

static bool equal(const struct branch *a, const struct branch *b)
{
    return a->from == b->from && a->to == b->to && a->info == b->info;
}

/* Ways to get records. */

static size_t from_packed(const uint8_t *data, size_t size)
{
    size_t count = 0;

    unpack_begin(&pack, data, size);
    while (count < RECORDS_MAX && unpack_next(&pack, &records[count]))
        count++;
    MUST(pack.at <= size);
    return count;
}

/* Up to eight bytes of the input. */
static uint64_t take(const uint8_t **data, const uint8_t *end, size_t count)
{
    uint64_t value = 0;

    while (count-- > 0 && *data < end)
        value = value << 8 | *(*data)++;
    return value;
}

/* Steps of a byte or two, whole addresses, and records that come again. */
static size_t from_recipe(const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size;
    struct branch now = { 0, 0, 0 };
    size_t count = 0;

    while (data < end && count < RECORDS_MAX) {
        uint8_t byte = *data++;
        size_t back = 1 + (byte >> 3);

        switch (byte & 7) {
        case 0:
            now.from = take(&data, end, 8);
            break;
        case 1:
            now.to = take(&data, end, 8);
            break;
        case 2:
            now.info = take(&data, end, byte >> 5);
            break;
        case 3:
        case 4:
            now.from += take(&data, end, 1) - 128;
            now.to += take(&data, end, 1 + (byte & 1));
            break;
        default: /* one of those before, as often as it says */
            for (uint64_t times = 1 + take(&data, end, 1) % 100; times > 0; times--)
                if (back <= count && count < RECORDS_MAX) {
                    records[count] = records[count - back];
                    count++;
                }
            continue;
        }
        records[count++] = now;
    }
    return count;
}

/* What must hold of them. */

static size_t packed_into(const struct branch *from, size_t count, size_t capacity)
{
    pack_begin(&pack, bytes, capacity);
    for (size_t i = 0; i < count; i++)
        pack_add(&pack, &from[i]);
    return pack_end(&pack);
}

static void fits_exactly(size_t count, size_t size)
{
    MUST(packed_into(records, count, size - 1) == 0);
    MUST(packed_into(records, count, size) == size);
}

static void comes_back_from_packing(size_t count)
{
    size_t size = packed_into(records, count, sizeof(bytes));
    struct branch got;

    MUST(size > 0);
    unpack_begin(&pack, bytes, size);
    for (size_t i = 0; i < count; i++)
        MUST(unpack_next(&pack, &got) && equal(&got, &records[i]));
    MUST(pack.at <= size);
}

static struct log log_of_one = { .machine = {
                                     .caller = { .call = 0x5e001200, .back = 0x5e001202 },
                                     .image = { .base = 0x5e000000, .size = 0x40000 } } };
static struct loaded loaded = { .at = 0x5e010000 };

/* Frees the lines, too. */
static void comes_back_from(struct run *run, size_t count, bool whole)
{
    const struct run_records got = run_records(&log_of_one, run);

    MUST(got.count == count && (count == run->records) == whole);
    for (size_t i = 0; i < count; i++)
        MUST(equal(&got.at[i], &records[i]));
    forget_lines(run);
}

static void comes_back_from_folding(size_t count)
{
    struct run run = { .workload = &loaded, .method = method_named("bts") };
    struct fold fold;

    for (size_t at = 0, covered; at < count; at += covered) {
        covered = fold_next(records, NULL, count, at, &fold);
        MUST(covered >= 1 && covered <= count - at);
        MUST(fold.times >= 1 && fold.again <= FOLD_REACH);
        add_line(&run, records[at], (uint32_t)fold.again, (uint32_t)fold.times);
    }
    comes_back_from(&run, count, true);
}

/* As far as they can be of BTS, whose records have no third field. */
static void comes_back_from_a_packed_run(size_t count)
{
    struct run run = { .workload = &loaded, .method = method_named("bts") };
    struct log_map map = map_of(&log_of_one, &loaded);
    size_t possible = 0;

    for (size_t i = 0; i < count; i++)
        if (!portable_from(&map, &records[i], &packable[i]))
            return; /* an address that no processor makes */
    if (count == 0)
        return;
    add_packed(&run, bytes, packed_into(packable, count, sizeof(bytes)), count);
    while (possible < count && records[possible].info == 0)
        possible++;
    comes_back_from(&run, possible, possible == count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t count;

    if (size == 0)
        return 0;
    loaded.own = &__start_workloads[0];
    count = data[0] & 1 ? from_packed(data + 1, size - 1) : from_recipe(data + 1, size - 1);
    comes_back_from_packing(count);
    if (data[0] & 2) /* not always: packing takes the most time here */
        fits_exactly(count, packed_into(records, count, sizeof(bytes)));
    comes_back_from_folding(count);
    comes_back_from_a_packed_run(count);
    return 0;
}
