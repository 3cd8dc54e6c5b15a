// LINK: common/facts/model.c common/facts/entry.c common/facts/filter.c common/facts/info.c
// LINK: common/base/text.c common/facts/pmu.c common/facts/cpuid_leaves.c
// LINK: common/facts/skip_code.c
/* CPUID of the machine that builds this: what holds of every processor is asked. */
#include "kernel/hardware/cpu.c"

#include <cpuid.h>
#include <sched.h>

#include "test.h"

/* A user process has no MSRs. */
bool msr_read(uint32_t msr, uint64_t *value)
{
    (void)msr;
    *value = 0;
    return false;
}

bool msr_write(uint32_t msr, uint64_t value)
{
    (void)msr;
    (void)value;
    return false;
}

TEST(the_leaves_begin_with_who_and_what_it_is)
{
    struct cpu cpu = cpu_identify();

    CHECK(cpu.leaf_count >= 2);
    CHECK(cpu.leaves[0].leaf == 0 &&
          memcmp(&cpu.leaves[0].registers[1], cpu.id.vendor, 4) == 0);
    CHECK(cpu.leaves[1].leaf == 1 && cpu.leaves[1].registers[0] == cpu.id.signature);
}

TEST(a_leaf_says_what_the_processor_says)
{
    struct cpu cpu = cpu_identify();

    for (size_t i = 0; i < cpu.leaf_count; i++) {
        unsigned a, b, c, d;

        __cpuid_count(cpu.leaves[i].leaf, cpu.leaves[i].subleaf, a, b, c, d);
        CHECK(cpu.leaves[i].registers[0] == a);
        CHECK(cpu.leaves[i].registers[2] == c || cpu.leaves[i].leaf == 1); /* OSXSAVE */
    }
}

TEST(no_leaf_tells_a_serial_number_or_stands_twice)
{
    struct cpu cpu = cpu_identify();

    for (size_t i = 0; i < cpu.leaf_count; i++) {
        CHECK(cpu.leaves[i].leaf != 3);
        for (size_t j = 0; j < i; j++)
            CHECK(cpu.leaves[i].leaf != cpu.leaves[j].leaf ||
                  cpu.leaves[i].subleaf != cpu.leaves[j].subleaf);
    }
}

TEST(no_leaf_is_above_the_highest_of_its_range)
{
    struct cpu cpu = cpu_identify();

    for (size_t i = 0; i < cpu.leaf_count; i++) {
        unsigned range = cpu.leaves[i].leaf & 0xc0000000;

        if (range != 0x40000000)
            CHECK(cpu.leaves[i].leaf <= (uint32_t)__get_cpuid_max(range, NULL));
    }
}

/* A processor with leaf 1 alone, under a hypervisor or not. */
static void ask_bare(uint32_t leaf, uint32_t subleaf, uint32_t registers[4])
{
    (void)subleaf;
    memset(registers, 0, 4 * sizeof(*registers));
    registers[0] = leaf == 0 ? 1 : 0;
}

static void ask_guest(uint32_t leaf, uint32_t subleaf, uint32_t registers[4])
{
    ask_bare(leaf, subleaf, registers);
    registers[2] = leaf == 1 ? UINT32_C(1) << 31 : 0;
}

TEST(the_leaves_of_a_hypervisor_are_shown_where_there_is_one)
{
    struct cpuid_leaf leaves[CPUID_LEAVES_MAX];

    CHECK(cpuid_read(leaves, ask_bare) == 3);
    CHECK(leaves[0].leaf == 0 && leaves[1].leaf == 1 && leaves[2].leaf == 0x80000000);
    CHECK(cpuid_read(leaves, ask_guest) == 4);
    CHECK(leaves[2].leaf == 0x40000000 && leaves[3].leaf == 0x80000000);
}

