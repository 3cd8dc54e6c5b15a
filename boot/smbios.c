/*
 * smbios.h.  DMTF DSP0134, "SMBIOS Structure Table Entry Point" and "SMBIOS structures".
 *
 * A structure is a formatted area, whose length it says, and after it its strings, each
 * ended by a NUL and all of them by one more.  A field holds the number of its string.
 */
#include "smbios.h"

#include "table.h"

#define TYPE_BIOS   0
#define TYPE_SYSTEM 1
#define TYPE_BOARD  2
#define TYPE_END    127

#define HEADER_SIZE 4 /* type, length, handle */

/* Offsets of fields: of the entry point since version 3, of the older one... */
#define ENTRY3_LENGTH     0x06
#define ENTRY3_LEAST      0x18
#define ENTRY3_TABLE_SIZE 0x0c
#define ENTRY3_TABLE      0x10
#define ENTRY_LENGTH      0x05
#define ENTRY_TABLE_SIZE  0x16
#define ENTRY_TABLE       0x18

/* Where a structure has the numbers of its strings. */
static const struct {
    uint8_t type, field;
    size_t to;
} strings[] = {
    { TYPE_BIOS, 0x04, offsetof(struct identity, bios_vendor) },
    { TYPE_BIOS, 0x05, offsetof(struct identity, bios_version) },
    { TYPE_BIOS, 0x08, offsetof(struct identity, bios_date) },
    { TYPE_SYSTEM, 0x04, offsetof(struct identity, system_vendor) },
    { TYPE_SYSTEM, 0x05, offsetof(struct identity, system_product) },
    { TYPE_BOARD, 0x04, offsetof(struct identity, board_vendor) },
    { TYPE_BOARD, 0x05, offsetof(struct identity, board_product) },
};

bool smbios_entry(const uint8_t *entry, uint64_t *table, uint32_t *size)
{
    if (has_signature(entry, "_SM3_")) {
        uint8_t length = entry[ENTRY3_LENGTH]; /* a later version may have more */
        if (length < ENTRY3_LEAST || length > SMBIOS_ENTRY_SIZE ||
            !sums_to_zero(entry, length))
            return false;
        *size = u32(entry + ENTRY3_TABLE_SIZE);
        *table = u64(entry + ENTRY3_TABLE);
        return *table != 0;
    }
    if (!has_signature(entry, "_SM_") || entry[ENTRY_LENGTH] > SMBIOS_ENTRY_SIZE ||
        entry[ENTRY_LENGTH] < SMBIOS_ENTRY_SIZE - 1 ||
        !sums_to_zero(entry, entry[ENTRY_LENGTH]))
        return false; /* 1Eh stands in a known misprint of version 2.1 */
    *size = u16(entry + ENTRY_TABLE_SIZE);
    *table = u32(entry + ENTRY_TABLE);
    return *table != 0;
}

/* One structure: its formatted area, and the strings up to their end. */
struct structure {
    const uint8_t *at, *strings, *end;
    uint8_t length;
};

/* False: there is no more, or no end to it. */
static bool take(const uint8_t **at, const uint8_t *end, struct structure *out)
{
    size_t left = (size_t)(end - *at);
    if (left < HEADER_SIZE || (*at)[1] < HEADER_SIZE || (*at)[1] > left)
        return false;
    out->at = *at;
    out->length = (*at)[1];
    out->strings = *at + out->length;
    for (out->end = out->strings; end - out->end >= 2; out->end++)
        if (!out->end[0] && !out->end[1]) {
            *at = out->end + 2;
            return true;
        }
    return false;
}

/* Copies the string that the field numbers, without spaces around it, cut to its size. */
static void copy(char *out, const struct structure *s, uint8_t field)
{
    const uint8_t *at = s->strings;
    size_t length = 0;
    uint8_t wanted = field < s->length ? s->at[field] : 0;
    if (!wanted || out[0])
        return;
    while (--wanted) {
        while (at < s->end && *at)
            at++;
        if (at == s->end)
            return;
        at++;
    }
    while (at < s->end && *at == ' ')
        at++;
    for (; at < s->end && *at && length + 1 < IDENTITY_SIZE; at++)
        out[length++] = *at >= ' ' && *at <= '~' ? (char)*at : '?';
    while (length && out[length - 1] == ' ')
        length--;
    out[length] = 0;
}

/* The first of each type counts: a machine of several boards names the main one first. */
struct identity smbios_identity(const uint8_t *table, size_t size)
{
    struct identity id = { .bios_vendor = "" };
    const uint8_t *at = table;
    struct structure s;
    while (take(&at, table + size, &s) && s.at[0] != TYPE_END)
        for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++)
            if (s.at[0] == strings[i].type)
                copy((char *)&id + strings[i].to, &s, strings[i].field);
    return id;
}
