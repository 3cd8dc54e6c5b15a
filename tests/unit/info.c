// LINK: common/facts/model.c common/facts/filter.c common/base/text.c common/facts/info.c
#include "common/facts/info.c"

#include "test.h"

static struct info info;

/* What the row decodes of these registers, with this LBR_FMT; false: no field at all. */
static bool decode(const char *row, uint8_t format, uint64_t from, uint64_t to,
                   uint64_t beside)
{
    const struct cpu_id id = { .lbr_format = format };
    const struct info_form *form = info_form_of(model_named(row), &id);
    const uint64_t registers[INFO_REGISTERS] = { from, to, beside };

    memset(&info, 0xee, sizeof(info));
    if (form)
        info = info_decode(form, registers);
    return form;
}

/* "mispredicted+cycles" of a row; fields: CPUID.1CH:ECX. */
static const char *words(const char *row, uint8_t format, uint8_t fields)
{
    static char buffer[100];
    const struct cpu_id id = { .lbr_format = format, .arch_lbr_fields = fields };
    struct text text = text_into(buffer, sizeof(buffer));

    info_put_words(&text, info_words_of(model_named(row), &id));
    return buffer;
}

#define SAYS(mispredicted, cycles, type, in_tsx, abort, speculative)        \
    CHECK(info.values[0] == (mispredicted) && info.values[1] == (cycles) && \
          info.values[2] == (type) && info.values[3] == (in_tsx) &&         \
          info.values[4] == (abort) && info.values[5] == (speculative))

TEST(nehalem_to_ivy_bridge_have_one_flag_in_from)
{
    CHECK(decode("nehalem", 3, 0x8000000000401000, 0x402000, 0));
    SAYS(1, 0, 0, 0, 0, 0);
    CHECK(decode("sandybridge", 3, 0x7fff800000401000, 0xffff800000402000, 0));
    SAYS(0, 0, 0, 0, 0, 0);
    CHECK_TEXT(words("sandybridge", 3, 0), "mispredicted");
}

TEST(haswell_has_three)
{
    CHECK(decode("haswell", 4, 0x8000000000401000, 0x402000, 0));
    SAYS(1, 0, 0, 0, 0, 0);
    CHECK(decode("haswell", 4, 0x4000000000401000, 0x402000, 0));
    SAYS(0, 0, 0, 1, 0, 0);
    CHECK(decode("haswell", 4, 0x2000000000401000, 0x402000, 0));
    SAYS(0, 0, 0, 0, 1, 0);
    CHECK(decode("haswell", 4, 0x1fff800000401000, 0xffff800000402000, 0));
    SAYS(0, 0, 0, 0, 0, 0);
    CHECK_TEXT(words("haswell", 4, 0), "mispredicted+in_tsx+abort");
}

TEST(goldmont_has_its_cycles_in_to)
{
    CHECK(decode("goldmont", 6, 0x8000000000401000, 0x012c000000402000, 0));
    SAYS(1, 300, 0, 0, 0, 0);
    CHECK(decode("goldmont", 6, 0x7fff800000401000, 0xffff800000402000, 0));
    SAYS(0, 65535, 0, 0, 0, 0);
    CHECK_TEXT(words("goldmont", 6, 0), "mispredicted+cycles");
}

TEST(skylake_has_a_register_of_its_own)
{
    CHECK(decode("skylake", 5, 0xffff800000401000, 0xffff800000402000, 0x800000000000012c));
    SAYS(1, 300, 0, 0, 0, 0);
    CHECK(decode("skylake", 5, 0, 0, 0x4000000000000000));
    SAYS(0, 0, 0, 1, 0, 0);
    CHECK(decode("skylake", 5, 0, 0, 0x200000000000ffff));
    SAYS(0, 65535, 0, 0, 1, 0);
    CHECK(decode("skylake", 5, 0, 0, 0x1fffffffffff0000)); /* undefined bits */
    SAYS(0, 0, 0, 0, 0, 0);
    CHECK_TEXT(words("skylake", 5, 0), "mispredicted+cycles+in_tsx+abort");
    CHECK_TEXT(words("skylake", 0, 0), "mispredicted+cycles+in_tsx+abort");
}

TEST(format_7_has_no_tsx)
{
    CHECK(decode("skylake", 7, 0, 0, 0xe000000000000007));
    SAYS(1, 7, 0, 0, 0, 0);
    CHECK_TEXT(words("skylake", 7, 0), "mispredicted+cycles");
}

