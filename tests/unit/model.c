// LINK: common/facts/filter.c common/facts/info.c common/base/text.c
#include "common/facts/model.c"

#include "test.h"

static struct cpu_id intel(uint32_t family, uint32_t model)
{
    return (struct cpu_id){ .vendor = "GenuineIntel", .family = family, .model = model };
}

/* The row's name, or "unknown". */
static const char *found(struct cpu_id id)
{
    const struct model *row = model_find(&id);
    return row ? row->name : "unknown";
}

/* SDM vol. 4, "CPUID Signature Values of DisplayFamily_DisplayModel". */
TEST(a_number_finds_its_class)
{
    CHECK_TEXT(found(intel(6, 0x0f)), "core2");
    CHECK_TEXT(found(intel(6, 0x1d)), "core2");
    CHECK_TEXT(found(intel(6, 0x1a)), "nehalem");
    CHECK_TEXT(found(intel(6, 0x2c)), "nehalem");
    CHECK_TEXT(found(intel(6, 0x2a)), "sandybridge");
    CHECK_TEXT(found(intel(6, 0x3e)), "sandybridge");
    CHECK_TEXT(found(intel(6, 0x3c)), "haswell");
    CHECK_TEXT(found(intel(6, 0x56)), "haswell");
    CHECK_TEXT(found(intel(6, 0x5e)), "skylake");
    CHECK_TEXT(found(intel(6, 0xa7)), "skylake");
    CHECK_TEXT(found(intel(6, 0x01)), "p6");
    CHECK_TEXT(found(intel(6, 0x0b)), "p6");
    CHECK_TEXT(found(intel(6, 0x0d)), "pentiumm");
    CHECK_TEXT(found(intel(6, 0x0e)), "pentiumm");
    CHECK_TEXT(found(intel(6, 0x1c)), "bonnell");
    CHECK_TEXT(found(intel(6, 0x36)), "bonnell");
    CHECK_TEXT(found(intel(6, 0x37)), "silvermont");
    CHECK_TEXT(found(intel(6, 0x4c)), "silvermont");
    CHECK_TEXT(found(intel(6, 0x57)), "knl");
    CHECK_TEXT(found(intel(6, 0x85)), "knl");
    CHECK_TEXT(found(intel(6, 0x5c)), "goldmont");
    CHECK_TEXT(found(intel(6, 0x7a)), "skylake"); /* Goldmont Plus has LBR_INFO */
    CHECK_TEXT(found(intel(0xf, 0)), "willamette");
    CHECK_TEXT(found(intel(0xf, 2)), "willamette");
    CHECK_TEXT(found(intel(0xf, 4)), "netburst");
    CHECK_TEXT(found(intel(0xf, 6)), "netburst");
}

TEST(a_number_that_no_row_has_is_unknown)
{
    CHECK_TEXT(found(intel(0xf, 5)), "unknown");
    CHECK_TEXT(found(intel(5, 0x0f)), "unknown");
}

static struct cpu_id amd(uint32_t family, uint32_t model)
{
    return (struct cpu_id){ .vendor = "AuthenticAMD", .family = family, .model = model };
}

/* SDM vol. 3B, "IA32_DEBUGCTL MSR": TR is bit 6, BTS bit 7, BTINT bit 8. */
TEST(an_intel_guest_that_is_shown_no_lbr_has_btf_tr_and_bts)
{
    static const struct {
        uint32_t family, model;
    } hidden[] = { { 6, 0x97 }, { 6, 0x8f }, { 6, 0xff }, { 18, 1 }, { 19, 1 } };

    for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
        struct cpu_id id = intel(hidden[i].family, hidden[i].model);
        const struct model *row = model_find(&id);

        CHECK_TEXT(row->name, "intel");
        CHECK(row->debugctl.btf == 2 && row->debugctl.tr == 0x40);
        CHECK(row->bts && row->debugctl.bts == 0x80 && row->debugctl.btint == 0x100);
        CHECK(!row->debugctl.lbr && model_lbr_depth(row, &id) == 0 && !row->ler_from);
    }
}

TEST(a_later_amd_that_is_shown_no_stack_has_the_one_pair)
{
    static const uint32_t later[] = { 0x1a, 0x1b, 0x20 };

    for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
        struct cpu_id id = amd(later[i], 0x44);
        const struct model *row = model_find(&id);

        CHECK_TEXT(row->name, "amd");
        CHECK(model_lbr_depth(row, &id) == 1 && row->lbr.from == 0x1db &&
              row->lbr.to == 0x1dc);
        CHECK(row->debugctl.lbr == 1 && row->debugctl.btf == 2 && !row->bts);
        id.amd_lbr_v2 = true;
        CHECK_TEXT(found(id), "zen4");
    }
    CHECK_TEXT(found(amd(0x13, 0)), "unknown");
}

static const char *by_signature(const char *vendor, uint32_t family, uint32_t model)
{
    struct cpu_id id = { .family = family, .model = model };
    strcpy(id.vendor, vendor);
    const struct model *row = model_by_signature(&id);
    return row ? row->name : "unknown";
}

