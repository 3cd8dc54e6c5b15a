/*
 * `models` and `platforms`: the tables, all of them, each row with its source and how far
 * that is to be trusted.
 */
#include "verbs.h"

#include <stdio.h>

#include "json.h"
#include "log_run.h"
#include "platform.h"
#include "verdict.h"

static void print_who(const struct model *row)
{
    printf("    \"%s\"", row->vendor);
    if (row->needs_arch_lbr)
        printf(", whatever has CPUID.7.0:EDX[19]");
    else if (row->needs_amd_lbr_v2)
        printf(", whatever has CPUID.80000022H:EAX[1]");
    else
        printf(" family 0x%x%s", row->family,
               row->any_number          ? ", all models"
               : row->number_count == 1 ? ", model"
                                        : ", models");
    for (size_t i = 0; i < row->number_count; i++)
        printf(" 0x%02x", row->numbers[i]);
    putchar('\n');
}

static const char *form(const struct lbr_layout *lbr)
{
    static const char *const forms[] = {
        [LBR_PAIR] = "64 bits each",
        [LBR_PAIR_32] = "32 bits each",
        [LBR_PACKED] = "FROM in the low half, TO in the high one",
    };

    return forms[lbr->form];
}

static void print_flags(const struct lbr_layout *lbr)
{
    if (lbr->from_flags == 1)
        printf(", the upper bit of FROM is a flag");
    else if (lbr->from_flags)
        printf(", the upper %u bits of FROM are flags", lbr->from_flags);
    if (lbr->to_flags) /* never one alone */
        printf(", the upper %u bits of TO are no address", lbr->to_flags);
}

/* The row's; LBR_FMT or CPUID may say that there are fewer. */
static void print_fields(const struct info_form *form)
{
    const char *before = ", beside them ";

    for (enum info_word i = 0; form && i < INFO_WORDS; i++)
        if (form->words[i].width) {
            printf("%s%s", before, info_names[i]);
            before = "+";
        }
}

static void print_register(const char *what, uint32_t msr)
{
    if (msr)
        printf(", %s 0x%x", what, msr);
}

static void print_formats(const struct lbr_layout *lbr)
{
    const char *before = ", LBR_FMT ";

    for (unsigned n = 0; n < 8; n++)
        if (lbr->formats >> n & 1) {
            printf("%s%u", before, n);
            before = " or ";
        }
}

static void print_filter(const struct filter_form *form)
{
    uint32_t has = 0, also = 0;

    for (enum filter_bit i = 0; form && i < FILTER_BITS; i++) {
        has |= form->bit[i] ? LEAVES_OUT(i) : 0;
        also |= form->also[i];
    }
    if (!form)
        return;
    printf(", filtered by ring entered and kind%s%s",
           form->hides_from ? ", a FROM in a ring left out reads all ones" : "",
           has & LEAVES_OUT(FILTER_CALLSTACK) ? ", with call stack" : "");
    if (also)
        printf(", with jumps %s as well (%s)", filter_words(also), form->confidence);
}

static void print_lbr(const struct model *row)
{
    const struct lbr_layout *lbr = &row->lbr;

    if (!lbr->from) {
        puts("    LBR: none known");
        return;
    }
    if (lbr->depth)
        printf("    LBR: %u deep at 0x%x", lbr->depth, lbr->from);
    else
        printf("    LBR: as deep as CPUID says, at 0x%x", lbr->from);
    if (lbr->to)
        printf(" and 0x%x", lbr->to);
    if (lbr->stride > 1)
        printf(", every %u", lbr->stride);
    printf(", %s", form(lbr));
    print_flags(lbr);
    print_register("INFO", lbr->info);
    print_register("TOS", lbr->tos);
    print_register("filter", lbr->select);
    print_register("turned on in", lbr->ctl);
    print_filter(lbr->filter);
    print_register("depth set in", lbr->set_depth);
    print_fields(lbr->fields);
    print_formats(lbr);
    if (lbr->fuses)
        printf(", FROM can be an instruction fused with its branch");
    if (lbr->doubles_newest)
        printf(", the newest record can be a copy");
    putchar('\n');
}

static void print_bit(const char *name, uint32_t mask)
{
    if (mask)
        printf(" %s %d", name, __builtin_ctz(mask));
}

