#include "boot/smbios.c"

#include "test.h"

#include <stdlib.h>

/* The table in memory of its own size: a read after it is one of the sanitizer's. */
static struct identity read_table(const void *bytes, size_t size)
{
    uint8_t *table = malloc(size ? size : 1);
    if (!table)
        abort();
    memcpy(table, bytes, size);
    struct identity id = smbios_identity(table, size);
    free(table);
    return id;
}

#define IDENTITY(text) read_table(text, sizeof(text) - 1)

/* Type 0 with 9 bytes: vendor 1, version 2, date 3. */
#define BIOS                               \
    "\x00\x09\x00\x00\x01\x02\x00\x00\x03" \
    "Coreforge\0"                          \
    "2.17 \0"                              \
    "01/02/2020\0\0"
#define SYSTEM                         \
    "\x01\x08\x01\x00\x01\x02\x03\x04" \
    " Maker\0"                         \
    "Model 5\0"                        \
    "v1\0"                             \
    "SERIAL-1\0\0"
#define BOARD                          \
    "\x02\x08\x02\x00\x02\x01\x00\x00" \
    "Board X\0"                        \
    "Maker B\0\0"
#define END "\x7f\x04\xff\xff\0\0"

TEST(names_are_read_and_serial_numbers_are_not)
{
    struct identity id = IDENTITY(BIOS SYSTEM BOARD END);
    CHECK_TEXT(id.bios_vendor, "Coreforge");
    CHECK_TEXT(id.bios_version, "2.17");
    CHECK_TEXT(id.bios_date, "01/02/2020");
    CHECK_TEXT(id.system_vendor, "Maker");
    CHECK_TEXT(id.system_product, "Model 5");
    CHECK_TEXT(id.board_vendor, "Maker B");
    CHECK_TEXT(id.board_product, "Board X");
    for (size_t i = 0; i + 6 <= sizeof id; i++)
        CHECK(memcmp((const char *)&id + i, "SERIAL", 6) != 0);
}

TEST(structures_of_other_types_are_passed_over)
{
    struct identity id = IDENTITY("\x04\x06\x00\x00\x01\x02"
                                  "a\0b\0\0"
                                  "\x0b\x04\x00\x00\0\0" BOARD END);
    CHECK_TEXT(id.board_product, "Board X");
    CHECK_TEXT(id.bios_vendor, "");
}

TEST(the_first_board_counts_and_nothing_after_the_end_does)
{
    struct identity id = IDENTITY(BOARD "\x02\x08\x03\x00\x01\x01\x00\x00"
                                        "Riser\0\0" END BIOS);
    CHECK_TEXT(id.board_product, "Board X");
    CHECK_TEXT(id.bios_vendor, "");
}

TEST(a_string_that_is_not_there_is_empty)
{
    struct identity id = IDENTITY("\x02\x08\x00\x00\x09\x02\x00\x00"
                                  "one\0two\0\0" END);
    CHECK_TEXT(id.board_vendor, "");
    CHECK_TEXT(id.board_product, "two");
    id = IDENTITY("\x02\x08\x00\x00\x01\xff\x00\x00\0\0" END);
    CHECK_TEXT(id.board_vendor, "");
    CHECK_TEXT(id.board_product, "");
    id = IDENTITY("\x02\x05\x00\x00\x01" /* product lies after the formatted area */
                  "one\0two\0\0" END);
    CHECK_TEXT(id.board_vendor, "one");
    CHECK_TEXT(id.board_product, "");
    id = IDENTITY("\x02\x05\x00\x00\x01" /* where a string looks like a number of one */
                  "\x01ne\0\0" END);
    CHECK_TEXT(id.board_vendor, "?ne");
    CHECK_TEXT(id.board_product, "");
}

TEST(what_is_too_long_is_cut_and_what_is_no_text_is_marked)
{
    struct identity id = IDENTITY("\x02\x08\x00\x00\x01\x02\x00\x00"
                                  "0123456789012345678901234567890123456789\0"
                                  "a\"\x1b\xff\0\0" END);
    CHECK_TEXT(id.board_vendor, "01234567890123456789012345678901234567");
    CHECK_TEXT(id.board_product, "a\"??"); /* put.c deals with quotes */
}

TEST(every_cut_of_a_table_is_safe)
{
    static const char whole[] = BIOS SYSTEM BOARD END;
    for (size_t size = 0; size < sizeof whole; size++) {
        struct identity id = read_table(whole, size);
        if (size + 1 < sizeof BIOS)
            CHECK_TEXT(id.bios_vendor, "");
    }
}

TEST(lengths_that_cannot_be_end_it)
{
    CHECK_TEXT(IDENTITY("\x00\x03\x00\x00\x01\x02\x00\x00\x03x\0\0").bios_vendor, "");
    CHECK_TEXT(IDENTITY("\x00\x00\x00\x00\0\0" BOARD).board_vendor, "");
    CHECK_TEXT(IDENTITY("\x00\xff\x00\x00\x01\x02\x00\x00\x03x\0\0").bios_vendor, "");
    CHECK_TEXT(IDENTITY("\x00\x09\x00\x00\x01\x02\x00\x00\x03no end").bios_vendor, "");
}

TEST(random_bytes_are_safe)
{
    uint8_t bytes[64];
    srand(1);
    for (int round = 0; round < 20000; round++) {
        size_t size = (size_t)rand() % sizeof bytes;
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)(rand() % 4 ? rand() % 12 : rand());
        struct identity id = read_table(bytes, size);
        CHECK(memchr(id.bios_vendor, 0, IDENTITY_SIZE) != NULL);
        CHECK(memchr(id.board_product, 0, IDENTITY_SIZE) != NULL);
    }
}

static void seal(uint8_t *entry, size_t length, size_t at)
{
    uint8_t sum = 0;
    entry[at] = 0;
    for (size_t i = 0; i < length; i++)
        sum = (uint8_t)(sum + entry[i]);
    entry[at] = (uint8_t)-sum;
}

TEST(both_entry_points_are_read_and_damaged_ones_are_not)
{
    uint8_t three[SMBIOS_ENTRY_SIZE] = "_SM3_", two[SMBIOS_ENTRY_SIZE] = "_SM_";
    uint64_t table;
    uint32_t size;

    three[6] = 24;
    memcpy(three + 0x0c, "\x34\x12\x00\x00\x00\x10\x20\x30\x01\x00\x00\x00", 12);
    seal(three, 24, 5);
    CHECK(smbios_entry(three, &table, &size));
    CHECK(table == 0x130201000 && size == 0x1234);
    three[0x10] ^= 1;
    CHECK(!smbios_entry(three, &table, &size));

    two[5] = 31;
    memcpy(two + 0x16, "\x34\x12\x00\x10\x20\x30", 6);
    seal(two, 31, 4);
    CHECK(smbios_entry(two, &table, &size));
    CHECK(table == 0x30201000 && size == 0x1234);
    two[5] = 255; /* longer than what may be read */
    CHECK(!smbios_entry(two, &table, &size));
    two[5] = 0;
    CHECK(!smbios_entry(two, &table, &size));
    two[5] = 31;
    memset(two + 0x18, 0, 4);
    seal(two, 31, 4);
    CHECK(!smbios_entry(two, &table, &size)); /* a table at 0 is none */
    CHECK(!smbios_entry((const uint8_t *)"_DMI_ is not what is looked for", &table, &size));
}
