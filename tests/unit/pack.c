// LINK: common/log/crc32.c
#include "common/branch/pack.c"

#include <stdlib.h>

#include "log.h"
#include "test.h"

#define ROOM (1 << 20)
static struct pack packer;
static uint8_t bytes[ROOM];

static size_t pack_all(const struct branch *records, size_t count, size_t capacity)
{
    pack_begin(&packer, bytes, capacity);
    for (size_t i = 0; i < count; i++)
        pack_add(&packer, &records[i]);
    return pack_end(&packer);
}

/* How many of the records so many bytes give again. */
static size_t given_by(const struct branch *records, size_t count, size_t size)
{
    struct branch got;
    size_t i = 0;

    unpack_begin(&packer, bytes, size);
    while (i < count && unpack_next(&packer, &got) && branch_same(&got, &records[i]))
        i++;
    return i;
}

/* Whether unpacking gives them all with nothing left, and not with one byte fewer. */
static bool comes_back(const struct branch *records, size_t count, size_t size)
{
    return given_by(records, count, size) == count && unpack_ended(&packer) &&
           (count == 0 || given_by(records, count, size - 1) < count);
}

TEST(nothing_packs_to_a_few_bytes)
{
    size_t size = pack_all(NULL, 0, ROOM);
    CHECK(size == 8);
}

TEST(every_field_comes_back)
{
    const struct branch records[] = {
        { 0, 0, 0 },
        { UINT64_MAX, 0x401000, 1 },
        { 0x7fffffffffff, 0xffff800000000000, 2 },
        { 1, UINT64_MAX, UINT64_MAX },
        { 0x8000000000000000, 0x8000000000000000, 0x8000000000000000 },
        { UINT64_MAX, 0x401000, 1 },
        { UINT64_MAX, 0x401000, 2 },
    };
    size_t count = sizeof(records) / sizeof(records[0]);
    size_t size = pack_all(records, count, ROOM);
    CHECK(size > 0 && comes_back(records, count, size));
}

#define LONG 200000
static struct branch many[LONG];

TEST(a_loop_takes_next_to_nothing)
{
    for (size_t i = 0; i < LONG; i++)
        many[i] = (struct branch){ 0x400000 + i % 7 * 16, 0x400008 + i % 7 * 16, 0 };
    size_t size = pack_all(many, LONG, ROOM);
    CHECK(size > 0 && size < LONG / 8 / 100); /* under a hundredth of a bit a record */
    CHECK(comes_back(many, LONG, size));
}

TEST(a_coin_takes_a_bit)
{
    unsigned long long state = 1;
    for (size_t i = 0; i < LONG; i++)
        many[i] = (struct branch){ 0x400000,
                                   test_random(&state) >> 40 & 1 ? 0x500000 : 0x600000, 0 };
    size_t size = pack_all(many, LONG, ROOM);
    CHECK(size > LONG / 8 && size < LONG / 8 * 12 / 10); /* entropy: exactly one bit */
    CHECK(comes_back(many, LONG, size));
}

TEST(more_different_records_than_are_remembered_come_back)
{
    unsigned long long state = 2;
    for (size_t i = 0; i < LONG; i++) {
        uint64_t r = test_random(&state);
        many[i] = (struct branch){ r % 50000, (r >> 20) % 50000, r >> 60 };
    }
    size_t size = pack_all(many, LONG, sizeof bytes);
    CHECK(size == 0 || comes_back(many, LONG, size));
    size = pack_all(many, 100000, sizeof bytes);
    CHECK(size > 0 && comes_back(many, 100000, size));
}

TEST(too_little_room_is_said)
{
    for (size_t i = 0; i < 1000; i++)
        many[i] = (struct branch){ i * i * 977, i * i * 1009, 0 };
    size_t size = pack_all(many, 1000, ROOM);
    CHECK(size > 100);
    CHECK(pack_all(many, 1000, size) == size);
    CHECK(pack_all(many, 1000, size - 1) == 0);
    CHECK(pack_all(many, 1000, 0) == 0);
}

TEST(bytes_that_end_early_are_noticed)
{
    for (size_t i = 0; i < 1000; i++)
        many[i] = (struct branch){ i * 977, i * 1009, 0 };
    size_t size = pack_all(many, 1000, ROOM);
    CHECK(!comes_back(many, 1000, size / 2));
    CHECK(!comes_back(many, 1000, 0));
}

#define SIZE_OF_CODER_3 65844
#define CRC_OF_CODER_3  0xb7364870
/* Made once by the packer: bytes that change are those of another coder, and want its
 * number. */
TEST(the_bytes_are_those_of_coder_3)
{
    uint32_t state = 1;

    for (size_t i = 0; i < 100000; i++) {
        state = state * 1664525u + 1013904223u; /* Numerical Recipes, "ranqd1" */
        many[i] = (struct branch){ 0x100000000000000u | (state >> 28), state >> 30, 0 };
    }
    size_t size = pack_all(many, 100000, ROOM);
    CHECK(PACK_CODER == 3);
    CHECK(size == SIZE_OF_CODER_3 && log_crc32(0, bytes, size) == CRC_OF_CODER_3);
}

/* What the packer never writes: a record that is known where none is. */
TEST(a_number_that_none_has_is_noticed)
{
    struct branch got;

    pack_begin(&packer, bytes, ROOM);
    code_bit(&packer, false, &packer.is_known, true);
    size_t size = pack_end(&packer);
    unpack_begin(&packer, bytes, size);
    CHECK(!unpack_next(&packer, &got));
}

TEST(any_bytes_are_safe_to_unpack)
{
    unsigned long long state = 3;
    for (int round = 0; round < 200; round++) {
        struct branch got;
        size_t size = test_random(&state) % 500;
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)(test_random(&state) >> 33);
        unpack_begin(&packer, bytes, size);
        for (int i = 0; i < 100000 && unpack_next(&packer, &got); i++) {
        }
    }
}
