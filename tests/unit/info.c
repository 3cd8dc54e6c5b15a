// LINK: common/facts/model.c common/facts/filter.c common/base/text.c common/facts/info.c
#include "common/facts/info.c"

#include "rows.h"

/* What the row decodes of these registers, with this LBR_FMT. */
static bool decode(const char *row, uint8_t format, const uint64_t registers[],
                   struct info *out)
{
    const struct cpu_id id = { .lbr_format = format };
    const struct info_form *form = info_form_of(model_named(row), &id);

    if (form)
        *out = info_decode(form, registers);
    return form;
}

/* decode MODEL LBR_FMT FROM TO INFO = what is not 0 (jcc is), or "no form" */
VERB(decode)
{
    const char *row = row_word();
    const uint8_t format = (uint8_t)row_hex();
    const uint64_t from = row_hex(), to = row_hex(), beside = row_hex();
    struct info info;

    if (!decode(row, format, (uint64_t[]){ from, to, beside }, &info)) {
        row_say("no form");
        return;
    }
    for (enum info_word i = 0; i < INFO_WORDS; i++) {
        if (!info.values[i])
            continue;
        row_say(" %s", i == INFO_TYPE ? info_types[info.values[i]] : info_names[i]);
        if (info.values[i] == INFO_UNKNOWN)
            row_say("=?");
        else if (i != INFO_TYPE && info.values[i] != 1)
            row_say("=%u", info.values[i]);
    }
}

/* types = those of the codes 0 to 15 of architectural LBR */
VERB(types)
{
    struct info info;

    for (uint64_t code = 0; code < 16; code++)
        if (decode("archlbr", 0x3f, (uint64_t[]){ 0, 0, code << 56 }, &info))
            row_say(" %s", info_types[info.values[INFO_TYPE]]);
}

/* words MODEL LBR_FMT CPUID.1CH:ECX = the fields */
VERB(words)
{
    const struct model *row = model_named(row_word());
    struct cpu_id id = { .lbr_format = (uint8_t)row_hex() };
    char buffer[100] = "";
    struct text text = text_into(buffer, sizeof(buffer));

    id.arch_lbr_fields = (uint8_t)row_hex();
    info_put_words(&text, info_words_of(row, &id));
    row_say("%s", buffer);
}

TEST(every_row_with_flags_or_a_register_says_what_they_are)
{
    for (size_t i = 0; i < model_count; i++) {
        const struct lbr_layout *lbr = &models[i].lbr;

        if (lbr->from ==
            0x1db) /* AMD's pair: no source names the bits beside the address */
            CHECK(!lbr->fields);
        else
            CHECK((lbr->from_flags || lbr->to_flags || lbr->info) == (lbr->fields != NULL));
        CHECK(!lbr->fields ||
              (lbr->fields->source[0] && lbr->fields->confidence != UNSAID));
    }
}

TEST(an_event_is_another_type)
{
    CHECK(info_type_of(KIND_JCC) == INFO_TYPE_JCC &&
          info_type_of(KIND_JMP) == INFO_TYPE_JMP);
    CHECK(info_type_of(KIND_IJMP) == INFO_TYPE_IJMP);
    CHECK(info_type_of(KIND_CALL) == INFO_TYPE_CALL);
    CHECK(info_type_of(KIND_ICALL) == INFO_TYPE_ICALL);
    CHECK(info_type_of(KIND_RET) == INFO_TYPE_RET);
    CHECK(info_type_of(KIND_INT) == INFO_TYPE_OTHER);
    CHECK(info_type_of(KIND_EXC) == INFO_TYPE_OTHER);
    CHECK(info_type_of(KIND_IRET) == INFO_TYPE_OTHER);
    CHECK(info_type_of(KIND_FAR) == INFO_TYPE_OTHER);
}
