// LINK: common/base/text.c common/facts/model.c common/facts/filter.c common/facts/info.c
#include "common/facts/trace_msr.c"

#include "test.h"

static struct trace_msr_set set_of(const char *vendor, const char *model, size_t depth)
{
    return (struct trace_msr_set){ vendor, model ? model_named(model) : NULL, depth,
                                   false };
}

static void is_named(const struct trace_msr_set *set, const char *name, uint32_t number)
{
    struct trace_msr msr = { .number = 0 };
    CHECK(trace_msr_named(set, name, &msr));
    CHECK(msr.number == number);
}

static void is_numbered(const struct trace_msr_set *set, uint32_t number, const char *name)
{
    struct trace_msr msr = { .name = "none" };
    CHECK(trace_msr_numbered(set, number, &msr));
    CHECK_TEXT(msr.name, name);
}

static bool has(const struct trace_msr_set *set, const char *name)
{
    struct trace_msr msr = { .number = 0 };
    return trace_msr_named(set, name, &msr);
}

TEST(skylake_has_a_stack_of_32_with_a_filter)
{
    struct trace_msr_set set = set_of("GenuineIntel", "skylake", 32);
    is_named(&set, "MSR_LASTBRANCH_TOS", 0x1c9);
    is_named(&set, "MSR_LBR_SELECT", 0x1c8);
    is_named(&set, "MSR_LASTBRANCH_0_FROM_IP", 0x680);
    is_named(&set, "MSR_LASTBRANCH_31_TO_IP", 0x6df);
    is_named(&set, "MSR_LASTBRANCH_31_INFO", 0xddf);
    is_named(&set, "MSR_LER_FROM_LIP", 0x1dd);
    is_numbered(&set, 0x1de, "MSR_LER_TO_LIP");
    is_numbered(&set, 0x38f, "IA32_PERF_GLOBAL_CTRL");
    CHECK(!has(&set, "MSR_LASTBRANCH_32_FROM_IP"));
    CHECK(!has(&set, "IA32_LBR_CTL") && !has(&set, "PerfCntrGlobalCtl"));
}

TEST(architectural_lbr_has_names_of_its_own)
{
    struct trace_msr_set set = set_of("GenuineIntel", "archlbr", 16);
    is_named(&set, "IA32_LBR_CTL", 0x14ce);
    is_named(&set, "IA32_LBR_DEPTH", 0x14cf);
    is_numbered(&set, 0x150f, "IA32_LBR_15_FROM_IP");
    is_numbered(&set, 0x1600, "IA32_LBR_0_TO_IP");
    is_numbered(&set, 0x1dd, "IA32_LER_FROM_IP");
    CHECK(!has(&set, "MSR_LASTBRANCH_TOS"));
}

TEST(packed_entries_are_one_register_each)
{
    struct trace_msr_set set = set_of("GenuineIntel", "pentiumm", 8);
    is_named(&set, "MSR_LASTBRANCH_7", 0x47);
    CHECK(!has(&set, "MSR_LASTBRANCH_0_FROM_IP") && !has(&set, "MSR_LASTBRANCH_0_TO_IP"));
}

TEST(netburst_has_its_tos_elsewhere)
{
    struct trace_msr_set set = set_of("GenuineIntel", "netburst", 16);
    is_named(&set, "MSR_LASTBRANCH_TOS", 0x1da);
    is_named(&set, "MSR_LER_FROM_LIP", 0x1d7);
}

TEST(amd_has_its_own_control_and_counters)
{
    struct trace_msr_set set = set_of("AuthenticAMD", "zen4", 16);
    is_named(&set, "DBG_EXTN_CFG", 0xc000010f);
    is_named(&set, "LBR_SELECT", 0xc000010e);
    is_named(&set, "perfcntrglobalctl", 0xc0000301);
    is_named(&set, "MSR_LASTBRANCH_15_TO_IP", 0xc001031f);
    CHECK(!has(&set, "IA32_DS_AREA") && !has(&set, "IA32_PERF_GLOBAL_CTRL"));
}

TEST(branch_sampling_has_names_of_its_own)
{
    struct trace_msr_set set = set_of("AuthenticAMD", "zen3", 1);
    is_named(&set, "DBG_EXTN_CFG", 0xc000010f);
    is_named(&set, "SAMP_BR_FROM_0", 0xc0010300);
    is_named(&set, "SAMP_BR_TO_15", 0xc001031f);
    CHECK(!has(&set, "SAMP_BR_FROM_16"));
    set = set_of("AuthenticAMD", "zen4", 16);
    CHECK(!has(&set, "SAMP_BR_FROM_0"));
}

TEST(case_and_prefix_of_a_name_do_not_matter)
{
    struct trace_msr_set set = set_of("GenuineIntel", "core2", 4);
    is_named(&set, "IA32_DEBUGCTL", 0x1d9);
    is_named(&set, "debugctl", 0x1d9);
    is_named(&set, "MSR_DebugCtl", 0x1d9);
    is_named(&set, "lastbranch_3_to_ip", 0x63);
    CHECK(!has(&set, "debugct") && !has(&set, "debugctl2") && !has(&set, ""));
    CHECK(!has(&set, "IA32_") && !has(&set, "MSR_"));
}

