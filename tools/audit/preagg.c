/*
 * The first letter of a line says which fields follow.
 */
#include "preagg.h"

#include <string.h>

#include "count_of.h"

static const struct preagg_form {
    char letter;
    enum preagg_kind kind;
    const char
        *fields; /* f: FROM, t: TO, n: next, c: how often, m: how often mispredicted */
    const char *want;
} forms[] = {
    { 'B', PREAGG_BRANCH, "ftcm", "B FROM TO COUNT MISPREDICTED, the addresses in hex" },
    { 'F', PREAGG_STRAIGHT, "tnc", "F FIRST LAST COUNT, the addresses in hex" },
    { 'f', PREAGG_STRAIGHT, "tnc", "F FIRST LAST COUNT, the addresses in hex" },
    { 'T', PREAGG_BOTH, "ftnc", "T FROM TO NEXT COUNT, the addresses in hex" },
    { 'R', PREAGG_BOTH, "ftnc", "T FROM TO NEXT COUNT, the addresses in hex" },
    { 'S', PREAGG_NOTHING, "", NULL },
    { 'E', PREAGG_NOTHING, "", NULL },
    { 'r', PREAGG_NOTHING, "", NULL },
};

static enum preagg_kind wrong(struct preagg *line, const char *at, const char *want)
{
    line->wrong_at = at;
    line->wrong = want;
    return PREAGG_WRONG;
}

/* The next field; empty: there is none. */
static struct span next_field(const char **at, const char *end)
{
    const char *begin = skip_spaces(*at, end);

    *at = token_end(begin, end);
    return (struct span){ begin, (size_t)(*at - begin) };
}

/* "4b196f", "0x4b196f", "BUILDID:4b196f"; "X:0" is what lies outside of the program. */
static bool read_place(struct span field, uint64_t *out)
{
    const char *begin = field.at, *stop = begin + field.length;
    const char *colon = memchr(begin, ':', field.length);

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

static bool read_field(struct preagg *line, char name, struct span field)
{
    switch (name) {
    case 'f':
        return read_place(field, &line->branch.from);
    case 't':
        return read_place(field, &line->branch.to);
    case 'n':
        return read_place(field, &line->next);
    case 'c':
        return read_decimal(field, &line->branch.times);
    default:
        return read_decimal(field, &line->branch.missed);
    }
}

enum preagg_kind preagg_read(struct preagg *line, const char *at, const char *end)
{
    const char *rest = at;
    const struct span type = next_field(&rest, end);
    const struct preagg_form *form = forms;

    *line = (struct preagg){ .next = 0 };
    if (!type.length || *type.at == '#')
        return PREAGG_NOTHING;
    while (form < forms + COUNT_OF(forms) && (type.length != 1 || *type.at != form->letter))
        form++;
    if (form == forms + COUNT_OF(forms))
        return wrong(line, type.at,
                     "a line of BOLT's pre-aggregated profile: B, F or T first");
    for (const char *name = form->fields, *begin = rest; *name; name++)
        if (!read_field(line, *name, next_field(&rest, end)))
            return wrong(line, begin, form->want);
    return form->kind;
}
