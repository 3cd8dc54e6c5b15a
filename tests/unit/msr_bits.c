// LINK: common/base/text.c common/facts/model.c common/facts/filter.c common/facts/info.c
#include "common/facts/msr_bits.c"

#include "test.h"

static const char *bits(const char *vendor, const char *model, uint32_t number,
                        uint64_t value)
{
    static char buffer[512];
    struct text out = text_into(buffer, sizeof buffer);
    const struct trace_msr_set set = { vendor, model ? model_named(model) : NULL, 32,
                                       true };
    msr_bits_put(&out, &set, number, value);
    return buffer;
}

TEST(debugctl_has_the_names_of_the_model)
{
    CHECK_TEXT(bits("GenuineIntel", "skylake", 0x1d9, 3), " (LBR BTF)");
    CHECK_TEXT(bits("GenuineIntel", "skylake", 0x1d9, 0x7c0),
               " (TR BTS BTINT BTS_OFF_OS BTS_OFF_USR)");
    CHECK_TEXT(bits("GenuineIntel", "skylake", 0x1d9, 0x5801),
               " (LBR FREEZE_LBRS_ON_PMI FREEZE_PERFMON_ON_PMI FREEZE_WHILE_SMM)");
    CHECK_TEXT(bits("GenuineIntel", "netburst", 0x1d9, 0x7c),
               " (TR BTS BTINT BTS_OFF_OS BTS_OFF_USR)");
    CHECK_TEXT(bits("AuthenticAMD", "zen4", 0x1d9, 0x803), " (LBR BTF FLBRI)");
}

TEST(a_bit_without_a_name_has_its_number)
{
    CHECK_TEXT(bits("AuthenticAMD", "zen4", 0x1d9, 0x40), " (bit6)");
    CHECK_TEXT(bits("GenuineIntel", NULL, 0x1d9, 3), " (bit0 bit1)");
    CHECK_TEXT(bits("GenuineIntel", "archlbr", 0x1d9, 3), " (bit0 BTF)");
    CHECK_TEXT(bits("GenuineIntel", "skylake", 0x1d9, UINT64_C(1) << 63), " (bit63)");
}

TEST(filters_have_the_names_of_their_register)
{
    CHECK_TEXT(bits("GenuineIntel", "skylake", 0x1c8, 0x3ff),
               " (CPL_EQ_0 CPL_NEQ_0 JCC NEAR_REL_CALL NEAR_IND_CALL NEAR_RET NEAR_IND_JMP "
               "NEAR_REL_JMP FAR_BRANCH EN_CALLSTACK)");
    CHECK_TEXT(bits("GenuineIntel", "archlbr", 0x14ce, 0x7f000f),
               " (LBREn OS USR CALL_STACK JCC NEAR_REL_JMP NEAR_IND_JMP NEAR_REL_CALL "
               "NEAR_IND_CALL NEAR_RET OTHER_BRANCH)");
    CHECK_TEXT(bits("AuthenticAMD", "zen4", 0xc000010e, 1), " (CPL_EQ_0)");
    CHECK_TEXT(bits("AuthenticAMD", "zen4", 0xc000010f, 0x40), " (LBRV2EN)");
}

TEST(availability_and_freezing_have_names)
{
    CHECK_TEXT(bits("GenuineIntel", "skylake", 0x1a0, 0x4062973889),
               " (PERFMON_AVAILABLE BTS_UNAVAILABLE PEBS_UNAVAILABLE)");
    CHECK_TEXT(bits("GenuineIntel", "skylake", 0x38e, UINT64_C(1) << 58), " (LBR_FRZ)");
    CHECK_TEXT(bits("AuthenticAMD", "zen4", 0x1a0, 0x80), "");
}

TEST(zero_and_other_registers_have_none)
{
    CHECK_TEXT(bits("GenuineIntel", "skylake", 0x1d9, 0), "");
    CHECK_TEXT(bits("GenuineIntel", "skylake", 0x680, 0xffff), "");
    CHECK_TEXT(bits("GenuineIntel", "skylake", 0x1c9, 7), "");
    CHECK_TEXT(bits("GenuineIntel", NULL, 0x1c8, 7), "");
    CHECK_TEXT(bits("GenuineIntel", "skylake", 0x1a0, 1), "");
}
