// LINK: common/facts/model.c common/facts/filter.c common/facts/info.c common/base/text.c
// LINK: common/facts/pmu.c common/facts/skip_code.c
#include "common/facts/platform.c"

#include "test.h"

/* A guest on the platform of that name, and what is known of a facility there. */
static struct cpu_id id;
static struct platform_guest guest;

static void guest_of(const char *vendor, uint32_t family, uint32_t model)
{
    id = (struct cpu_id){ .family = family, .model = model, .ds = true };
    strcpy(id.vendor, vendor);
    guest = (struct platform_guest){ .id = &id, .model = model_find(&id) };
    guest.lbr_depth = guest.model ? model_lbr_depth(guest.model, &id) : 0;
}

static unsigned wanted(const char *platform, enum facility facility)
{
    const struct platform_fact *fact =
        platform_fact(platform_named(platform), &guest, facility);
    return fact ? fact->probe_results : 0;
}

/* The name of the row, or "none". */
static const char *found(const char *hypervisor, bool btf_acts)
{
    const struct platform *row = platform_find(hypervisor, &id, guest.model, btf_acts);
    return row ? row->name : "none";
}

TEST(a_platform_is_found_by_what_it_announces)
{
    guest_of("GenuineIntel", 6, 0x5e);
    CHECK_TEXT(found("", false), "metal");
    CHECK_TEXT(found("KVMKVMKVM", false), "kvm");
    CHECK_TEXT(found("XenVMMXenVMM", true), "xen");
    CHECK_TEXT(found("VBoxVBoxVBox", true), "virtualbox");
    CHECK_TEXT(found("VMwareVMware", true), "vmware");
    CHECK_TEXT(found("Microsoft Hv", true), "hyperv");
    CHECK_TEXT(found("KVMKVMKVMKVM", true), "none");
    CHECK_TEXT(found("KVM", true), "none");
}

TEST(kvm_and_xen_are_told_apart_by_the_vendor)
{
    static const char *const amd[] = { "AuthenticAMD", "HygonGenuine" };
    for (size_t i = 0; i < 2; i++) {
        guest_of(amd[i], 0x19, 0x61);
        CHECK_TEXT(found("KVMKVMKVM", false), "kvm-amd");
        CHECK_TEXT(found("XenVMMXenVMM", false), "xen-amd");
        CHECK_TEXT(found("", false), "metal");
    }
    guest_of("  Shanghai  ", 7, 0x1b); /* Zhaoxin has Intel's VMX */
    CHECK_TEXT(found("KVMKVMKVM", false), "kvm");
}

TEST(stock_qemu_is_known_by_a_btf_that_should_act)
{
    guest_of("GenuineIntel", 6, 0x5e);
    CHECK_TEXT(found("TCGTCGTCGTCG", false), "tcg");
    CHECK_TEXT(found("TCGTCGTCGTCG", true), "emulator");
    CHECK_TEXT(found("TCG-as-metal", true), "silicon-mode");
    CHECK(platform_named("silicon-mode")->emulated);
    guest_of("GenuineIntel", 5, 2);
    CHECK_TEXT(found("TCGTCGTCGTCG", false), "tcg");
    guest_of("CentaurHauls", 6, 0x0f); /* it may have none */
    CHECK_TEXT(found("TCGTCGTCGTCG", false), "emulator");
}

/* EAX, EBX, ECX, EDX of leaf 21H; bits of MSR C0010131. */
static const char *encrypted(const uint32_t leaf[4], uint64_t sev_status)
{
    const struct platform *row = platform_encrypted(leaf, sev_status);
    return row ? row->name : "none";
}

