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
#define AMD_SPECS     "AMD, \"Processor Specifications\""
#define AMD_MOBILE    "AMD, \"AMD's New Model Numbers for 2023+ Mobile Processors\", 2022"
#define AMD_EPYC      "AMD, model numbers of EPYC: the last digit is the generation"

#define LAPTOP "(u|hs|h|hx|hx3d|c|e)" /* after a number: it is of a laptop */

/*
 * An extended regular expression for words of a brand in lower case, without (R), (TM), CPU
 * and PRO.  Letters may follow it, digits may not.  The first row that fits counts.
 */
static const struct brand {
    const char *words, *models, *brands, *source;
} rows[] = {
    /* Core i, whose first digits are the generation; X-series are a generation behind. */
    { "core ?2.*|pentium dual.*", "core2", "Core 2, Pentium Dual-Core", INTEL_ARK },
    { "i[357][- ]([xlmqu] )?[0-9]{3}", "nehalem", "Core i, 1st generation", INTEL_NUMBERS },
    { "i7-4[89][0-9]0[kx]", "sandybridge", "Core i: Ivy Bridge-E", INTEL_ARK },
    { "i7-6[89][0-9]0[kx]", "haswell", "Core i: Broadwell-E", INTEL_ARK },
    { "i[357]-[23][0-9]{3}", "sandybridge", "Core i, 2nd and 3rd generation",
      INTEL_NUMBERS },
    { "i[357]-[45][0-9]{3}|m-5y[0-9]{2}", "haswell", "Core i and M, 4th and 5th generation",
      INTEL_NUMBERS },
    { "i[3579]-([6789]|10|11)[0-9]{3}|i[3579]-1[01][0-9]{2}|[im][357]-[678]y[0-9]{2}|m3-"
      "8100y",
      "skylake", "Core i and m, 6th to 11th generation", INTEL_NUMBERS },
    { "i5-l16g7|i3-l13g4", "skylake", "Core i: Lakefield", INTEL_ARK },
    { "i[3579]-1[234][0-9]{2,3}", "archlbr", "Core i, 12th to 14th generation",
      INTEL_NUMBERS },
    { "core [3579] [0-9]{3}|ultra x?[3579] [0-9]{3}", "archlbr", "Core, Core Ultra",
      INTEL_NUMBERS },
    { "i3-n3[0-9]{2}|n(50|95|97|100|150|200|250)", "archlbr", "N-series: Gracemont",
      INTEL_ARK },
    /* Xeon. */
    { "xeon (bronze|silver|gold|platinum) [3-9][123][0-9]{2}", "skylake",
      "Xeon Scalable, 1st to 3rd generation", INTEL_NUMBERS },
    { "xeon (bronze|silver|gold|platinum) [3-9][45][0-9]{2}", "archlbr",
      "Xeon Scalable, 4th and 5th generation", INTEL_NUMBERS },
    { "xeon max 9[0-9]{3}|xeon (6 )?6[0-9]{3}[pe]", "archlbr", "Xeon Max, Xeon 6",
      INTEL_ARK },
    { "e3-[0-9]{4}[lm]? ?v[56]", "skylake", "Xeon E3 v5 and v6", INTEL_ARK },
    { "e[357]-[0-9]{4}[lw]? ?v[34]", "haswell", "Xeon E3, E5, E7 v3 and v4", INTEL_ARK },
    { "e[357]-[0-9]{4}[lw]? ?v2|e[35]-[0-9]{4}", "sandybridge",
      "Xeon E3, E5, E7 v2; E3, E5 without v", INTEL_ARK },
    { "e7- ?[0-9]{4}", "nehalem", "Xeon E7 without v", INTEL_ARK },
    { "d-1[56][0-9]{2}", "haswell", "Xeon D-1500, D-1600", INTEL_ARK },
    { "d-[12][1789][0-9]{2}", "skylake", "Xeon D-1700, D-2100, D-2700", INTEL_ARK },
    { "e-2[123][0-9]{2}|w-(1[0-9]{3,4}|2[12][0-9]{2}|3[123][0-9]{2})", "skylake",
      "Xeon E-2100 to E-2300, W", INTEL_ARK },
    { "e-24[0-9]{2}|w[3579]-[23][0-9]{3}", "archlbr", "Xeon E-2400, w3 to w9", INTEL_ARK },
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
    { "x[57]-[ae]39[0-9]{2}|c3[0-9]{3}|[jn](33|34|42)[0-9]{2}", "goldmont",
      "Atom, Celeron, Pentium: Goldmont", INTEL_ARK },
    { "[jn](40|41|45|50|51|60|62|64)[0-9]{2}|x6[0-9]{3}|[cp]5[0-9]{3}", "skylake",
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
    { "fx ?-?[0-9]{4}|opteron ((32|33|42|43|62|63)[0-9]{2}|x3[0-9]{3})", "amd15h",
      "FX, Opteron 3200 to 6300, X3000: Bulldozer to Excavator", AMD_SPECS },
    { "athlon x4 [89][0-9]{2}|a1[02]-[0-9]{4}", "amd15h", "Athlon X4 from 800 on, A10, A12",
      AMD_SPECS },
    { "phenom.*|turion ii( .*)?|opteron (13|23|24|41|61|83|84)[0-9]{2}", "amd10h",
      "Phenom, Turion II, Opteron 1300 to 2400, 4100, 6100, 8300, 8400", AMD_SPECS },
    { "athlon ii .*", "amd10h,amd12h", "Athlon II", AMD_SPECS },
    { "e-[0-9]{3}|c-[0-9]{2}|z-[0-9]{2}|e[12]-1[0-9]{3}", "amd14h", "E, C, Z: Bobcat",
      AMD_SPECS },
    { "(athlon|sempron) [0-9]{4} apu|athlon 5[0-9]50|opteron "
      "x[12][0-9]{3}|gx-[0-9]{3}|e1-[0-9]{4}",
      "amd16h", "Athlon and Sempron of socket AM1, Opteron X, GX, E1: Jaguar, Puma",
      AMD_SPECS },
    { "athlon x[24] .*|athlon dual core .*", "k8,amd10h,amd12h,amd15h", "Athlon X2, X4",
      AMD_SPECS },
    { "a[468]-3[0-9]{3}", "amd12h", "A-series: Llano", AMD_SPECS },
    { "a[468]-[0-9]{4}", "amd15h,amd16h", "A-series after Llano", AMD_SPECS },
    { "e2-[0-9]{4}", "amd12h,amd15h,amd16h", "E2", AMD_SPECS },
    { "turion x2 ultra.*", "amd11h", "Turion X2 Ultra", AMD_SPECS },
    { "athlon 64.*|turion.*|opteron ([128]|12|22|82)[0-9]{2}", "k8",
      "Athlon 64, Turion, Opteron of three digits, 1200, 2200, 8200", AMD_SPECS },
    { "sempron.*", "k8,amd10h", "Sempron", AMD_SPECS },
    /* Code names that no model's row has. */
    { "(amber|cannon|cascade|coffee|comet|cooper|ice|kaby|rocket|tiger|whiskey) lake",
      "skylake",
      "Kaby, Coffee, Comet, Whiskey, Amber, Cannon, Cascade, Cooper, Ice, Tiger Lake",
      INTEL_FAMILY },
    { "(elkhart|gemini|jasper) lake|lakefield|snow ridge", "skylake",
      "Gemini, Elkhart, Jasper Lake; Lakefield; Snow Ridge", INTEL_FAMILY },
    { "(alder|raptor|meteor|arrow|lunar|panther) lake|(sapphire|emerald|granite) rapids|"
      "sierra forest",
      "archlbr",
      "Raptor, Meteor, Arrow, Lunar, Panther Lake; Emerald, Granite Rapids; Sierra Forest",
      INTEL_FAMILY },
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

static bool fits(const struct brand *brand, const char *text)
{
    regex_t compiled;
    bool does;

    if (regcomp(&compiled, scratch_text(" (%s)([^0-9 ][^ ]*)? ", brand->words),
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

static void by_brand(struct which_models *which, const char *what)
{
    const char *text = plain(what);

    for (size_t i = 0; i < COUNT_OF(rows) && !which->count; i++) {
        if (!fits(&rows[i], text))
            continue;
        for (size_t m = 0; m < model_count; m++)
            if (listed(rows[i].models, models[m].name))
                add(which, &models[m]);
        which->brands = rows[i].brands;
        which->source = rows[i].source;
    }
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

/* Families 18 and 19 are Intel's too: Linux, arch/x86/include/asm/intel-family.h. */
static bool intel_has(uint32_t family)
{
    return family == 6 || family == 0xf || family == 18 || family == 19;
}

static void by_signature(struct which_models *which, uint32_t family, uint32_t model)
{
    static const char *const vendors[] = { INTEL, AMD, HYGON };

    for (size_t i = 0; i < COUNT_OF(vendors); i++) {
        struct cpu_id id = { .family = family, .model = model };
        const struct model *row;

        snprintf(id.vendor, sizeof(id.vendor), "%s", vendors[i]);
        row = model_by_signature(&id);
        if (row && (i || intel_has(family)))
            add(which, row);
    }
}

struct which_models which_models(const char *what)
{
    struct which_models which = { .count = 0 };
    uint32_t family, model;

    add(&which, model_named(what));
    if (!which.count && read_signature(what, &family, &model)) {
        by_signature(&which, family, model);
        which.family = family;
        which.number = model;
    }
    if (!which.count)
        by_brand(&which, what);
    return which;
}

const char *which_brands(const struct model *row, size_t n)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (listed(rows[i].models, row->name) && n-- == 0)
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
