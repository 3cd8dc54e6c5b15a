/*
 * The trailer that chains the lines of a log together, and the words for where a
 * branch begins and ends.
 */
#include "log.h"

#define CRC_DIGITS 8

/* The CRC of a line that follows one whose CRC was `before`. */
static uint32_t chained(uint32_t before, const char *line, size_t length)
{
    char digits[CRC_DIGITS];

    for (int i = CRC_DIGITS; i-- > 0; before >>= 4)
        digits[i] = "0123456789abcdef"[before & 15];
    return log_crc32(log_crc32(0, digits, CRC_DIGITS), line, length);
}

void log_seal(struct log_chain *chain, struct text *line)
{
    chain->sequence++;
    text_string(line, " ~");
    text_decimal(line, chain->sequence);
    chain->crc = chained(chain->crc, line->at, line->length);
    text_string(line, " ");
    text_hex_padded(line, chain->crc, CRC_DIGITS);
}

#define TRAILER_MIN (CRC_DIGITS + 4) /* " ~1 " and the CRC */

/* A trailer that was found in a line. */
struct trailer {
    size_t body, numbered; /* lengths: without it, and with its number */
    uint32_t sequence, crc;
};

/* Digits and letters come at random: a branch on which it is would be mispredicted. */
static bool read_crc(const char *digits, uint32_t *out)
{
    uint8_t wrong = 0;

    *out = 0;
    for (int i = 0; i < CRC_DIGITS; i++) {
        uint8_t c = (uint8_t)digits[i];
        uint8_t value = (c + 9 * (c >> 6)) & 15; /* a letter has bit 6, and 1 to 6 below */

        wrong |= (uint8_t) "0123456789abcdef"[value] ^ c;
        *out = *out << 4 | value;
    }
    return !wrong;
}

/* One form only: no leading zero, no sign, nothing above 32 bits. */
static bool read_number(const char *digits, size_t count, uint32_t *out)
{
    uint64_t value = 0;

    if (count == 0 || count > 10 || digits[0] == '0')
        return false;
    for (size_t i = 0; i < count; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(digits[i] - '0');
    }
    *out = (uint32_t)value;
    return value <= UINT32_MAX;
}

/* Finds the last " ~" in the first `numbered` characters. */
static bool find_number(const char *line, size_t numbered, size_t *out)
{
    for (size_t tilde = numbered; tilde-- > 1;)
        if (line[tilde] == '~') {
            *out = tilde - 1;
            return line[tilde - 1] == ' ';
        }
    return false;
}

static bool find_trailer(const char *line, size_t length, struct trailer *out)
{
    if (length < TRAILER_MIN)
        return false;
    out->numbered = length - CRC_DIGITS - 1;
    if (line[out->numbered] != ' ' || !read_crc(line + out->numbered + 1, &out->crc) ||
        !find_number(line, out->numbered, &out->body))
        return false;
    return read_number(line + out->body + 2, out->numbered - out->body - 2, &out->sequence);
}

size_t log_body(const char *line, size_t length)
{
    size_t body = 0;

    return length >= TRAILER_MIN && find_number(line, length - CRC_DIGITS - 1, &body) ? body
                                                                                      : 0;
}

enum log_fault log_unseal(struct log_chain *chain, const char *line, size_t length,
                          size_t *body, uint32_t *sequence)
{
    struct log_chain before = *chain;
    struct trailer found;

    if (!find_trailer(line, length, &found))
        return LOG_NO_TRAILER;
    *body = found.body;
    *sequence = found.sequence;
    *chain = (struct log_chain){ found.sequence, found.crc };
    /* With a line missing the CRC cannot hold: the number says more, so it goes first. */
    if (found.sequence <= before.sequence)
        return LOG_REPEATED;
    if (found.sequence - before.sequence > 1)
        return LOG_LOST;
    return chained(before.crc, line, found.numbered) == found.crc ? LOG_GOOD : LOG_BAD_CRC;
}

/* An expected trace that nobody wrote by hand has no labels. */
static const char *named(const char *label)
{
    return label && *label ? label : NULL;
}

/*
 * The label at this offset, or NULL.  Where a place has two (the first instruction may be a
 * branch), the one that a row has at this end is preferred.
 */
static const char *label_at(const struct workload *workload, uint64_t offset,
                            enum log_end end)
{
    const char *other = NULL;

    for (uint32_t i = 0; i < workload->rows; i++) {
        const struct taken *row = &workload->expect[i];
        bool from = row->from != CALLER && (uint64_t)row->from == offset;
        bool to = row->to != CALLER && (uint64_t)row->to == offset;

        if (row->kind >= KIND_COUNT)
            continue;
        if (end == LOG_FROM ? from : to)
            return named(end == LOG_FROM ? row->from_label : row->to_label);
        if (from || to)
            other = from ? row->from_label : row->to_label;
    }
    return named(other);
}

static void put_hex(struct text *text, const char *before, uint64_t value)
{
    text_string(text, before);
    text_hex(text, value);
}

void log_put_end(struct text *text, const struct log_map *map, uint64_t address,
                 enum log_end end)
{
    uint64_t in_workload = address - map->workload_at, in_image = address - map->image_at;

    if (address == BRANCH_UNKNOWN || address == BRANCH_MISSING) {
        text_string(text, "?");
    } else if (address == (end == LOG_FROM ? map->call : map->back)) {
        text_string(text, "caller");
    } else if (map->workload && in_workload < map->workload->size) {
        const char *label = label_at(map->workload, in_workload, end);

        if (label)
            text_string(text, label);
        else
            put_hex(text, "+0x", in_workload);
    } else if (in_image < map->image_size) {
        put_hex(text, "image+0x", in_image);
    } else {
        put_hex(text, "0x", address);
    }
}