TEST(a_guest_with_encrypted_memory_is_refused_with_a_sentence)
{
    static const uint32_t none[4] = { 0 };
    static const uint32_t tdx[4] = { 0, 0x65746e49, 0x20202020, 0x5844546c };
    static const uint32_t almost[4] = { 0, 0x65746e49, 0, 0x5844546c };
    static const uint32_t otherwise[4] = { 0, 0x65746e49, 0x5844546c, 0x20202020 };
    CHECK_TEXT(encrypted(none, 0), "none");
    CHECK_TEXT(encrypted(otherwise, 0), "none"); /* ECX and EDX exchanged */
    CHECK_TEXT(encrypted(almost, 0), "none");
    CHECK_TEXT(encrypted(none, 0x38), "none"); /* vTOM, ReflectVC...: bits above those */
    CHECK_TEXT(encrypted(tdx, 0), "tdx");
    CHECK_TEXT(encrypted(none, 1), "sev");
    CHECK_TEXT(encrypted(none, 3), "sev");
    CHECK_TEXT(encrypted(none, 7), "sev");
    CHECK_TEXT(
        platform_named("tdx")->refused,
        "this is an Intel TDX guest, which needs a #VE handler: everybranch has none");
    CHECK_TEXT(
        platform_named("sev")->refused,
        "this is an AMD SEV, SEV-ES or SEV-SNP guest, which needs the C bit in page tables "
        "and a #VC handler: everybranch has neither");
}

TEST(only_what_is_encrypted_is_refused_and_no_log_is_of_it)
{
    for (size_t i = 0; i < platform_count; i++) {
        const struct platform *row = &platforms[i];
        bool is_encrypted = strcmp(row->name, "tdx") == 0 || strcmp(row->name, "sev") == 0;
        CHECK(!row->refused == !is_encrypted);
        CHECK(!row->hypervisor == (is_encrypted || strcmp(row->name, "bochs") == 0));
    }
}

TEST(stock_qemu_alone_gets_workloads_wrong)
{
    for (size_t i = 0; i < platform_count; i++)
        CHECK(!platforms[i].gets_wrong == (strcmp(platforms[i].name, "tcg") != 0));
}

/* What no log says of itself must never excuse another machine's log. */
TEST(bochs_alone_steps_otherwise_and_no_log_is_of_it)
{
    for (size_t i = 0; i < platform_count; i++) {
        const struct platform *row = &platforms[i];
        bool is_bochs = strcmp(row->name, "bochs") == 0;
        CHECK(row->tf_before == is_bochs && row->stays_halted == is_bochs);
        CHECK(!is_bochs || !row->hypervisor);
    }
}

TEST(bare_metal_has_what_the_model_has)
{
    guest_of("GenuineIntel", 6, 0x5e);
    CHECK(wanted("metal", FACILITY_STEP) == FOUND(WORKS));
    CHECK(wanted("metal", FACILITY_BTF) == FOUND(WORKS));
    CHECK(wanted("metal", FACILITY_LBR) == FOUND(WORKS));
    CHECK(wanted("metal", FACILITY_BTS) == FOUND(WORKS));
    guest.no_bts = true;
    CHECK(wanted("metal", FACILITY_BTS) == FOUND(ABSENT));
    guest.no_bts = false;
    id.ds = false;
    CHECK(wanted("metal", FACILITY_BTS) == FOUND(ABSENT));
    guest_of("AuthenticAMD", 0x17, 1);
    CHECK(wanted("metal", FACILITY_LBR) == FOUND(WORKS));
    CHECK(wanted("metal", FACILITY_BTS) == FOUND(ABSENT));
}

TEST(of_an_unknown_model_only_stepping_is_known)
{
    guest_of("GenuineIntel", 5, 2);
    CHECK(wanted("metal", FACILITY_STEP) == FOUND(WORKS));
    CHECK(wanted("metal", FACILITY_BTF) == 0);
    CHECK(wanted("metal", FACILITY_LBR) == FOUND(ABSENT));
    CHECK(wanted("metal", FACILITY_BTS) == FOUND(ABSENT));
    CHECK(wanted("kvm", FACILITY_BTF) & FOUND(DEAD)); /* whatever the model */
}

