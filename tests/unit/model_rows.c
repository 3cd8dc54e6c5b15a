// LINK: common/facts/filter.c common/facts/info.c common/base/text.c
/* Whether each row of the model table is whole.  The build runs this too, and shows what it
 * says. */
#include "common/facts/model.c"

#include "test.h"

static void begin_fault(const struct model *row)
{
    test_fails("common/facts/model.c", 0, "a row of the model table");
    printf("    common/facts/model.c: row %zu, \"%s\": ", (size_t)(row - models),
           row->name ? row->name : "");
}

static void check_that(const struct model *row, bool holds, const char *fault)
{
    if (holds)
        return;
    begin_fault(row);
    printf("%s\n", fault);
}

static void check_text(const struct model *row, const char *text, const char *field)
{
    if (text && text[0])
        return;
    begin_fault(row);
    printf("%s is missing\n", field);
}

static bool is_word(const char *text)
{
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-")] == '\0';
}

TEST(every_row_is_whole)
{
    for (const struct model *row = models; row < models + model_count; row++) {
        check_text(row, row->name, ".name");
        check_text(row, row->about, ".about");
        check_text(row, row->vendor, ".vendor");
        check_text(row, row->source, ".source");
        check_that(row, row->confidence != UNSAID, ".confidence is missing");
        check_that(row, !row->name || is_word(row->name),
                   ".name wants a word of a-z, 0-9, _ and -");
        check_that(
            row,
            row->number_count || row->any_number || row->needs_arch_lbr ||
                row->needs_amd_lbr_v2,
            "no processor has it: want NUMBERS(...), .any_number, .needs_arch_lbr or "
            ".needs_amd_lbr_v2");
    }
}

static void check_numbers(const struct model *row, const struct model *other)
{
    for (size_t i = 0; i < row->number_count; i++) {
        if (!has_number(other, row->numbers[i]))
            continue;
        begin_fault(row);
        printf("number 0x%02x is that of row %zu, \"%s\", too, and only the first of them "
               "would be "
               "found\n",
               row->numbers[i], (size_t)(other - models), other->name ? other->name : "");
    }
}

TEST(no_name_and_no_number_stands_in_two_rows)
{
    for (const struct model *row = models; row < models + model_count; row++)
        for (const struct model *other = models; other < row; other++) {
            check_that(row,
                       !row->name || !other->name || strcmp(row->name, other->name) != 0,
                       ".name is that of a row before it");
            if (row->vendor && other->vendor && strcmp(row->vendor, other->vendor) == 0 &&
                row->family == other->family)
                check_numbers(row, other);
        }
}
