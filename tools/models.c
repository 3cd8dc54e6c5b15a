/*
 * `models`: the model table, all of it, each row with its source and how far that is to
 * be trusted.
 */
#include "tools.h"

static void print_who(const struct model *row)
{
    printf("    \"%s\"", row->vendor);
    if (row->needs_arch_lbr)
        printf(", whatever has CPUID.7.0:EDX[19]");
    else if (row->needs_amd_lbr_v2)
        printf(", whatever has CPUID.80000022H:EAX[1]");
    else
        printf(" family 0x%x%s", row->family,
               row->any_number ? ", all models" : ", models");
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
    if (lbr->from_flags)
        printf(", the upper %u bits of FROM are flags", lbr->from_flags);
    if (lbr->to_flags)
        printf(", the upper %u bits of TO are no address", lbr->to_flags);
}

static void print_register(const char *what, uint32_t msr)
{
    if (msr)
        printf(", %s 0x%x", what, msr);
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
    print_register("depth set in", lbr->set_depth);
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
    if (row->ler_from)
        printf("    LER: FROM 0x%x, TO 0x%x%s\n", row->ler_from, row->ler_to,
               row->tr_excludes_lbr ? "; TR and LBR exclude each other" : "");
}

int verb_models(void)
{
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
