// LINK: common/model.c common/filter.c common/info.c common/text.c common/pmu.c
#include "common/platform.c"

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
    return fact ? fact->findings : 0;
}

static void a_platform_is_found_by_what_it_announces(void)
{
    CHECK_TEXT(platform_find("", NULL, false)->name, "metal");
    CHECK_TEXT(platform_find("KVMKVMKVM", NULL, false)->name, "kvm");
    CHECK_TEXT(platform_find("XenVMMXenVMM", NULL, true)->name, "xen");
    CHECK(!platform_find("KVMKVMKVMKVM", NULL, true));
    CHECK(!platform_find("KVM", NULL, true));
}

static void stock_qemu_is_known_by_a_btf_that_should_act(void)
{
    guest_of("GenuineIntel", 6, 0x5e);
    CHECK_TEXT(platform_find("TCGTCGTCGTCG", guest.model, false)->name, "tcg");
    CHECK_TEXT(platform_find("TCGTCGTCGTCG", NULL, false)->name, "tcg");
    CHECK_TEXT(platform_find("TCGTCGTCGTCG", guest.model, true)->name, "emulator");
    CHECK_TEXT(platform_find("TCG-as-metal", guest.model, true)->name, "silicon-mode");
    CHECK(platform_named("silicon-mode")->emulated);
    guest_of("CentaurHauls", 6, 0x0f); /* it may have none */
    CHECK_TEXT(platform_find("TCGTCGTCGTCG", guest.model, false)->name, "emulator");
}

static void stock_qemu_alone_gets_workloads_wrong(void)
{
    for (size_t i = 0; i < platform_count; i++)
        CHECK(!platforms[i].gets_wrong == (strcmp(platforms[i].name, "tcg") != 0));
}

static void bare_metal_has_what_the_model_has(void)
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

static void of_an_unknown_model_only_stepping_is_known(void)
{
    guest_of("GenuineIntel", 5, 2);
    CHECK(wanted("metal", FACILITY_STEP) == FOUND(WORKS));
    CHECK(wanted("metal", FACILITY_BTF) == 0);
    CHECK(wanted("metal", FACILITY_LBR) == FOUND(ABSENT));
    CHECK(wanted("metal", FACILITY_BTS) == FOUND(ABSENT));
    CHECK(wanted("kvm", FACILITY_BTF) == FOUND(DEAD)); /* whatever the model */
}

static void lbr_on_kvm_goes_by_the_format_of_the_model(void)
{
    guest_of("GenuineIntel", 6, 0x5e);
    CHECK(wanted("kvm", FACILITY_LBR) == FOUND(DEAD));
    for (uint8_t format = 1; format < 64; format++) {
        id.lbr_format = format;
        CHECK(wanted("kvm", FACILITY_LBR) ==
              (format == 5 || format == 7 ? FOUND(WORKS) : 0));
    }
    guest_of("GenuineIntel", 6, 0x3c);
    id.lbr_format = 4;
    CHECK(wanted("kvm", FACILITY_LBR) == FOUND(WORKS));
    id.lbr_format = 5;
    CHECK(wanted("kvm", FACILITY_LBR) == 0);
}

static void lbr_on_kvm_of_amd_goes_by_its_version(void)
{
    guest_of("AuthenticAMD", 0x19, 0x61); /* Zen 4, as a guest sees it */
    CHECK(wanted("kvm", FACILITY_LBR) == (FOUND(WORKS) | FOUND(DEAD)));
    id.amd_lbr_v2 = true;
    id.amd_lbr_v2_depth = 16;
    guest.model = model_find(&id);
    guest.lbr_depth = 16;
    CHECK(wanted("kvm", FACILITY_LBR) == FOUND(ABSENT));
}

static void architectural_lbr_does_not_reach_a_guest_of_kvm(void)
{
    guest_of("GenuineIntel", 6, 0x97);
    id.arch_lbr = true;
    id.arch_lbr_depths = 0x0b;
    guest.model = model_find(&id);
    guest.lbr_depth = 32;
    CHECK(wanted("kvm", FACILITY_LBR) == FOUND(ABSENT));
    CHECK(wanted("metal", FACILITY_LBR) == FOUND(WORKS));
}

static void branch_sampling_is_of_zen3_where_cpuid_says_so(void)
{
    guest_of("AuthenticAMD", 0x19, 0x21);
    CHECK(wanted("metal", FACILITY_BRS) == FOUND(ABSENT));
    id.amd_brs = true;
    CHECK(wanted("metal", FACILITY_BRS) == FOUND(WORKS));
    CHECK(wanted("kvm", FACILITY_BRS) == FOUND(ABSENT));
    CHECK(wanted("vmware", FACILITY_BRS) == ANY_FINDING);
    guest_of("AuthenticAMD", 0x17, 0x31);
    id.amd_brs = true;
    CHECK(wanted("metal", FACILITY_BRS) == FOUND(ABSENT));
}

static void every_fact_has_its_source(void)
{
    for (size_t i = 0; i < platform_count; i++) {
        const struct platform *row = &platforms[i];

        CHECK(row->about[0] && row->facts[0].about);
        CHECK(platform_named(row->name) == row);
        for (size_t n = 0; n < PLATFORM_FACTS_MAX && row->facts[n].about; n++) {
            const struct platform_fact *fact = &row->facts[n];

            CHECK(fact->findings && fact->about[0] && fact->source[0]);
            CHECK((fact->findings & ~ANY_FINDING) == 0);
            CHECK(strcmp(fact->confidence, "stated") == 0 ||
                  strcmp(fact->confidence, "measured") == 0 ||
                  (strcmp(fact->confidence, "unconfirmed") == 0 &&
                   fact->findings == ANY_FINDING));
        }
    }
    CHECK(!platform_named("kvm "));
}

int main(void)
{
    RUN(a_platform_is_found_by_what_it_announces);
    RUN(stock_qemu_is_known_by_a_btf_that_should_act);
    RUN(stock_qemu_alone_gets_workloads_wrong);
    RUN(bare_metal_has_what_the_model_has);
    RUN(of_an_unknown_model_only_stepping_is_known);
    RUN(lbr_on_kvm_goes_by_the_format_of_the_model);
    RUN(lbr_on_kvm_of_amd_goes_by_its_version);
    RUN(architectural_lbr_does_not_reach_a_guest_of_kvm);
    RUN(branch_sampling_is_of_zen3_where_cpuid_says_so);
    RUN(every_fact_has_its_source);
    return tests_failed;
}
