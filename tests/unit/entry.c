// LINK: common/facts/filter.c common/facts/info.c common/base/text.c
// LINK: common/facts/model.c common/facts/info.c
#include "common/facts/entry.c"

#include "rows.h"

static const struct model *model(void)
{
    const char *name = row_word();

    if (!model_named(name))
        row_fails("%s: no such model", name);
    return model_named(name) ? model_named(name) : models;
}

static void say_branch(bool valid, const struct branch *branch)
{
    if (valid)
        row_say("%llx %llx", (unsigned long long)branch->from,
                (unsigned long long)branch->to);
    else
        row_say("none");
    if (valid && branch->info)
        row_say("with info");
}

/* entry MODEL FORMAT FROM TO = the FROM and TO that the registers' values mean, or none */
VERB(entry)
{
    const struct lbr_layout *lbr = &model()->lbr;
    uint8_t flags = entry_from_flags(lbr, (uint8_t)row_hex());
    uint64_t from = row_hex(), to = row_hex();
    struct branch decoded = { 1, 1, 1 };

    say_branch(entry_decode(lbr, flags, from, to, &decoded), &decoded);
}

/* ler MODEL FORMAT FROM TO = the same of the last exception record */
VERB(ler)
{
    const struct model *row = model();
    uint8_t flags = entry_from_flags(&row->lbr, (uint8_t)row_hex());
    uint64_t from = row_hex(), to = row_hex();
    struct branch decoded = { 1, 1, 1 };

    say_branch(entry_decode_ler(row, flags, from, to, &decoded), &decoded);
}

/* path MODEL TO = wrong, if the entry is one of the wrong path */
VERB(path)
{
    const struct lbr_layout *lbr = &model()->lbr;

    row_say(entry_is_wrong_path(lbr, row_hex()) ? "wrong" : "right");
}
