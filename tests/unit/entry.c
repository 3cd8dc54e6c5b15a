// LINK: common/facts/filter.c common/facts/info.c common/base/text.c
#include "common/facts/entry.c"

#include "test.h"

// LINK: common/facts/model.c common/facts/info.c

/* A row's layout by name. */
static const struct lbr_layout *layout(const char *name)
{
    return &model_named(name)->lbr;
}

static struct branch decoded;

static bool decode(const char *name, uint8_t format, uint64_t from, uint64_t to)
{
    const struct lbr_layout *lbr = layout(name);
    decoded = (struct branch){ 1, 1, 1 };
    return entry_decode(lbr, entry_from_flags(lbr, format), from, to, &decoded);
}

#define DECODES_TO(f, t) \
    CHECK(decoded.from == (f) && decoded.to == (t) && decoded.info == 0)

TEST(a_plain_pair_is_two_addresses)
{
    CHECK(decode("core2", 2, 0x401000, 0x402000));
    DECODES_TO(0x401000, 0x402000);
    CHECK(decode("netburst", 0, 0xffff800000001000, 0xffff800000002000));
    DECODES_TO(0xffff800000001000, 0xffff800000002000);
}

TEST(a_packed_entry_has_from_in_the_low_half)
{
    CHECK(decode("pentiumm", 0, 0x0040200000401000, 0));
    DECODES_TO(0x401000, 0x402000);
    CHECK(decode("willamette", 0, 0x8040200080401000, 0));
    DECODES_TO(0x80401000, 0x80402000); /* 32-bit addresses have no sign here */
}

TEST(p6_has_32_bits_of_each)
{
    CHECK(decode("p6", 0, 0xdead00000000ull + 0x401000, 0x402000));
    DECODES_TO(0x401000, 0x402000);
}

TEST(above_bit_56_amds_pair_has_no_address)
{
    CHECK(decode("zen3", 0, 0xe000000000401000, 0x6000000000402000));
    DECODES_TO(0x401000, 0x402000);
    CHECK(decode("amd", 0, 0x61ff800000001000, 0xffff800000002000));
    DECODES_TO(0xffff800000001000, 0xffff800000002000);
    CHECK(decode("zen", 0, 0xe000000000401000, 0x402000));
    DECODES_TO(0x401000, 0x402000);
}

TEST(a_mispredicted_branch_has_the_same_address)
{
    CHECK(decode("sandybridge", 3, 0x8000000000401000, 0x402000));
    DECODES_TO(0x401000, 0x402000);
    CHECK(decode("nehalem", 3, 0x7fff800000001000, 0xffff800000002000));
    DECODES_TO(0xffff800000001000, 0xffff800000002000);
}

TEST(three_flags_stand_above_a_haswell_address)
{
    CHECK(decode("haswell", 4, 0xe000000000401000, 0x402000));
    DECODES_TO(0x401000, 0x402000);
    CHECK(decode("haswell", 4, 0x1fff800000001000, 0xffff800000002000));
    DECODES_TO(0xffff800000001000, 0xffff800000002000);
}

TEST(goldmont_counts_cycles_in_to)
{
    CHECK(decode("goldmont", 6, 0x8000000000401000, 0x1234000000402000));
    DECODES_TO(0x401000, 0x402000);
    CHECK(decode("goldmont", 6, 0x7fff800000001000, 0x1234800000002000));
    DECODES_TO(0xffff800000001000, 0xffff800000002000);
}

TEST(knights_landing_hides_its_flag_behind_format_1)
{
    CHECK(decode("knl", 1, 0x8000000000401000, 0x402000));
    DECODES_TO(0x401000, 0x402000);
    CHECK(decode("silvermont", 1, 0xffff800000001000, 0x402000)); /* format 1 as it says */
    DECODES_TO(0xffff800000001000, 0x402000);
}

TEST(skylake_keeps_its_flags_elsewhere)
{
    CHECK(decode("skylake", 5, 0xffff800000001000, 0xffff800000002000));
    DECODES_TO(0xffff800000001000, 0xffff800000002000);
    CHECK(decode("skylake", 7, 0x401000, 0x402000));
    DECODES_TO(0x401000, 0x402000);
}

