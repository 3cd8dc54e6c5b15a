// LINK: common/facts/cpuid_leaves.c common/facts/pmu.c common/facts/model.c
// LINK: common/facts/filter.c common/facts/info.c common/base/text.c
// LINK: common/base/nearest.c tools/base/heap.c tools/base/words.c
/* Brands as /proc/cpuinfo has them, and as people type them. */
#include "tools/report/which_model.c"

#include "test.h"

/* True if the names of the rows are these, with commas between. */
static bool are(const char *what, const char *names)
{
    const struct which_models which = which_models(what);
    char got[256] = "";

    for (size_t i = 0; i < which.count; i++) {
        strcat(got, i ? "," : "");
        strcat(got, which.rows[i]->name);
    }
    if (strcmp(got, names) == 0)
        return true;
    fprintf(stderr, "# %s: got %s, want %s\n", what, got, names);
    return false;
}

TEST(every_row_of_brands_names_rows_of_the_table)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char *models_of = format_text("%s", rows[i].models), *rest = models_of, *name;

        while ((name = strsep(&rest, ",")))
            CHECK(model_named(name) || strchr(name, '_'));
        CHECK(!has_signatures(&rows[i]) || signature_nth(&rows[i], 0));
        CHECK(!signature_nth(&rows[i], WHICH_SIGNATURES - 1));
        CHECK(!fits(&rows[i], " ") && rows[i].brands && rows[i].source);
        free(models_of);
    }
}

TEST(intels_numbers_say_the_generation)
{
    CHECK(are("i7-9700K", "skylake"));
    CHECK(are("Intel(R) Core(TM) i7-9700K CPU @ 3.60GHz", "skylake"));
    CHECK(are("Intel(R)Core(TM)i7-9700K CPU @ 3.60GHz", "skylake"));
    CHECK(are("Intel(R) Core(TM) i7 CPU         920  @ 2.67GHz", "nehalem"));
    CHECK(are("Intel(R) Core(TM) i7 CPU       X 980  @ 3.33GHz", "nehalem"));
    CHECK(are("Intel(R) Core(TM) i5-2500K CPU @ 3.30GHz", "sandybridge"));
    CHECK(are("i7-3770", "sandybridge"));
    CHECK(are("i7-4960X", "sandybridge"));
    CHECK(are("i7-4940MX", "haswell"));
    CHECK(are("i7-5960X", "haswell"));
    CHECK(are("i7-6950X", "haswell"));
    CHECK(are("i7-6820HK", "skylake"));
    CHECK(are("Intel(R) Core(TM) M-5Y71 CPU @ 1.20GHz", "haswell"));
    CHECK(are("Intel(R) Core(TM) i5-7Y54 CPU @ 1.20GHz", "skylake"));
    CHECK(are("Intel(R) Core(TM) i7-1065G7 CPU @ 1.30GHz", "skylake"));
    CHECK(are("11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz", "skylake"));
    CHECK(are("Intel(R) Core(TM) i9-10900K CPU @ 3.70GHz", "skylake"));
    CHECK(are("12th Gen Intel(R) Core(TM) i7-1260P", "archlbr"));
    CHECK(are("13th Gen Intel(R) Core(TM) i9-13900K", "archlbr"));
    CHECK(are("Intel(R) Core(TM) Ultra 7 155H", "archlbr"));
    CHECK(are("Intel(R) Core(TM) Ultra X7 358H", "archlbr"));
    CHECK(are("Intel(R) Core(TM) 7 150U", "archlbr"));
    CHECK(are("Intel(R) N100", "archlbr"));
    CHECK(are("Intel(R) Core(TM) i3-N305", "archlbr"));
}

