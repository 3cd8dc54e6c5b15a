/*
 * Vendors number their products by generation, so a pattern stands for hundreds of brands.
 * Where a brand was given to several generations, all their rows are named: only the
 * signature, which CPUID has, decides.
 */
#include "which_model.h"

#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "cpuid_leaves.h"
#include "heap.h"
#include "vendor.h"
#include "words.h"

#define INTEL_NUMBERS "Intel, \"Intel Processor Names, Numbers and Generation List\""
#define INTEL_ARK     "Intel, product specifications (ARK), \"Code Name\""
#define INTEL_FAMILY  "Linux, arch/x86/include/asm/intel-family.h"
#define QEMU_CPUS     "QEMU, target/i386/cpu.c, EPYC-..."
#define AMD_SPECS     "AMD, \"Processor Specifications\""
#define AMD_MOBILE    "AMD, \"AMD's New Model Numbers for 2023+ Mobile Processors\", 2022"
#define AMD_EPYC      "AMD, model numbers of EPYC: the last digit is the generation"

#define LAPTOP "(u|hs|h|hx|hx3d|c|e)" /* after a number: it is of a laptop */

/*
 * An extended regular expression for words of a brand in lower case, without (R), (TM), CPU
 * and PRO.  Letters may follow it, digits may not.  The first row that fits counts.  In a
 * row that has signatures in place of models (INTEL_FAMILY), a blank also fits a hyphen or
 * nothing.
 */
