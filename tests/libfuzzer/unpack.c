/*
 * Records, packed and folded in every way that there is: they must come back.
 *
 * The first byte of an input says how the rest is read, as packed bytes, which may be
 * anything, or as a way to make records, and whether the exact size is tried.
 */
#include "fuzz.h"
#include "fold.h"
#include "log_run.h"
#include "tests/unit/lines.h"
#include "pack.h"
#include "parsed.h"
#include "portable.h"

#define RECORDS_MAX 300

static struct branch records[RECORDS_MAX], packable[RECORDS_MAX];
static uint8_t bytes[64 * RECORDS_MAX];
static struct pack pack;

static size_t from_packed(const uint8_t *data, size_t size)
{
    size_t count = 0;

    unpack_begin(&pack, data, size);
    while (count < RECORDS_MAX && unpack_next(&pack, &records[count]))
        count++;
    MUST(pack.at <= size);
    return count;
}

/* Four bytes each: a step, short or to the other end of memory, or records that come again.
 */
static size_t from_recipe(const uint8_t *data, size_t size)
{
    struct branch now = { 0, 0, 0 };
    size_t count = 0;

    for (const uint8_t *at = data; at + 4 <= data + size && count < RECORDS_MAX; at += 4) {
        const size_t back = 1 + at[1] % 64, shift = at[0] & 2 ? at[0] >> 2 : 0;

        now.from += (uint64_t)(at[1] - 128) << shift;
        now.to += (uint64_t)(at[2] - 128) << shift;
        now.info = at[0] & 4 ? (uint64_t)at[3] << (at[0] >> 3) : 0;
        if (at[0] & 1 && back <= count)
            for (size_t n = 0; n <= at[2] % 100u && count < RECORDS_MAX; n++, count++)
                records[count] = records[count - back];
        else
            records[count++] = now;
    }
    return count;
}

static size_t packed_into(const struct branch *from, size_t count, size_t capacity)
{
    pack_begin(&pack, bytes, capacity);
    for (size_t i = 0; i < count; i++)
        pack_add(&pack, &from[i]);
    return pack_end(&pack);
}

static bool equal(const struct branch *a, const struct branch *b)
{
    return a->from == b->from && a->to == b->to && a->info == b->info;
}

static void comes_back_from_packing(size_t count, bool exactly)
{
    size_t size = packed_into(records, count, sizeof(bytes));
    struct branch got;

    MUST(size > 0);
    if (exactly) { /* not always: packing takes the most time here */
        MUST(packed_into(records, count, size - 1) == 0);
        MUST(packed_into(records, count, size) == size);
    }
    unpack_begin(&pack, bytes, size);
    for (size_t i = 0; i < count; i++)
        MUST(unpack_next(&pack, &got) && equal(&got, &records[i]));
    MUST(pack.at <= size);
}

static struct log log_of_one = { .machine = {
                                     .caller = { .call = 0x5e001200, .back = 0x5e001202 },
                                     .image = { .base = 0x5e000000, .size = 0x40000 } } };
static struct loaded loaded = { .at = 0x5e010000 };

static void comes_back_from(struct run *run, size_t count, bool whole)
{
    const struct run_records got = run_records(&log_of_one, run);

    MUST(got.count == count && (count == run->records) == whole);
    for (size_t i = 0; i < count; i++)
        MUST(equal(&got.at[i], &records[i]));
    free_lines_made();
    lines_made = NULL;
    lines_made_count = lines_made_capacity = 0;
}

static void comes_back_from_folding(struct run run, size_t count)
{
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
static void comes_back_from_a_packed_run(struct run run, size_t count)
{
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
    const struct run run = { .workload = &loaded, .method = method_named("bts") };
    size_t count;

    if (size == 0)
        return 0;
    loaded.own = &__start_workloads[0];
    count = data[0] & 1 ? from_packed(data + 1, size - 1) : from_recipe(data + 1, size - 1);
    comes_back_from_packing(count, data[0] & 2);
    comes_back_from_folding(run, count);
    comes_back_from_a_packed_run(run, count);
    return 0;
}
