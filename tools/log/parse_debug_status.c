/*
 * The word `dr6=` of a line `ran`: `0xffff4ff0:12,0xffff0ff0:1,other:3` has the values that
 * the debug exceptions of a run left in DR6, and how often each.  One value alone is what
 * all exceptions left together that the workload took itself.
 */
#include "parse.h"

#include <string.h>

static struct span until(struct span *rest, char end)
{
    const char *at = memchr(rest->at, end, rest->length);
    struct span piece = { rest->at, at ? (size_t)(at - rest->at) : rest->length };

    rest->at += piece.length + (at != NULL);
    rest->length -= piece.length + (at != NULL);
    return piece;
}

static bool is_new(const struct debug_status *status, uint64_t dr6)
{
    for (size_t i = 0; i < status->count; i++)
        if (status->at[i].dr6 == dr6)
            return false;
    return true;
}

/* VALUE:TIMES, or VALUE alone, which is then all there is. */
static bool read_value(struct debug_status *status, struct span piece, bool alone)
{
    struct span number = until(&piece, ':');
    uint64_t dr6, times = 0;

    if (status->count == DR6_VALUES || !read_hex(number, &dr6) || !is_new(status, dr6))
        return false;
    if (piece.length ? !read_decimal(piece, &times) || times == 0 : !alone)
        return false;
    status->at[status->count].dr6 = dr6;
    status->at[status->count++].times = times;
    return true;
}

/* Reads `other:N`, exceptions with further values: the last piece of a full list. */
static bool read_others(struct debug_status *status, struct span piece, bool last)
{
    until(&piece, ':');
    return last && status->count == DR6_VALUES && read_decimal(piece, &status->others) &&
           status->others > 0;
}

static bool read_all(struct debug_status *status, struct span rest)
{
    const bool alone = !memchr(rest.at, ',', rest.length);

    if (rest.at[rest.length - 1] == ',')
        return false;
    do {
        struct span piece = until(&rest, ',');
        bool good = piece.length > 6 && memcmp(piece.at, "other:", 6) == 0
                        ? read_others(status, piece, rest.length == 0)
                        : read_value(status, piece, alone);

        if (!good)
            return false;
    } while (rest.length);
    return true;
}

bool take_debug_status(struct line *line, struct run *run)
{
    const struct span text = line_text(line, "dr6");

    run->dr6 = text;
    return !line_has(line, "dr6") || read_all(&run->debug_status, text) ||
           log_error(line->log, line->log->line,
                     "ran: got dr6=%.*s, want up to %d different values, each 0xN:TIMES, "
                     "or one 0xN alone",
                     SPAN(text), DR6_VALUES);
}