#define NOTHING (FOUND(ABSENT) | FOUND(DEAD) | FOUND(FAULTS))
#define DASH    FOUND(ABSENT)

/* The results that are as expected on a Skylake. */
TEST(each_row_of_intel_expects_what_the_table_says)
{
    static const struct {
        const char *name;
        unsigned step, btf, lbr, ler, bts, pmi;
    } table[] = {
        { "metal", FOUND(WORKS), FOUND(WORKS), FOUND(WORKS), FOUND(WORKS), FOUND(WORKS),
          FOUND(WORKS) },
        { "kvm", FOUND(WORKS), FOUND(DEAD) | FOUND(WORKS) | FOUND(DEVIATES),
          FOUND(WORKS) | FOUND(DEVIATES) | FOUND(DEAD), FOUND(DEAD), DASH | FOUND(FAULTS),
          FOUND(WORKS) | FOUND(DEVIATES) | NOTHING },
        { "tdx", FOUND(WORKS), FOUND(WORKS), FOUND(FAULTS), FOUND(FAULTS), ANY_FINDING,
          FOUND(WORKS) },
        { "xen", FOUND(WORKS), FOUND(WORKS) | FOUND(DEVIATES), FOUND(WORKS) | FOUND(DEAD),
          FOUND(WORKS) | FOUND(DEAD), FOUND(WORKS) | FOUND(FAULTS) | DASH,
          FOUND(WORKS) | NOTHING },
        { "hyperv", FOUND(WORKS), ANY_FINDING, ANY_FINDING, ANY_FINDING,
          DASH | FOUND(FAULTS), FOUND(WORKS) },
        { "vmware", FOUND(WORKS), ANY_FINDING, ANY_FINDING, ANY_FINDING, ANY_FINDING,
          FOUND(WORKS) | FOUND(DEVIATES) },
        { "virtualbox", FOUND(WORKS), FOUND(DEAD) | FOUND(FAULTS),
          FOUND(DEAD) | FOUND(FAULTS), FOUND(DEAD) | FOUND(FAULTS), DASH, NOTHING },
        { "tcg", FOUND(WORKS), FOUND(DEAD), FOUND(DEAD), FOUND(DEAD), DASH,
          DASH | FOUND(DEAD) },
        { "bochs", FOUND(WORKS), FOUND(DEAD) | FOUND(FAULTS), FOUND(DEAD) | FOUND(FAULTS),
          FOUND(DEAD) | FOUND(FAULTS), NOTHING, NOTHING },
    };

    guest_of("GenuineIntel", 6, 0x5e);
    id.perfmon = 2;
    id.lbr_format = 5;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        CHECK(wanted(table[i].name, FACILITY_STEP) == table[i].step);
        CHECK(wanted(table[i].name, FACILITY_BTF) == table[i].btf);
        CHECK(wanted(table[i].name, FACILITY_LBR) == table[i].lbr);
        CHECK(wanted(table[i].name, FACILITY_LER) == table[i].ler);
        CHECK(wanted(table[i].name, FACILITY_BTS) == table[i].bts);
        CHECK(wanted(table[i].name, FACILITY_PMI) == table[i].pmi);
    }
}

/* The results that are as expected on a Zen 3. */
TEST(each_row_of_amd_expects_what_the_table_says)
{
    static const struct {
        const char *name;
        unsigned btf, lbr, ler, pmi;
    } table[] = {
        { "metal", FOUND(WORKS), FOUND(WORKS), FOUND(WORKS), FOUND(WORKS) },
        { "kvm-amd", FOUND(DEAD) | FOUND(WORKS),
          FOUND(WORKS) | FOUND(DEVIATES) | FOUND(DEAD),
          FOUND(WORKS) | FOUND(DEVIATES) | FOUND(DEAD), FOUND(WORKS) | NOTHING },
        { "sev", FOUND(WORKS), FOUND(WORKS), FOUND(WORKS), ANY_FINDING },
        { "xen-amd", FOUND(WORKS), FOUND(WORKS), FOUND(WORKS), FOUND(WORKS) | NOTHING },
    };

    guest_of("AuthenticAMD", 0x19, 0x21);
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        CHECK(wanted(table[i].name, FACILITY_STEP) == FOUND(WORKS));
        CHECK(wanted(table[i].name, FACILITY_BTF) == table[i].btf);
        CHECK(wanted(table[i].name, FACILITY_LBR) == table[i].lbr);
        CHECK(wanted(table[i].name, FACILITY_LER) == table[i].ler);
        CHECK(wanted(table[i].name, FACILITY_BTS) == FOUND(ABSENT));
        CHECK(wanted(table[i].name, FACILITY_PMI) == table[i].pmi);
    }
}