TEST(an_amd_entry_counts_only_when_it_is_valid)
{
    CHECK(decode("zen4", 0, 0x8000000000401000, 0x8000000000402000));
    DECODES_TO(0x401000, 0x402000);
    CHECK(decode("zen4", 0, 0x401000, 0xc000000000402000)); /* speculative, right path */
    DECODES_TO(0x401000, 0x402000);
    CHECK(!decode("zen4", 0, 0x401000, 0x4000000000402000)); /* wrong path */
    CHECK(!decode("zen4", 0, 0x401000, 0xa000000000402000)); /* erratum 1452 */
    CHECK(!decode("zen4", 0, 0x401000, 0x402000)); /* not written since it was cleared */
    CHECK(decode("zen4", 0, 0x01ff800000001000, 0x81ff800000002000));
    DECODES_TO(0xffff800000001000, 0xffff800000002000);
}

static bool is_wrong_path(const char *model, uint64_t to)
{
    return entry_is_wrong_path(&model_named(model)->lbr, to);
}

TEST(a_wrong_path_entry_was_used_and_an_empty_one_was_not)
{
    CHECK(is_wrong_path("zen4", 0x4000000000402000)); /* V=0, S=1     */
    CHECK(is_wrong_path("zen4", 0xa000000000402000)); /* erratum 1452 */
    CHECK(!is_wrong_path("zen4", 0xc000000000402000));
    CHECK(!is_wrong_path("zen4", 0x8000000000402000));
    CHECK(!is_wrong_path("zen4", 0x402000) && !is_wrong_path("zen4", 0));
    CHECK(!is_wrong_path("skylake", 0x4000000000402000)); /* no such bits */
}

static bool decode_ler(const char *model, uint8_t format, uint64_t from, uint64_t to)
{
    const struct model *row = model_named(model);

    return entry_decode_ler(row, entry_from_flags(&row->lbr, format), from, to, &decoded);
}

TEST(the_last_exception_record_is_a_pair_wherever_the_stack_is_packed)
{
    CHECK(decode_ler("pentiumm", 0, 0xff00401000, 0xff00402000));
    DECODES_TO(0x401000, 0x402000);
    CHECK(decode_ler("p6", 0, 0x401000, 0x402000));
    DECODES_TO(0x401000, 0x402000);
    CHECK(decode_ler("netburst", 0, 0xffff800000001000, 0x402000));
    DECODES_TO(0xffff800000001000, 0x402000);
}

TEST(the_last_exception_record_has_the_flags_of_the_stack_but_amds)
{
    CHECK(decode_ler("haswell", 4, 0xa000000000401000, 0x402000));
    DECODES_TO(0x401000, 0x402000);
    CHECK(decode_ler("zen4", 0, 0x401000, 0x402000)); /* with no bit that says valid */
    DECODES_TO(0x401000, 0x402000);
    CHECK(!decode_ler("zen4", 0, 0, 0));
}

/* Seen on Zen 4 and 5: bits 63:57 of the pair are no part of the address. */
TEST(the_address_in_amds_pair_is_bits_56_to_0)
{
    CHECK(decode("zen3", 0, 0x8000000000401000, 0x7e00000000402000));
    DECODES_TO(0x401000, 0x402000);
    CHECK(decode("zen3", 0, 0x01ff800000001000, 0xffff800000002000));
    DECODES_TO(0xffff800000001000, 0xffff800000002000);
    CHECK(decode_ler("zen4", 0, 0x8000000000401000, 0x01ff800000002000));
    DECODES_TO(0x401000, 0xffff800000002000);
    CHECK(decode_ler("zen3", 0, 0x4000000000401000, 0x402000));
    DECODES_TO(0x401000, 0x402000);
}

TEST(two_zeros_are_no_branch)
{
    CHECK(!decode("core2", 2, 0, 0));
    CHECK(!decode("pentiumm", 0, 0, 0));
    CHECK(!decode("archlbr", 0x3f, 0, 0));
    CHECK(decode("core2", 2, 0, 0x1000));
}