static const struct brand {
    const char *words, *models, *brands, *source;
} rows[] = {
    /* Core i, whose first digits are the generation; X-series are a generation behind. */
    { "core ?2.*|pentium dual.*", "core2", "Core 2, Pentium Dual-Core", INTEL_ARK },
    { "i[357][- ]([xlmqu] )?[0-9]{3}", "nehalem", "Core i, 1st generation", INTEL_NUMBERS },
    { "i7 4[89][0-9]0[kx]", "06_3e", "Core i: Ivy Bridge-E", INTEL_ARK },
    { "i7 5[89][0-9]0[kx]", "06_3f", "Core i: Haswell-E", INTEL_ARK },
    { "i7 6[89][0-9]0[kx]", "06_4f", "Core i: Broadwell-E", INTEL_ARK },
    { "i[79] (7[89]|9[89]|109)[0-9]{2}x", "06_55", "Core i: Skylake-X, Cascade Lake-X",
      INTEL_ARK },
    { "i[357] 2[0-9]{3}", "06_2a", "Core i, 2nd generation", INTEL_NUMBERS },
    { "i[357] 3[0-7][0-9]{2}", "06_3a", "Core i, 3rd generation", INTEL_NUMBERS },
    { "i7 3[89][0-9]{2}", "06_2d,06_3a", "Core i, 3rd generation, 3800 and 3900",
      INTEL_NUMBERS },
    { "i[357] 4[0-9]{3}", "06_3c,06_45,06_46", "Core i, 4th generation", INTEL_NUMBERS },
    { "i[357] 5[0-9]{3}|m 5y[0-9]{2}", "06_3d,06_47", "Core i and M, 5th generation",
      INTEL_NUMBERS },
    { "i[357] 6[0-9]{3}|[im][357] 6y[0-9]{2}", "06_4e,06_5e",
      "Core i and m, 6th generation", INTEL_NUMBERS },
    { "i[357] 7[0-9]{3}|[im][357] 7y[0-9]{2}", "06_8e,06_9e",
      "Core i and m, 7th generation", INTEL_NUMBERS },
    { "i[3579] 8[0-9]{3}|i[357] 8y[0-9]{2}|m3 8100y", "06_66,06_8e,06_9e",
      "Core i and m, 8th generation", INTEL_NUMBERS },
    { "i[3579] 9[0-9]{3}", "06_9e", "Core i, 9th generation", INTEL_NUMBERS },
    { "i[3579] 10[0-9]{3}", "06_8e,06_a5,06_a6",
      "Core i, 10th generation: Comet Lake, Amber Lake", INTEL_NUMBERS },
    { "i[3579] 10[0-9]{2}", "06_7e", "Core i, 10th generation: Ice Lake", INTEL_NUMBERS },
    { "i[3579] 11[0-9]{3}", "06_8c,06_8d,06_a7",
      "Core i, 11th generation: Tiger Lake, Rocket Lake", INTEL_NUMBERS },
    { "i[3579] 11[0-9]{2}", "06_8c", "Core i, 11th generation: Tiger Lake", INTEL_NUMBERS },
    { "i5 l16g7|i3 l13g4", "06_8a", "Core i: Lakefield", INTEL_ARK },
    { "i[3579] 12[0-9]{2,3}", "06_97,06_9a", "Core i, 12th generation", INTEL_NUMBERS },
    { "i[3579] 1[34][0-9]{2,3}", "06_97,06_b7,06_ba,06_bf",
      "Core i, 13th and 14th generation", INTEL_NUMBERS },
    { "core [3579] [0-9]{3}", "archlbr", "Core", INTEL_NUMBERS },
    { "ultra x?[3579] [0-9]{3}", "06_aa,06_ac,06_b5,06_bd,06_c5,06_c6,06_cc", "Core Ultra",
      INTEL_NUMBERS },
    { "i3 n3[0-9]{2}|n(50|95|97|100|150|200|250)", "06_be", "N-series: Gracemont",
      INTEL_ARK },
    /* Xeon. */
    { "xeon (bronze|silver|gold|platinum) [3-9][12][0-9]{2}", "06_55",
      "Xeon Scalable, 1st and 2nd generation", INTEL_NUMBERS },
    { "xeon (bronze|silver|gold|platinum) [3-9]3[0-9]{2}h", "06_55",
      "Xeon Scalable, 3rd generation: Cooper Lake", INTEL_NUMBERS },
    { "xeon (bronze|silver|gold|platinum) [3-9]3[0-9]{2}", "06_6a",
      "Xeon Scalable, 3rd generation: Ice Lake", INTEL_NUMBERS },
    { "xeon (bronze|silver|gold|platinum) [3-9][45][0-9]{2}", "06_8f,06_cf",
      "Xeon Scalable, 4th and 5th generation", INTEL_NUMBERS },
    { "xeon max 9[0-9]{3}", "06_8f", "Xeon Max", INTEL_ARK },
    { "xeon (6 )?6[0-9]{3}p", "06_ad,06_ae,06_b7", "Xeon 6 with P-cores", INTEL_ARK },
    { "xeon (6 )?6[0-9]{3}e", "06_af", "Xeon 6 with E-cores", INTEL_ARK },
    { "e3 [0-9]{4}[lm]? v5", "06_5e", "Xeon E3 v5", INTEL_ARK },
    { "e3 [0-9]{4}[lm]? v6", "06_9e", "Xeon E3 v6", INTEL_ARK },
    { "e[357] [0-9]{4}[lw]? v3", "06_3c,06_3f,06_46", "Xeon E3, E5, E7 v3", INTEL_ARK },
    { "e[357] [0-9]{4}[lw]? v4", "06_47,06_4f", "Xeon E3, E5, E7 v4", INTEL_ARK },
    { "e[357] [0-9]{4}[lw]? v2", "06_3a,06_3e", "Xeon E3, E5, E7 v2", INTEL_ARK },
    { "e[35] [0-9]{4}", "06_2a,06_2d", "Xeon E3, E5 without v", INTEL_ARK },
    { "e7- ?[0-9]{4}", "nehalem", "Xeon E7 without v", INTEL_ARK },
    { "d 1[56][0-9]{2}", "06_56", "Xeon D-1500, D-1600", INTEL_ARK },
    { "d 21[0-9]{2}", "06_55", "Xeon D-2100", INTEL_ARK },
    { "d [12][1789][0-9]{2}", "06_6c", "Xeon D-1700, D-2700", INTEL_ARK },
    { "e 2[12][0-9]{2}", "06_9e", "Xeon E-2100, E-2200", INTEL_ARK },
    { "w [23][12][0-9]{2}", "06_55", "Xeon W-2100 to W-3200", INTEL_ARK },
    { "w 33[0-9]{2}", "06_6a", "Xeon W-3300", INTEL_ARK },
    { "e 23[0-9]{2}|w 1[0-9]{3,4}", "06_8d,06_a5,06_a7", "Xeon E-2300, W-1200 to W-11000",
      INTEL_ARK },
    { "e 24[0-9]{2}|w[3579] [23][0-9]{3}", "06_8f,06_b7", "Xeon E-2400, w3 to w9",
      INTEL_ARK },
    { "(xeon e|[xlw])(34|35|36|55|56|65|75)[0-9]{2}", "nehalem",
      "Xeon 3400 to 3600, 5500, 5600, 6500, 7500", INTEL_ARK },
    { "(xeon |[xelw])(30|31|32|33|51|52|53|54|72|73|74)[0-9]{2}", "core2",
      "Xeon 3000 to 3300, 5100 to 5400, 7200 to 7400", INTEL_ARK },
    { "e(34|55|65|75)[0-9]{2}", "core2,nehalem", "Core 2, Celeron, Pentium, Xeon",
      INTEL_ARK },
    { "xeon phi 72[0-9]{2}", "knl", "Xeon Phi x200", INTEL_ARK },
    /* Before Core i. */
    { "(e[4-8]|q[689]|t[5-9]|p[789]|u[79])[0-9]{3}", "core2", "Core 2", INTEL_ARK },
    { "pentium m( .*)?|core (solo|duo).*|[tlu][12][0-9]{3}", "pentiumm,core2",
      "Pentium M, Core Solo, Core Duo", INTEL_ARK },
    { "pentium (4|d)( .*)?|xeon [0-9.]+ghz", "willamette,netburst",
      "Pentium 4, Pentium D, Xeon without a number", INTEL_ARK },
    { "pentium (pro|ii|iii)( .*)?", "p6", "Pentium Pro to III", INTEL_ARK },
    /* Atom, and what was made of it. */
    { "atom [23]30|[nd][45][0-9]{2}|n2[0-9]{2}|z[56][0-9]{2}", "bonnell", "Atom of 45 nm",
      INTEL_ARK },
    { "n2[68]00|d2[57][05]0|z2[0-9]{3}", "bonnell", "Atom of 32 nm", INTEL_ARK },
    { "z3[0-9]{3}|e38[0-9]{2}|c2[0-9]{3}|x[357]-z8[0-9]{3}|[jn](18|19|28|29|30|31|35|37)[0-"
      "9]{2}",
      "silvermont", "Atom, Celeron, Pentium: Silvermont, Airmont", INTEL_ARK },
    { "x[57] [ae]39[0-9]{2}|[jn](33|34|42)[0-9]{2}", "06_5c",
      "Atom, Celeron, Pentium: Goldmont", INTEL_ARK },
    { "c3[0-9]{3}", "06_5f", "Atom C3000", INTEL_ARK },
    { "[jn]4[01][0-9]{2}", "06_7a", "Celeron: Gemini Lake", INTEL_ARK },
    { "[jn](45|50|51|60|62|64)[0-9]{2}|x6[0-9]{3}|[cp]5[0-9]{3}", "06_7a,06_86,06_96,06_9c",
      "Atom, Celeron, Pentium: Goldmont Plus, Tremont", INTEL_ARK },
    { "(pentium|celeron)( .*)?", "core2,nehalem,sandybridge,haswell,skylake,archlbr",
      "Pentium and Celeron, a name of every generation", INTEL_ARK },
    /* AMD since Zen.  In a guest without LBR stack version 2, zen3 or amd stands for zen4.
     */
    { "epyc [379][0-9a-z]{2}[12]", "zen", "EPYC: Zen, Zen 2", AMD_EPYC },
    { "epyc [79][0-9a-z]{2}3", "zen3", "EPYC: Zen 3", AMD_EPYC },
    { "epyc [4-9][0-9a-z]{2}[45]", "zen4", "EPYC: Zen 4, Zen 5", AMD_EPYC },
    { "threadripper [123][0-9]{3}", "zen", "Ryzen Threadripper: Zen to Zen 2", AMD_SPECS },
    { "threadripper 5[0-9]{3}", "zen3", "Ryzen Threadripper: Zen 3", AMD_SPECS },
    { "threadripper [79][0-9]{3}", "zen4", "Ryzen Threadripper: Zen 4, Zen 5", AMD_SPECS },
    { "ryzen [3579] [1234][0-9]{3}|ryzen [357] 5[357]00u", "zen", "Ryzen: Zen to Zen 2",
      AMD_SPECS },
    { "ryzen [3579] [56][0-9]{3}", "zen3", "Ryzen: Zen 3, Zen 3+", AMD_SPECS },
    { "(ryzen [3579]|athlon (gold|silver)) 7[0-9][12][0-9]" LAPTOP, "zen",
      "Ryzen for laptops, third digit 1 or 2: Zen to Zen 2", AMD_MOBILE },
    { "ryzen [3579] [789][0-9]3[0-9]" LAPTOP, "zen3",
      "Ryzen for laptops, third digit 3: Zen 3, Zen 3+", AMD_MOBILE },
    { "ryzen [3579] [789][0-9][45][0-9]" LAPTOP, "zen4",
      "Ryzen for laptops, third digit 4 or 5: Zen 4, Zen 5", AMD_MOBILE },
    { "ryzen [3579] [789][0-9]{2}0(x3d|xt?|gt?|ge|f)?|ryzen [3579] 2[0-9]{2}|ryzen ai.*",
      "zen4", "Ryzen: Zen 4, Zen 5", AMD_SPECS },
    { "ryzen [3579] ([789][0-9]{3}|[0-9]{2,3})|ryzen z[12].*", "zen,zen3,zen4",
      "Ryzen whose number does not say which Zen it is", AMD_SPECS },
    { "athlon ([23][0-9]{2,3}[gu]e?|gold .*|silver .*)", "zen", "Athlon: Zen, Zen+",
      AMD_SPECS },
    /* AMD before Zen. */
    { "fx ?-?[0-9]{4}|opteron ((32|33|42|43|62|63)[0-9]{2}|x3[0-9]{3})|"
      "bulldozer|piledriver|steamroller|excavator",
      "amd15h", "FX, Opteron 3200 to 6300, X3000: Bulldozer to Excavator", AMD_SPECS },
    { "athlon x4 [89][0-9]{2}|a1[02]-[0-9]{4}", "amd15h", "Athlon X4 from 800 on, A10, A12",
      AMD_SPECS },
    { "barcelona|phenom.*|turion ii( .*)?|opteron (13|23|24|41|61|83|84)[0-9]{2}", "amd10h",
      "Phenom, Turion II, Opteron 1300 to 2400, 4100, 6100, 8300, 8400", AMD_SPECS },
    { "athlon ii .*", "amd10h,amd12h", "Athlon II", AMD_SPECS },
    { "bobcat|e-[0-9]{3}|c-[0-9]{2}|z-[0-9]{2}|e[12]-1[0-9]{3}", "amd14h",
      "E, C, Z: Bobcat", AMD_SPECS },
    { "jaguar|puma|(athlon|sempron) [0-9]{4} apu|athlon 5[0-9]50|opteron "
      "x[12][0-9]{3}|gx-[0-9]{3}|e1-[0-9]{4}",
      "amd16h", "Athlon and Sempron of socket AM1, Opteron X, GX, E1: Jaguar, Puma",
      AMD_SPECS },
    { "athlon x[24] .*|athlon dual core .*", "k8,amd10h,amd12h,amd15h", "Athlon X2, X4",
      AMD_SPECS },
    { "llano|a[468]-3[0-9]{3}", "amd12h", "A-series: Llano", AMD_SPECS },
    { "a[468]-[0-9]{4}", "amd15h,amd16h", "A-series after Llano", AMD_SPECS },
    { "e2-[0-9]{4}", "amd12h,amd15h,amd16h", "E2", AMD_SPECS },
    { "griffin|turion x2 ultra.*", "amd11h", "Turion X2 Ultra", AMD_SPECS },
    { "athlon 64.*|turion.*|opteron ([128]|12|22|82)[0-9]{2}", "k8",
      "Athlon 64, Turion, Opteron of three digits, 1200, 2200, 8200", AMD_SPECS },
    { "sempron.*", "k8,amd10h", "Sempron", AMD_SPECS },
    /* Code names that no model's row has. */
    { "northwood", "0f_02", "Northwood", INTEL_FAMILY },
    { "prescott|nocona|cedar mill", "0f_03,0f_04,0f_06", "Prescott, Nocona, Cedar Mill",
      INTEL_FAMILY },
    { "banias", "06_09", "Banias", INTEL_FAMILY },
    { "dothan", "06_0d", "Dothan", INTEL_FAMILY },
    { "yonah", "06_0e", "Yonah", INTEL_FAMILY },
    { "merom|conroe", "06_0f,06_16", "Merom, Conroe", INTEL_FAMILY },
    { "penryn", "06_17", "Penryn", INTEL_FAMILY },
    { "dunnington", "06_1d", "Dunnington", INTEL_FAMILY },
    { "saltwell", "06_27,06_35,06_36", "Saltwell", INTEL_FAMILY },
    { "westmere", "06_25,06_2c,06_2f", "Westmere", INTEL_FAMILY },
    { "ivy bridge", "06_3a,06_3e", "Ivy Bridge", INTEL_FAMILY },
    { "broadwell", "06_3d,06_47,06_4f,06_56", "Broadwell", INTEL_FAMILY },
    { "airmont", "06_4c", "Airmont", INTEL_FAMILY },
    { "denverton", "06_5f", "Denverton", INTEL_FAMILY },
    { "knights landing", "06_57", "Knights Landing", INTEL_FAMILY },
    { "knights mill", "06_85", "Knights Mill", INTEL_FAMILY },
    { "skylake (x|sp)|(cascade|cooper) lake", "06_55",
      "Skylake-X, Cascade Lake, Cooper Lake", INTEL_FAMILY },
    { "(kaby|coffee) lake", "06_8e,06_9e", "Kaby Lake, Coffee Lake", INTEL_FAMILY },
    { "(amber|whiskey) lake", "06_8e", "Amber Lake, Whiskey Lake", INTEL_FAMILY },
    { "comet lake", "06_8e,06_a5,06_a6", "Comet Lake", INTEL_FAMILY },
    { "cannon lake", "06_66", "Cannon Lake", INTEL_FAMILY },
    { "ice lake (x|sp)", "06_6a", "Ice Lake-X", INTEL_FAMILY },
    { "ice lake", "06_6a,06_6c,06_7d,06_7e,06_9d", "Ice Lake", INTEL_FAMILY },
    { "tiger lake", "06_8c,06_8d", "Tiger Lake", INTEL_FAMILY },
    { "rocket lake", "06_a7", "Rocket Lake", INTEL_FAMILY },
    { "gemini lake|goldmont plus", "06_7a", "Gemini Lake", INTEL_FAMILY },
    { "lakefield", "06_8a", "Lakefield", INTEL_FAMILY },
    { "snow ridge", "06_86", "Snow Ridge", INTEL_FAMILY },
    { "elkhart lake", "06_96", "Elkhart Lake", INTEL_FAMILY },
    { "jasper lake", "06_9c", "Jasper Lake", INTEL_FAMILY },
    { "tremont", "06_86,06_8a,06_96,06_9c", "Tremont", INTEL_FAMILY },
    { "alder lake n|gracemont", "06_be", "Alder Lake-N", INTEL_FAMILY },
    { "alder lake", "06_97,06_9a", "Alder Lake", INTEL_FAMILY },
    { "raptor lake", "06_b7,06_ba,06_bf", "Raptor Lake", INTEL_FAMILY },
    { "meteor lake", "06_aa,06_ac", "Meteor Lake", INTEL_FAMILY },
    { "arrow lake", "06_b5,06_c5,06_c6", "Arrow Lake", INTEL_FAMILY },
    { "lunar lake", "06_bd", "Lunar Lake", INTEL_FAMILY },
    { "panther lake", "06_cc", "Panther Lake", INTEL_FAMILY },
    { "sapphire rapids", "06_8f", "Sapphire Rapids", INTEL_FAMILY },
    { "emerald rapids", "06_cf", "Emerald Rapids", INTEL_FAMILY },
    { "granite rapids", "06_ad,06_ae", "Granite Rapids", INTEL_FAMILY },
    { "sierra forest", "06_af", "Sierra Forest", INTEL_FAMILY },
    { "clearwater forest", "06_dd", "Clearwater Forest", INTEL_FAMILY },
    { "naples", "17_01", "EPYC Naples", QEMU_CPUS },
    { "rome", "17_31", "EPYC Rome", QEMU_CPUS },
    { "milan", "19_01", "EPYC Milan", QEMU_CPUS },
    { "genoa", "19_11", "EPYC Genoa", QEMU_CPUS },
    { "turin", "1a_00", "EPYC Turin", QEMU_CPUS },
    { "zen[- ]?[12]|zen\\+", "zen", "Zen, Zen+, Zen 2", AMD_SPECS },
    { "zen[- ]?5", "zen4", "Zen 5", AMD_SPECS },
    /* Others, of which the table has one row each. */
    { "hygon.*", "dhyana", "Hygon C86", "register dumps" },
    { "via (nano|quadcore|eden).*", "via", "VIA Nano, QuadCore, Eden", "register dump" },
    { "zhaoxin.*|kx-.*", "zhaoxin", "Zhaoxin KX", "register dump" },
};