static void print_rest(const struct model *row)
{
    const struct debugctl_bits *bits = &row->debugctl;

    printf("    DEBUGCTL bits:");
    print_bit("LBR", bits->lbr);
    print_bit(row->btf_unconfirmed ? "BTF (unconfirmed)" : "BTF", bits->btf);
    print_bit("TR", bits->tr);
    print_bit("BTS", bits->bts);
    print_bit("BTINT", bits->btint);
    print_bit("BTS_OFF_OS", bits->bts_off_os);
    print_bit("BTS_OFF_USR", bits->bts_off_usr);
    puts(row->bts ? "; BTS where CPUID.DS says so" : "; no BTS");
    if (!row->ler_from)
        return;
    printf("    LER: FROM 0x%x, TO 0x%x", row->ler_from, row->ler_to);
    print_register("INFO", row->ler_info);
    puts(row->tr_excludes_lbr ? "; TR and LBR exclude each other" : "");
}

static void json_bit(struct json *json, const char *name, uint32_t mask)
{
    if (mask)
        json_count(json, name, (uint64_t)__builtin_ctz(mask));
}

static void json_debugctl(struct json *json, const struct debugctl_bits *bits)
{
    json_object(json, "debugctl_bits");
    json_bit(json, "lbr", bits->lbr);
    json_bit(json, "btf", bits->btf);
    json_bit(json, "tr", bits->tr);
    json_bit(json, "bts", bits->bts);
    json_bit(json, "btint", bits->btint);
    json_bit(json, "bts_off_os", bits->bts_off_os);
    json_bit(json, "bts_off_usr", bits->bts_off_usr);
    json_close(json);
}

static void json_register(struct json *json, const char *name, uint32_t msr)
{
    if (msr)
        json_hex(json, name, msr);
    else
        json_null(json, name);
}

static void json_lbr(struct json *json, const struct lbr_layout *lbr)
{
    if (!lbr->from) {
        json_null(json, "lbr");
        return;
    }
    json_object(json, "lbr");
    json_count(json, "depth", lbr->depth); /* 0: CPUID tells it */
    json_text(json, "form", form(lbr));
    json_register(json, "from", lbr->from);
    json_register(json, "to", lbr->to);
    json_register(json, "info", lbr->info);
    json_register(json, "tos", lbr->tos);
    json_register(json, "select", lbr->select);
    json_register(json, "ctl", lbr->ctl);
    json_close(json);
}

static void json_model(struct json *json, const struct model *row)
{
    json_object(json, NULL);
    json_text(json, "name", row->name);
    json_text(json, "about", row->about);
    json_text(json, "vendor", row->vendor);
    json_count(json, "family", row->family);
    json_array(json, "models");
    for (size_t i = 0; i < row->number_count; i++)
        json_count(json, NULL, row->numbers[i]);
    json_close(json);
    json_bool(json, "any_model", row->any_number);
    json_lbr(json, &row->lbr);
    json_debugctl(json, &row->debugctl);
    json_bool(json, "btf_confirmed", row->debugctl.btf && !row->btf_unconfirmed);
    json_bool(json, "bts", row->bts);
    json_register(json, "ler_from", row->ler_from);
    json_register(json, "ler_to", row->ler_to);
    json_text(json, "confidence", row->confidence);
    json_text(json, "source", row->source);
    json_close(json);
}

static int json_models(const struct given *given)
{
    struct json json;

    json_begin(&json, stdout, given->verb->name);
    json_array(&json, "models");
    for (size_t i = 0; i < model_count; i++)
        json_model(&json, &models[i]);
    json_close(&json);
    json_end(&json, EXIT_AS_EXPECTED);
    return EXIT_AS_EXPECTED;
}

int verb_models(const struct given *given)
{
    if (given->json)
        return json_models(given);
    for (size_t i = 0; i < model_count; i++) {
        const struct model *row = &models[i];

        printf("%s%-12s %s\n", i ? "\n" : "", row->name, row->about);
        print_who(row);
        print_lbr(row);
        print_rest(row);
        printf("    %s: %s\n", row->confidence, row->source);
    }
    return EXIT_AS_EXPECTED;
}

/* Platforms. */

