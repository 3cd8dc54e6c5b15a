/*
 * Fields are separated by single spaces.
 */
#include "preagg.h"

#include <string.h>

static enum preagg_kind wrong(struct preagg *line, const char *at, const char *want)
{
    line->wrong_at = at;
    line->wrong = want;
    return PREAGG_WRONG;
}

/* The next field; false: there is none. */
static bool next_field(const char **at, const char *end, struct span *out)
{
    while (*at < end && (**at == ' ' || **at == '\t' || **at == '\r'))
        (*at)++;
    out->at = *at;
    while (*at < end && **at != ' ' && **at != '\t' && **at != '\r')
        (*at)++;
    out->length = (size_t)(*at - out->at);
    return out->length > 0;
}

/* "4b196f", "0x4b196f", "BUILDID:4b196f"; "X:0" is what lies outside of the program. */
static bool read_place(const char **at, const char *end, uint64_t *out)
{
    struct span field;
    const char *begin, *stop, *colon;

    if (!next_field(at, end, &field))
        return false;
    begin = field.at;
    stop = begin + field.length;
    colon = memchr(begin, ':', field.length);
    if (colon == begin + 1 && *begin == 'X') {
        *out = TRACED_UNNAMED;
        return true;
    }
    if (colon)
        begin = colon + 1;
    if (stop - begin > 2 && begin[0] == '0' && begin[1] == 'x')
        begin += 2;
    return begin < stop && stop - begin <= 16 && hex_digits(begin, stop, out) == stop;
}

static bool read_count(const char **at, const char *end, uint64_t *out)
{
    struct span field;

    return next_field(at, end, &field) && read_decimal(field, out);
}

static enum preagg_kind read_branch(struct preagg *line, const char *at, const char *end)
{
    const char *begin = at;

    if (!read_place(&at, end, &line->branch.from) ||
        !read_place(&at, end, &line->branch.to) ||
        !read_count(&at, end, &line->branch.times) ||
        !read_count(&at, end, &line->branch.missed))
        return wrong(line, begin, "B FROM TO COUNT MISPREDICTED, the addresses in hex");
    return PREAGG_BRANCH;
}

static enum preagg_kind read_straight(struct preagg *line, const char *at, const char *end)
{
    const char *begin = at;

    if (!read_place(&at, end, &line->branch.to) || !read_place(&at, end, &line->next) ||
        !read_count(&at, end, &line->branch.times))
        return wrong(line, begin, "F FIRST LAST COUNT, the addresses in hex");
    return PREAGG_STRAIGHT;
}

static enum preagg_kind read_both(struct preagg *line, const char *at, const char *end)
{
    const char *begin = at;

    if (!read_place(&at, end, &line->branch.from) ||
        !read_place(&at, end, &line->branch.to) || !read_place(&at, end, &line->next) ||
        !read_count(&at, end, &line->branch.times))
        return wrong(line, begin, "T FROM TO NEXT COUNT, the addresses in hex");
    return PREAGG_BOTH;
}

enum preagg_kind preagg_read(struct preagg *line, const char *at, const char *end)
{
    const char *rest = at;
    struct span type;

    *line = (struct preagg){ .next = 0 };
    if (!next_field(&rest, end, &type) || *type.at == '#')
        return PREAGG_NOTHING;
    if (type.length == 1)
        switch (*type.at) {
        case 'B':
            return read_branch(line, rest, end);
        case 'F':
        case 'f':
            return read_straight(line, rest, end);
        case 'T':
        case 'R':
            return read_both(line, rest, end);
        case 'S':
        case 'E':
        case 'r':
            return PREAGG_NOTHING;
        default:
            break;
        }
    return wrong(line, type.at, "a line of BOLT's pre-aggregated profile: B, F or T first");
}