/* Makes the words of a brand lower-case and drops what only some write; one blank each. */
static char *plain(const char *what)
{
    static const char *const dropped[] = { "(r)",  "(tm)", "(c)",
                                           "cpu ", "pro ", "processor " };
    const size_t length = strlen(what);
    char *text = scratch_take(zeroed(length + 3, 1)), *out = text;

    *out++ = ' ';
    for (size_t i = 0; i < length;) {
        size_t skip = 0;
        bool blank;

        for (size_t d = 0; d < COUNT_OF(dropped); d++)
            if (strncasecmp(what + i, dropped[d], strlen(dropped[d])) == 0 &&
                (dropped[d][0] == '(' || out[-1] == ' '))
                skip = strlen(dropped[d]);
        /* A word that is dropped is a blank, as in "Xeon(R)Gold". */
        blank = skip || isspace((unsigned char)what[i]);
        if (!blank || out[-1] != ' ')
            *out++ = blank ? ' ' : (char)tolower((unsigned char)what[i]);
        i += skip ? skip : 1;
    }
    *out = ' ';
    return text;
}

static bool has_signatures(const struct brand *brand)
{
    return strchr(brand->models, '_');
}

static bool fits(const struct brand *brand, const char *text)
{
    const bool literal = !has_signatures(brand);
    const char *words = literal ? brand->words : "";
    regex_t compiled;
    bool does;

    for (const char *at = brand->words; !literal && *at; at++)
        words =
            *at == ' ' ? scratch_text("%s[ -]?", words) : scratch_text("%s%c", words, *at);
    if (regcomp(&compiled, scratch_text(" (%s)([^0-9 ][^ ]*)? ", words),
                REG_EXTENDED | REG_NOSUB) != 0)
        abort(); /* the row is wrong */
    does = regexec(&compiled, text, 0, NULL, 0) == 0;
    regfree(&compiled);
    return does;
}

