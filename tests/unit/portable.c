// LINK: common/base/text.c
#include "common/log/portable.c"

#include "test.h"

static const struct workload workload = { .size = 0x40 };
static const struct log_map here = { .workload = &workload,
                                     .workload_at = 0x101000,
                                     .call = 0x100010,
                                     .back = 0x100013,
                                     .image_at = 0x100000,
                                     .image_size = 0x8000 };
static const struct log_map there = { .workload = &workload,
                                      .workload_at = 0x7701000,
                                      .call = 0x7700010,
                                      .back = 0x7700013,
                                      .image_at = 0x7700000,
                                      .image_size = 0x8000 };

/* A branch seen here, as it would have been seen there. */
static struct branch moved(uint64_t from, uint64_t to)
{
    struct branch branch = { from, to, 2 }, portable;
    CHECK(portable_from(&here, &branch, &portable));
    portable_to(&there, &portable, &branch);
    CHECK(branch.info == 2);
    return branch;
}

static void moves(uint64_t from, uint64_t to, uint64_t new_from, uint64_t new_to)
{
    struct branch branch = moved(from, to);
    CHECK(branch.from == new_from && branch.to == new_to);
}

TEST(an_end_in_the_workload_moves_with_it)
{
    moves(0x101000, 0x10103f, 0x7701000, 0x770103f);
}

TEST(the_caller_is_call_as_from_and_return_as_to)
{
    moves(0x100010, 0x101000, 0x7700010, 0x7701000);
    moves(0x101004, 0x100013, 0x7701004, 0x7700013);
    moves(0x100013, 0x100010, 0x7700013, 0x7700010); /* as offsets in the image */
}

TEST(the_image_moves_too)
{
    moves(0x101040, 0x107fff, 0x7701040, 0x7707fff);
}

TEST(any_other_address_stays)
{
    moves(0, 0x108000, 0, 0x108000);
    moves(BRANCH_UNKNOWN, 0xffff800000000000, BRANCH_UNKNOWN, 0xffff800000000000);
    moves(0xfffff, 0x7fffffffffff, 0xfffff, 0x7fffffffffff);
}

/* An unknown end has no tag's highest byte, and is no address of 48 or 57 bits. */
TEST(an_end_that_is_not_known_stays_and_is_no_address)
{
    moves(BRANCH_UNKNOWN, BRANCH_UNKNOWN, BRANCH_UNKNOWN, BRANCH_UNKNOWN);
    moves(BRANCH_MISSING, BRANCH_MISSING, BRANCH_MISSING, BRANCH_MISSING);
    moves(0xffffffffffffffff, 0, 0xffffffffffffffff, 0);
    CHECK(!branch_is_canonical(BRANCH_UNKNOWN) && !branch_is_canonical(BRANCH_MISSING));
    CHECK(branch_is_canonical(0xffffffffffffffff) && branch_is_canonical(0));
    CHECK(branch_is_canonical(0xff00000000000000) && !branch_is_canonical(1ull << 56));
}

TEST(an_address_that_looks_tagged_is_refused)
{
    struct branch portable;
    CHECK(!portable_from(&here, &(struct branch){ 0x0100000000000000, 0, 0 }, &portable));
    CHECK(!portable_from(&here, &(struct branch){ 0, 0x03ffffffffffffff, 0 }, &portable));
    CHECK(portable_from(&here, &(struct branch){ 0x0400000000000000, 0, 0 }, &portable));
}