static bool harmless(const struct trace_msr_set *set, uint32_t number)
{
    struct trace_msr msr = { .number = 0 };
    return trace_msr_numbered(set, number, &msr) && msr.harmless;
}

TEST(what_points_to_memory_or_does_more_is_not_harmless)
{
    struct trace_msr_set set = set_of("GenuineIntel", "core2", 4);
    CHECK(harmless(&set, 0x1d9) && harmless(&set, 0x40) && harmless(&set, 0x1c9));
    CHECK(!harmless(&set, 0x600) && !harmless(&set, 0x1a0) && !harmless(&set, 0x345));
    CHECK(!harmless(&set, 0x10) && !harmless(&set, 0xc0000080));
    CHECK(!harmless(&set, 0x391)); /* freezes LBR, and only 390H thaws it */
}

TEST(on_an_unknown_model_nothing_is_harmless)
{
    struct trace_msr_set set = set_of("GenuineIntel", NULL, 0);
    is_named(&set, "debugctl", 0x1d9);
    CHECK(!harmless(&set, 0x1d9) && !harmless(&set, 0x38f));
    CHECK(!has(&set, "MSR_LASTBRANCH_TOS"));
}

TEST(where_ds_is_announced_and_not_known_nothing_that_turns_on_is_harmless)
{
    struct trace_msr_set set = set_of("CentaurHauls", "via", 0);
    CHECK(harmless(&set, 0x1d9));
    set.ds = true;
    CHECK(!harmless(&set, 0x1d9));
    set = set_of("GenuineIntel", "core2", 4);
    set.ds = true;
    CHECK(harmless(&set, 0x1d9));
}

/* Of these every bit is told by a manual; written out here a second time. */
static bool is_of_tracing(uint32_t number)
{
    static const struct {
        uint32_t first, last;
    } known[] = {
        { 0x40, 0x47 }, /* last-branch records until Silvermont          */
        { 0x60, 0x67 },
        { 0x1c8, 0x1c9 }, /* LBR_SELECT, TOS                               */
        { 0x1d7, 0x1de }, /* DEBUGCTL, NetBurst's TOS, LER, the pair of P6 */
        { 0x38d, 0x390 }, /* counters                                      */
        { 0x680, 0x6df }, /* last-branch records                           */
        { 0xdc0, 0xddf },
        { 0x1200, 0x123f }, /* architectural ones                            */
        { 0x14ce, 0x14cf },
        { 0x1500, 0x153f },
        { 0x1600, 0x163f },
        { 0xc0000300, 0xc0000302 }, /* AMD's counters                                */
        { 0xc000010e, 0xc000010f }, /* AMD's filter and control                      */
        { 0xc0010300, 0xc001031f }, /* AMD's records                                 */
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (number >= known[i].first && number <= known[i].last)
            return true;
    return false;
}

TEST(nothing_of_unknown_effect_is_harmless_on_any_model)
{
    for (size_t m = 0; m < model_count; m++) {
        size_t depth = models[m].lbr.depth;
        struct trace_msr_set set = { models[m].vendor, &models[m],
                                     models[m].lbr.from && !depth ? 64 : depth, false };
        struct trace_msr msr = { .number = 0 };
        for (size_t i = 0; trace_msr_at(&set, i, &msr); i++)
            CHECK(!msr.harmless || is_of_tracing(msr.number) ||
                  (strcmp(set.vendor, "AuthenticAMD") == 0 && msr.number >= 0xc0010300 &&
                   msr.number < 0xc0010300 + 2 * 64)); /* as deep as CPUID can say */
    }
}

/* What C0011007H to C0011011H do on AMD's processors no manual tells. */
TEST(amds_undocumented_trace_registers_have_no_name_anywhere)
{
    for (size_t m = 0; m < model_count; m++) {
        struct trace_msr_set set = { models[m].vendor, &models[m], 64, false };
        struct trace_msr msr = { .number = 0 };
        for (uint32_t number = 0xc0011000; number <= 0xc001101f; number++)
            CHECK(!trace_msr_numbered(&set, number, &msr));
    }
}

TEST(no_name_stands_twice_on_any_model)
{
    for (size_t m = 0; m < model_count; m++) {
        size_t depth = models[m].lbr.depth;
        bool by_cpuid = models[m].lbr.from && !depth;
        depth = by_cpuid ? 64 : depth;
        struct trace_msr_set set = { models[m].vendor, &models[m], depth, false };
        struct trace_msr msr = { .number = 0 }, other = msr;
        for (size_t i = 0; trace_msr_at(&set, i, &msr); i++) {
            CHECK(trace_msr_named(&set, msr.name, &other));
            CHECK(other.number == msr.number);
            CHECK(trace_msr_numbered(&set, msr.number, &other));
            CHECK_TEXT(other.name, msr.name);
        }
    }
}