static void add(struct which_models *which, const struct model *row)
{
    for (size_t i = 0; i < which->count; i++)
        if (which->rows[i] == row)
            return;
    if (row && which->count < WHICH_MAX)
        which->rows[which->count++] = row;
}

/* "0x906ea", as CPUID leaf 1 has it, or "06_9e" or "06_9EH", as the manuals write. */
static bool read_signature(const char *what, uint32_t *family, uint32_t *model)
{
    struct cpu_id id = { .family = 0 };
    uint32_t eax;
    int end = 0;

    if (sscanf(what, "0%*1[xX]%8x%n", &eax, &end) == 1 && !what[end]) {
        cpuid_take_signature(&id, eax);
        *family = id.family;
        *model = id.model;
        return true;
    }
    end = 0;
    return sscanf(what, "%2x_%2x%n", family, model, &end) == 2 &&
           (!what[end] || strcasecmp(what + end, "h") == 0);
}

static const struct model *row_of(const char *vendor, uint32_t signature)
{
    struct cpu_id id = { .family = signature >> 8, .model = signature & 0xff };

    snprintf(id.vendor, sizeof(id.vendor), "%s", vendor);
    return model_by_signature(&id);
}

/* The nth signature of the row, or 0. */
static uint32_t signature_nth(const struct brand *brand, size_t n)
{
    const char *at = has_signatures(brand) ? brand->models : NULL;
    uint32_t family, model;

    for (; at && n; n--)
        at = (at = strchr(at, ',')) ? at + 1 : NULL;
    return at && sscanf(at, "%2x_%2x", &family, &model) == 2 ? family << 8 | model : 0;
}

