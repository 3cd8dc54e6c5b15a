/*
 * `list models`: rows of the model table, each with its source and how far that can be
 * trusted.
 */
#include "verb_list.h"

#include <stdio.h>
#include <string.h>

#include "exit_code.h"
#include "json.h"
#include "log_run.h"
#include "model.h"
#include "own_machine.h"
#include "which_model.h"

static void print_who(const struct model *row)
{
    printf("    \"%s\"", row->vendor);
    if (row->needs_arch_lbr)
        printf(", any with CPUID.7.0:EDX[19]");
    else if (row->needs_amd_lbr_v2)
        printf(", any with CPUID.80000022H:EAX[1]");
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
    if (lbr->to_flags) /* never a single one */
        printf(", the upper %u bits of TO are no address", lbr->to_flags);
}

/* Prints the row's fields; LBR_FMT or CPUID may say that there are fewer. */
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
           form->hides_from ? ", a FROM in a filtered-out ring reads all ones" : "",
           has & LEAVES_OUT(FILTER_CALLSTACK) ? ", with call stack" : "");
    if (also)
        printf(", with jumps %s as well (%s)", filter_words(also),
               confidence_words[form->confidence]);
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

static void print_row(const struct model *row)
{
    printf("%-12s %s\n", row->name, row->about);
    print_who(row);
    print_lbr(row);
    print_rest(row);
    printf("    %s: %s\n", confidence_words[row->confidence], row->source);
}

static int list_every_model(void)
{
    for (size_t i = 0; i < model_count; i++) {
        if (i)
            putchar('\n');
        print_row(&models[i]);
    }
    return EXIT_AS_EXPECTED;
}

/* The row of the processor that this program runs on. */
static int list_own(void)
{
    struct own_machine own;

    own_machine_read(&own, own_machine_processor(0));
    printf("this machine: %s (%02x_%02x)\n\n", own.brand, own.id.family, own.id.model);
    if (own.model)
        print_row(own.model);
    else
        puts("no row: an unknown processor");
    printf("\n`everybranch list models all` prints all %zu rows\n", model_count);
    return EXIT_AS_EXPECTED;
}

/* A register, or null. */
static void json_register(struct json *json, const char *key, uint32_t msr)
{
    if (msr)
        json_hex(json, key, msr);
    else
        json_null(json, key);
}

static void json_lbr(struct json *json, const struct lbr_layout *lbr)
{
    if (!lbr->from) {
        json_null(json, "lbr");
        return;
    }
    json_object(json, "lbr");
    if (lbr->depth)
        json_count(json, "depth", lbr->depth);
    else
        json_null(json, "depth");
    json_register(json, "from", lbr->from);
    json_register(json, "to", lbr->to);
    json_register(json, "info", lbr->info);
    json_register(json, "select", lbr->select);
    json_close(json);
}

static void json_row(struct json *json, const struct model *row)
{
    json_object(json, NULL);
    json_text(json, "name", row->name);
    json_text(json, "about", row->about);
    json_text(json, "vendor", row->vendor);
    json_count(json, "family", row->family);
    json_array(json, "numbers");
    for (size_t i = 0; i < row->number_count; i++)
        json_count(json, NULL, row->numbers[i]);
    json_close(json);
    json_array(json, "brands");
    for (size_t i = 0; which_brands(row, i); i++)
        json_text(json, NULL, which_brands(row, i));
    json_close(json);
    json_lbr(json, &row->lbr);
    json_register(json, "ler_from", row->ler_from);
    json_bool(json, "bts", row->bts);
    json_bool(json, "btf", row->debugctl.btf && !row->btf_unconfirmed);
    json_text(json, "confidence", confidence_words[row->confidence]);
    json_text(json, "source", row->source);
    json_close(json);
}

static int list_models_json(const char *what)
{
    struct own_machine own;
    struct which_models which = { .count = 0 };
    const bool all = what && strcmp(what, "all") == 0;
    struct json json;

    if (what && !all)
        which = which_models(what);
    if (what && !all && !which.count) {
        which_model_unknown(what);
        return EXIT_UNUSABLE;
    }
    own_machine_read(&own, own_machine_processor(0));
    json_begin(&json, stdout, "list");
    json_array(&json, "models");
    for (size_t i = 0; i < model_count; i++) {
        bool wanted = all || (!what && own.model == &models[i]);

        for (size_t n = 0; n < which.count; n++)
            wanted |= which.rows[n] == &models[i];
        if (wanted)
            json_row(&json, &models[i]);
    }
    json_close(&json);
    json_end(&json, EXIT_AS_EXPECTED);
    return EXIT_AS_EXPECTED;
}

int list_models(const char *what, bool json)
{
    struct which_models which;

    if (json)
        return list_models_json(what);
    if (!what)
        return list_own();
    if (strcmp(what, "all") == 0)
        return list_every_model();
    which = which_models(what);
    if (!which.count) {
        which_model_unknown(what);
        return EXIT_UNUSABLE;
    }
    if (which.brands)
        printf("%s: %s (%s)\n", what, which.brands, which.source);
    if (which.count > 1)
        puts("It is one of these rows: the signature decides, as does the processor "
             "itself.");
    for (size_t i = 0; i < which.count; i++) {
        if (i || which.brands)
            putchar('\n');
        print_row(which.rows[i]);
    }
    return EXIT_AS_EXPECTED;
}