static void print_differences(const struct platform_fact *fact)
{
    const unsigned probe_results = fact->probe_results;
    const char *before = "";

    if (probe_results == ANY_FINDING) {
        printf("not judged");
        return;
    }
    for (enum probe_result i = WORKS; i < FINDING_COUNT; i++)
        if (probe_results & FOUND(i)) {
            printf("%s%s", before, probe_result_name(i));
            if (i == DEVIATES && fact->deviation)
                printf(" (\"%s\")", fact->deviation);
            before = " or ";
        }
}

static const char *when(const struct platform_fact *fact)
{
    static const char *const cases[] = {
        [ALWAYS] = "",
        [MODEL_HAS] = ", where the model has it",
        [MODEL_LACKS] = ", where the model has it not",
        [LBR_BY_CPUID] = ", where CPUID announces the stack",
        [LBR_FORMAT_FITS] = ", where LBR_FMT is the model's",
        [LBR_FORMAT_ZERO] = ", where LBR_FMT is 0",
    };

    return cases[fact->when];
}

static void print_fact(const struct platform_fact *fact)
{
    printf("    %-4s ", facility_names[fact->facility]);
    print_differences(fact);
    printf("%s", when(fact));
    if (fact->vendor)
        printf(", on \"%s\"", fact->vendor);
    printf(": %s\n         %s: %s\n", fact->about, fact->confidence, fact->source);
}

static void json_fact(struct json *json, const struct platform_fact *fact)
{
    json_object(json, NULL);
    json_text(json, "facility", facility_names[fact->facility]);
    json_array(json, "outcomes");
    for (enum probe_result i = WORKS; i < FINDING_COUNT; i++)
        if (fact->probe_results & FOUND(i))
            json_text(json, NULL, probe_result_name(i));
    json_close(json);
    json_text(json, "when", *when(fact) ? when(fact) + 2 : "always");
    json_text(json, "vendor", fact->vendor);
    json_text(json, "about", fact->about);
    json_text(json, "confidence", fact->confidence);
    json_text(json, "source", fact->source);
    json_close(json);
}

static int json_platforms(const struct given *given)
{
    struct json json;

    json_begin(&json, stdout, given->verb->name);
    json_array(&json, "platforms");
    for (size_t i = 0; i < platform_count; i++) {
        json_object(&json, NULL);
        json_text(&json, "name", platforms[i].name);
        json_text(&json, "about", platforms[i].about);
        json_text(&json, "hypervisor", platforms[i].hypervisor);
        json_text(&json, "refused", platforms[i].refused);
        json_bool(&json, "emulated", platforms[i].emulated);
        json_array(&json, "facts");
        for (size_t n = 0; n < PLATFORM_FACTS_MAX && platforms[i].facts[n].about; n++)
            json_fact(&json, &platforms[i].facts[n]);
        json_close(&json);
        json_close(&json);
    }
    json_close(&json);
    json_end(&json, EXIT_AS_EXPECTED);
    return EXIT_AS_EXPECTED;
}

/* How a log shows that it is of this platform. */
static void print_logged_by(const struct platform *row)
{
    if (row->refused)
        printf("    refused at boot: %s\n", row->refused);
    else if (!row->hypervisor)
        printf("    CPUID does not announce it: no log is judged by this row\n");
    else
        printf("    CPUID.40000000H: \"%s\"%s%s%s%s\n", row->hypervisor,
               row->vendors[0] ? ", on " : "", row->vendors[0] ? row->vendors[0] : "",
               row->vendors[1] ? " or " : "", row->vendors[1] ? row->vendors[1] : "");
    if (row->told_by_dead_btf)
        printf("    told from the next row by BTF, dead where the model has it\n");
}

int verb_platforms(const struct given *given)
{
    if (given->json)
        return json_platforms(given);
    for (size_t i = 0; i < platform_count; i++) {
        const struct platform *row = &platforms[i];

        printf("%s%-12s %s\n", i ? "\n" : "", row->name, row->about);
        print_logged_by(row);
        for (size_t n = 0; n < PLATFORM_FACTS_MAX && row->facts[n].about; n++)
            print_fact(&row->facts[n]);
    }
    return EXIT_AS_EXPECTED;
}