static bool names(const struct brand *brand, const struct model *row)
{
    uint32_t signature;

    for (size_t n = 0; (signature = signature_nth(brand, n)); n++) {
        const struct model *of_intel = row_of(INTEL, signature);

        if (row == (of_intel ? of_intel : row_of(AMD, signature)))
            return true;
    }
    return listed(brand->models, row->name);
}

static void by_brand(struct which_models *which, const char *what)
{
    const char *text = plain(what);

    for (size_t i = 0; i < COUNT_OF(rows) && !which->count; i++) {
        if (!fits(&rows[i], text))
            continue;
        for (size_t m = 0; m < model_count; m++)
            if (names(&rows[i], &models[m]))
                add(which, &models[m]);
        which->brands = rows[i].brands;
        which->source = rows[i].source;
        for (size_t n = 0; n < WHICH_SIGNATURES; n++)
            which->signatures[n] = signature_nth(&rows[i], n);
    }
}

static void by_signature(struct which_models *which, uint32_t signature)
{
    static const char *const vendors[] = { INTEL, AMD, HYGON };

    for (size_t i = 0; i < COUNT_OF(vendors); i++)
        add(which, row_of(vendors[i], signature));
    which->signatures[0] = signature;
}

/* True if they are the same but for case, blanks and hyphens. */
static bool same_name(const char *a, const char *b)
{
    do {
        a += strspn(a, " -");
        b += strspn(b, " -");
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
    } while (b++, *a++);
    return true;
}