static bool expects(const char *platform, enum facility facility,
                    enum probe_result probe_result, enum deviation deviation)
{
    return platform_expects(platform_fact(platform_named(platform), &guest, facility),
                            probe_result, DEVIATION(deviation));
}

TEST(of_deviations_one_alone_is_as_expected)
{
    guest_of("GenuineIntel", 6, 0x5e);
    id.lbr_format = 5;
    id.perfmon = 2;
    CHECK(expects("kvm", FACILITY_LBR, DEVIATES, LEFT_LBR_ON));
    CHECK(!expects("kvm", FACILITY_LBR, DEVIATES, LEFT_BTF_SET));
    CHECK(expects("kvm", FACILITY_LBR, WORKS, DEVIATES_OTHERWISE));
    CHECK(expects("kvm", FACILITY_PMI, DEVIATES, LEFT_LVT_OPEN));
    CHECK(!expects("kvm", FACILITY_PMI, DEVIATES, DEVIATES_OTHERWISE));
    CHECK(expects("xen", FACILITY_BTF, DEVIATES, LEFT_BTF_SET));
    CHECK(!expects("xen", FACILITY_BTF, DEVIATES, LEFT_LBR_ON));
    CHECK(!expects("xen", FACILITY_LBR, DEVIATES, LEFT_LBR_ON));
    CHECK(!expects("metal", FACILITY_LBR, DEVIATES, LEFT_LBR_ON));
    CHECK(!expects("emulator", FACILITY_BTF, DEVIATES, LEFT_BTF_SET));
}

TEST(a_fact_is_open_only_where_nothing_is_known)
{
    guest_of("GenuineIntel", 6, 0x5e);
    id.perfmon = 2;
    CHECK(platform_is_open(platform_fact(platform_named("vmware"), &guest, FACILITY_BTF)));
    CHECK(!platform_is_open(platform_fact(platform_named("kvm"), &guest, FACILITY_PMI)));
    CHECK(!platform_is_open(platform_fact(platform_named("kvm"), &guest, FACILITY_BTF)));
}

TEST(lbr_on_kvm_goes_by_the_format_of_the_model)
{
    guest_of("GenuineIntel", 6, 0x5e);
    CHECK(wanted("kvm", FACILITY_LBR) == FOUND(DEAD));
    for (uint8_t format = 1; format < 64; format++) {
        id.lbr_format = format;
        CHECK(wanted("kvm", FACILITY_LBR) ==
              (format == 5 || format == 7 ? FOUND(WORKS) | FOUND(DEVIATES) | FOUND(DEAD)
                                          : 0));
    }
    guest_of("GenuineIntel", 6, 0x3c);
    id.lbr_format = 4;
    CHECK(wanted("kvm", FACILITY_LBR) == (FOUND(WORKS) | FOUND(DEVIATES) | FOUND(DEAD)));
    id.lbr_format = 5;
    CHECK(wanted("kvm", FACILITY_LBR) == 0);
}