TEST(a_xeon_has_its_generation_in_the_second_digit_or_after_v)
{
    CHECK(are("Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz", "skylake"));
    CHECK(are("Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz", "skylake"));
    CHECK(are("Intel(R) Xeon(R) Platinum 8480+", "archlbr"));
    CHECK(are("Intel(R) Xeon(R) CPU E5-2680 0 @ 2.70GHz", "sandybridge"));
    CHECK(are("Intel(R) Xeon(R) CPU E5-2690 v2 @ 3.00GHz", "sandybridge"));
    CHECK(are("Intel(R) Xeon(R) CPU E5-2687W v4 @ 3.00GHz", "haswell"));
    CHECK(are("e5-2680v3", "haswell"));
    CHECK(are("Intel(R) Xeon(R) CPU E3-1505M v5 @ 2.80GHz", "skylake"));
    CHECK(are("Intel(R) Xeon(R) CPU E7- 4870  @ 2.40GHz", "nehalem"));
    CHECK(are("Intel(R) Xeon(R) CPU E7-8890 v4 @ 2.20GHz", "haswell"));
    CHECK(are("Intel(R) Xeon(R) CPU D-1541 @ 2.10GHz", "haswell"));
    CHECK(are("Intel(R) Xeon(R) D-2146NT CPU @ 2.30GHz", "skylake"));
    CHECK(are("Intel(R) Xeon(R) W-2145 CPU @ 3.70GHz", "skylake"));
    CHECK(are("Intel(R) Xeon(R) w5-2465X", "archlbr"));
    CHECK(are("Intel(R) Xeon(R) CPU           X5660  @ 2.80GHz", "nehalem"));
    CHECK(are("Intel(R) Xeon(R) CPU           E5405  @ 2.00GHz", "core2"));
    CHECK(are("Intel(R) Xeon(R) CPU            5160  @ 3.00GHz", "core2"));
    CHECK(are("Intel(R) Xeon Phi(TM) CPU 7250 @ 1.40GHz", "knl"));
    CHECK(are("Intel(R) Xeon(TM) CPU 3.00GHz", "willamette,netburst"));
}

TEST(older_and_smaller_ones_have_numbers_of_their_own)
{
    CHECK(are("Intel(R) Core(TM)2 Duo CPU     E7500  @ 2.93GHz", "core2"));
    CHECK(are("E7500", "core2,nehalem"));
    CHECK(are("Q6600", "core2"));
    CHECK(are("Intel(R) Pentium(R) Dual  CPU  E2160  @ 1.80GHz", "core2"));
    CHECK(are("Intel(R) Pentium(R) M processor 1.73GHz", "pentiumm,core2"));
    CHECK(are("Intel(R) Pentium(R) 4 CPU 3.00GHz", "willamette,netburst"));
    CHECK(are("Pentium III (Coppermine)", "p6"));
    CHECK(are("Intel(R) Atom(TM) CPU N270   @ 1.60GHz", "bonnell"));
    CHECK(are("Intel(R) Atom(TM) CPU N2800   @ 1.86GHz", "bonnell"));
    CHECK(are("Intel(R) Celeron(R) CPU  N2840  @ 2.16GHz", "silvermont"));
    CHECK(are("Intel(R) Atom(TM) CPU C3958 @ 2.00GHz", "goldmont"));
    CHECK(are("Intel(R) Celeron(R) J4125 CPU @ 2.00GHz", "skylake"));
    CHECK(are("Intel(R) Pentium(R) Gold 7505 @ 2.00GHz",
              "core2,nehalem,sandybridge,haswell,skylake,archlbr"));
}

TEST(amds_numbers_say_the_generation_or_the_architecture)
{
    CHECK(are("AMD EPYC 7763 64-Core Processor", "zen3"));
    CHECK(are("AMD EPYC 7302P 16-Core Processor", "zen"));
    CHECK(are("AMD EPYC 9R14", "zen4"));
    CHECK(are("AMD Ryzen 9 5950X 16-Core Processor", "zen3"));
    CHECK(are("AMD Ryzen 5 5300U with Radeon Graphics", "zen"));
    CHECK(are("AMD Ryzen 7 5800U with Radeon Graphics", "zen3"));
    CHECK(are("AMD Ryzen 7 PRO 4750U with Radeon Graphics", "zen"));
    CHECK(are("AMD Ryzen 5 7520U with Radeon Graphics", "zen"));
    CHECK(are("AMD Ryzen 7 7735HS with Radeon Graphics", "zen3"));
    CHECK(are("AMD Ryzen 9 7945HX3D with Radeon Graphics", "zen4"));
    CHECK(are("AMD Ryzen 9 7950X3D 16-Core Processor", "zen4"));
    CHECK(are("AMD Ryzen 7 9700X 8-Core Processor", "zen4"));
    CHECK(are("AMD Ryzen AI 9 HX 370 w/ Radeon 890M", "zen4"));
    CHECK(are("Ryzen 5 7539", "zen4,zen,zen3"));
    CHECK(are("AMD Ryzen Threadripper PRO 5975WX 32-Cores", "zen3"));
    CHECK(are("AMD FX(tm)-8350 Eight-Core Processor", "amd15h"));
    CHECK(are("AMD Phenom(tm) II X6 1090T Processor", "amd10h"));
    CHECK(are("AMD Athlon(tm) 64 X2 Dual Core Processor 4200+", "k8"));
    CHECK(are("AMD Athlon(tm) 5350 APU with Radeon(tm) R3", "amd16h"));
    CHECK(are("Quad-Core AMD Opteron(tm) Processor 2356", "amd10h"));
    CHECK(are("AMD Opteron(TM) Processor 6276", "amd15h"));
    CHECK(are("AMD E1-1200 APU with Radeon(tm) HD Graphics", "amd14h"));
    CHECK(are("AMD Sempron(tm) Processor 3000+", "k8,amd10h"));
}