struct which_models which_models(const char *what)
{
    struct which_models which = { .count = 0 };
    uint32_t family, model;

    for (size_t i = 0; i < model_count; i++)
        if (same_name(models[i].name, what))
            add(&which, &models[i]);
    if (!which.count && read_signature(what, &family, &model))
        by_signature(&which, family << 8 | model);
    if (!which.count)
        by_brand(&which, what);
    return which;
}

const char *which_brands(const struct model *row, size_t n)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (names(&rows[i], row) && n-- == 0)
            return rows[i].brands;
    return NULL;
}

void which_model_unknown(const char *what)
{
    struct nearest nearest = nearest_to(what, strlen(what));

    for (size_t i = 0; i < model_count; i++)
        nearest_try(&nearest, models[i].name);
    fprintf(
        stderr,
        "everybranch: no model \"%s\"%s; give the whole name of an x86 processor "
        "(\"Xeon Gold 6130\", i7-9700K), its signature (06_9e: family 6 and model 158 of "
        "`lscpu`, in hex), or a row of the table, which `everybranch list models all` "
        "prints.  `everybranch list models` on that machine prints its row",
        what, scratch_take(did_you_mean(&nearest, "")));
    for (size_t i = 0; i < model_count; i++)
        if (strcasestr(models[i].about, what))
            fprintf(stderr, "; the row %s names it", models[i].name);
    fputc('\n', stderr);
}