TEST(a_signature_alone_finds_rows_that_need_a_bit_of_cpuid)
{
    CHECK_TEXT(by_signature("AuthenticAMD", 0x19, 0x0f), "zen3");
    CHECK_TEXT(by_signature("AuthenticAMD", 0x19, 0x10), "zen4");
    CHECK_TEXT(by_signature("AuthenticAMD", 0x19, 0x1f), "zen4");
    CHECK_TEXT(by_signature("AuthenticAMD", 0x19, 0x20), "zen3");
    CHECK_TEXT(by_signature("AuthenticAMD", 0x19, 0x5f), "zen3");
    CHECK_TEXT(by_signature("AuthenticAMD", 0x19, 0x60), "zen4");
    CHECK_TEXT(by_signature("AuthenticAMD", 0x1a, 0x02), "zen4");
    CHECK_TEXT(by_signature("AuthenticAMD", 0x17, 0x60), "zen");
    CHECK_TEXT(by_signature("GenuineIntel", 6, 0x97), "archlbr");
    CHECK_TEXT(by_signature("GenuineIntel", 6, 0x55), "skylake");
    CHECK_TEXT(by_signature("HygonGenuine", 0x18, 0x60), "dhyana");
    CHECK_TEXT(by_signature("CentaurHauls", 6, 0x0f), "via");
    CHECK_TEXT(by_signature("nobody", 6, 0x97), "unknown");
}

TEST(the_vendor_comes_before_the_number)
{
    struct cpu_id via = intel(6, 0x0f);
    strcpy(via.vendor, "CentaurHauls"); /* 06_0F of VIA is no Core 2 */
    CHECK_TEXT(found(via), "via");
    struct cpu_id zhaoxin = { .vendor = "  Shanghai  ", .family = 7, .model = 0x1b };
    CHECK_TEXT(found(zhaoxin), "zhaoxin");
    CHECK_TEXT(found(amd(0xf, 4)), "k8");
    CHECK_TEXT(found(amd(0x17, 4)), "zen");
}

TEST(architectural_lbr_goes_by_cpuid_in_any_family)
{
    struct cpu_id id = intel(6, 0x97);
    id.arch_lbr = true;
    CHECK_TEXT(found(id), "archlbr");
    id.family = 19; /* 13_01H, Diamond Rapids */
    id.model = 1;
    CHECK_TEXT(found(id), "archlbr");
}

TEST(the_newer_stack_of_amd_goes_by_cpuid)
{
    struct cpu_id id = { .vendor = "AuthenticAMD", .family = 0x19, .model = 0x21 };
    CHECK_TEXT(found(id), "zen3");
    id.amd_lbr_v2 = true;
    id.amd_lbr_v2_depth = 16;
    CHECK_TEXT(found(id), "zen4");
    CHECK(model_lbr_depth(model_find(&id), &id) == 16);
}

TEST(the_deepest_that_cpuid_offers_is_used)
{
    struct cpu_id id = intel(6, 0x97);
    id.arch_lbr = true;
    id.arch_lbr_depths = 0x0b; /* 8, 16, 32 */
    CHECK(model_lbr_depth(model_find(&id), &id) == 32);
    id.arch_lbr_depths = 0x01;
    CHECK(model_lbr_depth(model_find(&id), &id) == 8);
    struct cpu_id core2 = intel(6, 0x0f);
    CHECK(model_lbr_depth(model_find(&core2), &core2) == 4);
}

/* SDM vol. 3B, "MSR_DEBUGCTLA MSR" beside "IA32_DEBUGCTL MSR". */
static bool offsets(struct cpu_id id)
{
    return model_lbr_offsets(model_find(&id), &id);
}

/* SDM vol. 3B, "LBR Stack and IA32_PERF_CAPABILITIES"; AMD64 APM vol. 2. */
TEST(records_hold_offsets_where_format_cpuid_or_row_says_so)
{
    static const bool by_format[8] = { false, false, true, true, true, true, false, false };
    struct cpu_id skylake = intel(6, 0x5e), arch = intel(6, 0x97);
    struct cpu_id zen4 = { .vendor = "AuthenticAMD", .family = 0x19, .amd_lbr_v2 = true };
    struct cpu_id phenom = { .vendor = "AuthenticAMD", .family = 0x10 };

    for (uint8_t format = 0; format < 8; format++) {
        skylake.lbr_format = format;
        CHECK(offsets(skylake) == by_format[format]);
    }
    arch.arch_lbr = true;
    CHECK(offsets(arch));
    arch.arch_lbr_linear = true;
    CHECK(!offsets(arch));
    CHECK(offsets(zen4) && offsets(phenom) && offsets(intel(6, 0x08)));
    CHECK(!offsets(intel(6, 0x0d)) && !offsets(intel(6, 0x0f)) && !offsets(intel(15, 4)));
}

TEST(every_processor_of_intels_has_sysenter_and_no_other)
{
    for (size_t i = 0; i < model_count; i++)
        CHECK(models[i].sysenter == (strcmp(models[i].vendor, "GenuineIntel") == 0));
}

TEST(netburst_has_its_own_bits)
{
    struct cpu_id id = intel(0xf, 4);
    const struct debugctl_bits *bits = &model_find(&id)->debugctl;
    CHECK(bits->tr == 0x04 && bits->bts == 0x08 && bits->btint == 0x10);
    id = intel(6, 0x5e);
    bits = &model_find(&id)->debugctl;
    CHECK(bits->tr == 0x40 && bits->bts == 0x80 && bits->btint == 0x100);
}

TEST(a_ring_is_a_power_of_two_deep)
{
    for (size_t i = 0; i < model_count; i++)
        if (models[i].lbr.tos)
            CHECK((models[i].lbr.depth & (models[i].lbr.depth - 1)) == 0);
}