TEST(a_code_name_finds_its_row_and_a_row_its_brands)
{
    CHECK(are("Ice Lake-SP", "skylake"));
    CHECK(are("Raptor Lake", "archlbr"));
    CHECK_TEXT(which_brands(model_named("dhyana"), 0), "Hygon C86");
    CHECK(!which_brands(model_named("dhyana"), 1));
}

TEST(case_blanks_and_hyphens_make_no_difference)
{
    CHECK(are("Skylake", "skylake"));
    CHECK(are("HASWELL", "haswell"));
    CHECK(are("Sandy-Bridge", "sandybridge"));
    CHECK(are("Zen 4", "zen4"));
    CHECK(are("zen-3", "zen3"));
    CHECK(are("icelake", "skylake"));
    CHECK(are("i7 9700K", "skylake"));
    CHECK(are("zen5", "zen4"));
    CHECK(are("Zen 2", "zen"));
    CHECK(are("Bulldozer", "amd15h"));
    CHECK(are("Cedar Mill", "netburst"));
}

static bool mean(const char *what, const char *signatures)
{
    const struct which_models which = which_models(what);
    char got[256] = "";

    for (size_t i = 0; which.signatures[i]; i++)
        sprintf(got + strlen(got), "%s%02x_%02x", i ? "," : "", which.signatures[i] >> 8,
                which.signatures[i] & 0xff);
    if (strcmp(got, signatures) != 0)
        fprintf(stderr, "# %s: got %s, want %s\n", what, got, signatures);
    return which.count && strcmp(got, signatures) == 0;
}

TEST(a_brand_or_a_code_name_means_signatures_where_they_are_known)
{
    CHECK(mean("i7-9700K", "06_9e"));
    CHECK(mean("i9-9980XE", "06_55"));
    CHECK(mean("i7-7820HQ", "06_8e,06_9e"));
    CHECK(mean("i7-1065G7", "06_7e"));
    CHECK(mean("Xeon Gold 6130", "06_55"));
    CHECK(mean("Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz", "06_6a"));
    CHECK(mean("Xeon Platinum 8380H", "06_55"));
    CHECK(mean("Ice Lake", "06_6a,06_6c,06_7d,06_7e,06_9d"));
    CHECK(mean("Ice Lake-SP", "06_6a"));
    CHECK(mean("Skylake-X", "06_55"));
    CHECK(mean("Westmere", "06_25,06_2c,06_2f"));
    CHECK(mean("Broadwell", "06_3d,06_47,06_4f,06_56"));
    CHECK(mean("06_9eH", "06_9e"));
    CHECK(mean("Naples", "17_01"));
    CHECK(mean("Rome", "17_31"));
    CHECK(mean("Milan", "19_01"));
    CHECK(mean("Genoa", "19_11"));
    CHECK(mean("Pentium 4", ""));
    CHECK(mean("skylake", ""));
}

TEST(a_signature_is_of_one_row_or_of_each_vendor_that_has_it)
{
    CHECK(are("06_9e", "skylake"));
    CHECK(are("06_9EH", "skylake"));
    CHECK(are("0x906ea", "skylake"));
    CHECK(are("06_97", "archlbr"));
    CHECK(are("0f_04", "netburst,k8"));
    CHECK(are("0xa20f12", "zen3"));
    CHECK(are("12_01", "archlbr,amd12h"));
    CHECK(are("18_00", "dhyana"));
}

TEST(what_is_none_of_these_is_unknown)
{
    static char much[1 << 16];

    CHECK(are("", ""));
    CHECK(are("AMD EPYC", ""));
    CHECK(are("i7-97000K", ""));
    CHECK(are("QEMU Virtual CPU version 2.5+", ""));
    CHECK(are("06_9ex", ""));
    CHECK(are("0x", ""));
    CHECK(are("skylak", ""));
    CHECK(are("skylake", "skylake"));
    memset(much, 'i', sizeof(much) - 1);
    CHECK(are(much, ""));
}