TEST(architectural_lbr_has_the_type_too)
{
    static const enum info_type of_code[16] = {
        INFO_TYPE_JCC,   INFO_TYPE_IJMP,  INFO_TYPE_JMP,      INFO_TYPE_ICALL,
        INFO_TYPE_CALL,  INFO_TYPE_RET,   INFO_TYPE_RESERVED, INFO_TYPE_RESERVED,
        INFO_TYPE_OTHER, INFO_TYPE_OTHER, INFO_TYPE_OTHER,    INFO_TYPE_OTHER,
        INFO_TYPE_OTHER, INFO_TYPE_OTHER, INFO_TYPE_OTHER,    INFO_TYPE_OTHER,
    };

    CHECK(decode("archlbr", 0x3f, 0, 0, 0x950000000000012c));
    SAYS(1, 300, INFO_TYPE_RET, 0, 0, 0);
    CHECK(decode("archlbr", 0x3f, 0, 0, 0x71000000ff000001)); /* counters in between */
    SAYS(0, 1, INFO_TYPE_IJMP, 1, 1, 0);
    for (uint64_t code = 0; code < 16; code++) {
        CHECK(decode("archlbr", 0x3f, 0, 0, code << 56 | 1ull << 60));
        SAYS(0, 0, of_code[code], 0, 0, 0);
    }
}

TEST(event_counters_beside_a_record_are_not_read)
{
    CHECK(decode("archlbr", 0x3f, 0, 0, 0x180000ff0000000c));
    SAYS(0, 12, INFO_TYPE_OTHER, 0, 0, 0);
    CHECK(decode("archlbr", 0x3f, 0, 0, 0x080000ff0000000c)); /* cycles do not count */
    SAYS(0, INFO_UNKNOWN, INFO_TYPE_OTHER, 0, 0, 0);
}

TEST(cycles_that_are_not_valid_are_not_known)
{
    CHECK(decode("archlbr", 0x3f, 0, 0, 0x020000000000012c));
    SAYS(0, INFO_UNKNOWN, INFO_TYPE_JMP, 0, 0, 0);
}

TEST(cpuid_says_which_of_them_there_are)
{
    CHECK_TEXT(words("archlbr", 0x3f, 7), "mispredicted+cycles+type+in_tsx+abort");
    CHECK_TEXT(words("archlbr", 0x3f, 1), "mispredicted+in_tsx+abort");
    CHECK_TEXT(words("archlbr", 0x3f, 2), "cycles+in_tsx+abort");
    CHECK_TEXT(words("archlbr", 0x3f, 4), "type+in_tsx+abort");
}

TEST(zen_4_has_mispredicted_and_speculative)
{
    CHECK(decode("zen4", 0, 0x8000000000401000, 0x8000000000402000, 0));
    SAYS(1, 0, 0, 0, 0, 0);
    CHECK(decode("zen4", 0, 0x0000000000401000, 0xc000000000402000, 0));
    SAYS(0, 0, 0, 0, 0, 1);
    CHECK_TEXT(words("zen4", 0, 0), "mispredicted+speculative");
}

TEST(knights_landing_hides_its_flag_from_the_format)
{
    CHECK(decode("knl", 1, 0x8000000000401000, 0x402000, 0));
    SAYS(1, 0, 0, 0, 0, 0);
}

TEST(older_ones_say_nothing)
{
    CHECK(!decode("core2", 2, 0, 0, 0) && !decode("silvermont", 1, 0, 0, 0));
    CHECK(!decode("netburst", 0, 0, 0, 0) && !decode("zen3", 0, 0, 0, 0));
    CHECK_TEXT(words("pentiumm", 0, 0), "");
}

TEST(every_row_with_flags_or_a_register_says_what_they_are)
{
    for (size_t i = 0; i < model_count; i++) {
        const struct lbr_layout *lbr = &models[i].lbr;

        if (lbr->from ==
            0x1db) /* AMD's pair: no source names the bits beside the address */
            CHECK(!lbr->fields);
        else
            CHECK((lbr->from_flags || lbr->to_flags || lbr->info) == (lbr->fields != NULL));
        CHECK(!lbr->fields ||
              (lbr->fields->source[0] && lbr->fields->confidence != UNSAID));
    }
}

TEST(an_event_is_another_type)
{
    CHECK(info_type_of(KIND_JCC) == INFO_TYPE_JCC &&
          info_type_of(KIND_JMP) == INFO_TYPE_JMP);
    CHECK(info_type_of(KIND_IJMP) == INFO_TYPE_IJMP);
    CHECK(info_type_of(KIND_CALL) == INFO_TYPE_CALL);
    CHECK(info_type_of(KIND_ICALL) == INFO_TYPE_ICALL);
    CHECK(info_type_of(KIND_RET) == INFO_TYPE_RET);
    CHECK(info_type_of(KIND_INT) == INFO_TYPE_OTHER);
    CHECK(info_type_of(KIND_EXC) == INFO_TYPE_OTHER);
    CHECK(info_type_of(KIND_IRET) == INFO_TYPE_OTHER);
    CHECK(info_type_of(KIND_FAR) == INFO_TYPE_OTHER);
}