TEST(lbr_on_kvm_of_amd_goes_by_its_version)
{
    guest_of("AuthenticAMD", 0x19, 0x61); /* Zen 4, as a guest sees it */
    CHECK(wanted("kvm-amd", FACILITY_LBR) ==
          (FOUND(WORKS) | FOUND(DEVIATES) | FOUND(DEAD)));
    id.amd_lbr_v2 = true;
    id.amd_lbr_v2_depth = 16;
    guest.model = model_find(&id);
    guest.lbr_depth = 16;
    CHECK(wanted("kvm-amd", FACILITY_LBR) == FOUND(ABSENT));
    CHECK(wanted("xen-amd", FACILITY_LBR) == FOUND(ABSENT));
}

TEST(architectural_lbr_does_not_reach_a_guest_of_kvm)
{
    guest_of("GenuineIntel", 6, 0x97);
    id.arch_lbr = true;
    id.arch_lbr_depths = 0x0b;
    guest.model = model_find(&id);
    guest.lbr_depth = 32;
    CHECK(wanted("kvm", FACILITY_LBR) == FOUND(ABSENT));
    CHECK(wanted("xen", FACILITY_LBR) == FOUND(ABSENT));
    CHECK(wanted("tdx", FACILITY_LBR) == FOUND(WORKS));
    CHECK(wanted("metal", FACILITY_LBR) == FOUND(WORKS));
}

TEST(branch_sampling_is_of_zen3_where_cpuid_says_so)
{
    guest_of("AuthenticAMD", 0x19, 0x21);
    CHECK(wanted("metal", FACILITY_BRS) == FOUND(ABSENT));
    id.amd_brs = true;
    CHECK(wanted("metal", FACILITY_BRS) == FOUND(WORKS));
    CHECK(wanted("kvm-amd", FACILITY_BRS) == FOUND(ABSENT));
    CHECK(wanted("vmware", FACILITY_BRS) == ANY_FINDING);
    guest_of("AuthenticAMD", 0x17, 0x31);
    id.amd_brs = true;
    CHECK(wanted("metal", FACILITY_BRS) == FOUND(ABSENT));
}

static bool fails(const char *platform, enum facility facility,
                  enum probe_result probe_result, bool unknown_hypervisor)
{
    return platform_fails(
        platform ? platform_fact(platform_named(platform), &guest, facility) : NULL,
        probe_result, DEVIATION(DEVIATES_OTHERWISE), unknown_hypervisor);
}

TEST(what_fails_is_against_a_fact_or_deviates_where_none_is_known)
{
    guest_of("GenuineIntel", 6, 0x5e);
    CHECK(!fails("metal", FACILITY_BTF, WORKS, false));
    CHECK(fails("metal", FACILITY_BTF, DEAD, false));
    CHECK(fails("metal", FACILITY_BTF, DEVIATES, false));
    CHECK(!fails("metal", FACILITY_BTF, AVOIDED, false));
    CHECK(!fails("metal", FACILITY_BTF, DENIED, false));
    CHECK(!fails("vmware", FACILITY_BTF, DEVIATES, false)); /* open */
    CHECK(fails(NULL, FACILITY_BTF, DEVIATES, false));
    CHECK(!fails(NULL, FACILITY_BTF, DEVIATES, true));
    CHECK(!fails(NULL, FACILITY_BTF, DEAD, false));
}

TEST(every_fact_has_its_source)
{
    for (size_t i = 0; i < platform_count; i++) {
        const struct platform *row = &platforms[i];

        CHECK(row->about[0] && row->facts[0].about);
        CHECK(platform_named(row->name) == row);
        for (size_t n = 0; n < PLATFORM_FACTS_MAX && row->facts[n].about; n++) {
            const struct platform_fact *fact = &row->facts[n];

            CHECK(fact->probe_results && fact->about[0] && fact->source[0]);
            CHECK((fact->probe_results & ~ANY_FINDING) == 0);
            CHECK(!fact->deviation || fact->probe_results & FOUND(DEVIATES));
            CHECK(is_confirmed(fact->confidence) ||
                  (fact->confidence == UNCONFIRMED && fact->probe_results == ANY_FINDING));
        }
    }
    CHECK(!platform_named("kvm "));
}