TEST(behind_hyperv_only_kvm_and_xen_are_known)
{
    static const uint32_t kvm[4] = { 0x40000101, 0x4b4d564b, 0x564b4d56, 0x4d };
    static const uint32_t xen[4] = { 0x40000104, 0x566e6558, 0x65584d4d, 0x4d4d566e };
    static const uint32_t basic[4] = { 0x16, 0x756e6547, 0x6c65746e, 0x49656e69 };
    static const uint32_t none[4] = { 0 };

    CHECK(cpuid_is_second_name(kvm));
    CHECK(cpuid_is_second_name(xen));
    CHECK(!cpuid_is_second_name(basic)); /* what a processor says of a leaf that it lacks */
    CHECK(!cpuid_is_second_name(none));
}

/* Two processors of one machine can be of two kinds. */
static void stay_on_this_processor(void)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET(sched_getcpu(), &set);
    sched_setaffinity(0, sizeof(set), &set);
}

static const struct cpu a_processor = {
    .id = { .vendor = "GenuineIntel",
            .signature = 0x106a5,
            .family = 6,
            .perfmon = 3,
            .events_denied = 0x40 },
    .brand = "one",
    .leaves = { { .leaf = 0x1a, .registers = { 0x20000001 } } }, /* of an Atom */
    .leaf_count = 1,
};

/* The claim for one field: alike as long as it is the same, and not when it is this. */
#define TOLD_APART_BY(field, other)                      \
    do {                                                 \
        struct cpu a = a_processor, b = a_processor;     \
        CHECK(cpu_alike(&a, &b));                        \
        b.field = (other);                               \
        CHECK(!cpu_alike(&a, &b) && !cpu_alike(&b, &a)); \
    } while (0)

TEST(processors_are_told_apart_by_what_they_have)
{
    TOLD_APART_BY(id.ds, true);
    TOLD_APART_BY(id.dtes64, true);
    TOLD_APART_BY(id.ds_cpl, true);
    TOLD_APART_BY(id.pdcm, true);
    TOLD_APART_BY(id.lbr_format, 5);
    TOLD_APART_BY(id.arch_lbr, true);
    TOLD_APART_BY(id.arch_lbr_depths, 8);
    TOLD_APART_BY(id.arch_lbr_linear, true);
    TOLD_APART_BY(id.arch_lbr_filters, 1);
    TOLD_APART_BY(id.arch_lbr_fields, 1);
    TOLD_APART_BY(id.amd_lbr_v2, true);
    TOLD_APART_BY(id.amd_lbr_v2_depth, 16);
    TOLD_APART_BY(id.amd_freezes, true);
    TOLD_APART_BY(id.amd_brs, true);
    TOLD_APART_BY(id.perfmon, 2);
    TOLD_APART_BY(id.events_denied, 0x60);
    TOLD_APART_BY(id.events_denied, 0x1040);
    TOLD_APART_BY(id.general_counters, 0xf);
    TOLD_APART_BY(id.fixed_counters, 7);
    TOLD_APART_BY(id.core_type, CORE_TYPE_ATOM);
    TOLD_APART_BY(misc_enable, 0x1000);
    TOLD_APART_BY(perf_capabilities, 5);
}

TEST(processors_are_told_apart_by_what_they_are)
{
    TOLD_APART_BY(id.vendor[0], 'A');
    TOLD_APART_BY(id.family, 15);
    TOLD_APART_BY(id.model, 0x1a);
    TOLD_APART_BY(id.stepping, 5);
    TOLD_APART_BY(id.signature, 0x106a4);
    TOLD_APART_BY(microcode, 1);
    TOLD_APART_BY(model, &models[0]);
    TOLD_APART_BY(lbr_depth, 16);
    TOLD_APART_BY(lbr_from_flags, 1);
    TOLD_APART_BY(brand[0], 'O');
    TOLD_APART_BY(leaves[0].registers[0], 0x40000001); /* a Core's */
}

/* The numbers of APICs stand in leaf 1. */
TEST(processors_are_alike_whose_other_leaves_differ)
{
    struct cpu other = a_processor;

    other.leaves[1] = (struct cpuid_leaf){ .leaf = 1, .registers = { 0x106a5, 1 << 24 } };
    other.leaf_count = 2;
    CHECK(cpu_alike(&a_processor, &other));
}

void test_setup(void)
{
    stay_on_this_processor();
}
