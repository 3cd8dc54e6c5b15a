/*
 * A line in several pieces: wrapped at the columns of a terminal, each part perhaps with
 * what is before every line; or with a foreign text in the middle.
 *
 * Each way of putting pieces together is a candidate.  Only those that have the right
 * number in front of a checksum are worked out.
 */
#include "find_parts.h"

#include <string.h>

#include "count_of.h"

#define SCANNED    48 /* characters before a part that are not known from other lines */
#define BACK       4  /* pieces between which a foreign text is looked for */
#define CUT_SPACES 5  /* cuts of which each may have lost its space */

/* How a part continues the one before it. */
struct join_way {
    enum { LIKE_PREFIX, WHOLE, LIKE_CONTINUATION, UNBLANKED, CUT } what;
    size_t cut;
    enum { CLOSE, SPACED, SPACED_IF_SHORT, SOME_SPACED } spaces;
    unsigned spaced; /* SOME_SPACED: after which parts, as bits */
};

static bool is_letter_or_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/*
 * How much of the text is like what was before other lines: the same marks, and between
 * them letters and digits, as many as it likes, with blanks in front.  0: it is not.
 */
static size_t like_prefix(const struct finder *finder, struct span text)
{
    const char *prefix = finder->prefix;
    const size_t length = finder->prefix_length;
    size_t at = 0, i = 0, last = length;

    if (text.length >= length && memcmp(text.at, prefix, length) == 0)
        return length;
    while (last > 0 && prefix[last - 1] == ' ')
        last--;
    while (i < last) {
        if (prefix[i] == ' ') {
            while (i < last && prefix[i] == ' ')
                i++;
            while (at < text.length && text.at[at] == ' ')
                at++;
        } else if (is_letter_or_digit(prefix[i])) {
            while (at < text.length && text.at[at] == ' ')
                at++;
            if (at == text.length || !is_letter_or_digit(text.at[at]))
                return 0;
            while (i < last && is_letter_or_digit(prefix[i]))
                i++;
            while (at < text.length && is_letter_or_digit(text.at[at]))
                at++;
        } else if (at == text.length || text.at[at++] != prefix[i++]) {
            return 0;
        }
    }
    for (; i < length; i++) /* the blanks at its end are as many as before */
        if (at == text.length || text.at[at++] != ' ')
            return 0;
    return at;
}

static struct span without(struct span text, size_t count)
{
    if (count > text.length)
        count = text.length;
    return (struct span){ text.at + count, text.length - count };
}

static struct span continuing(const struct finder *finder, struct span text,
                              const struct join_way *way)
{
    size_t blanks = 0;

    switch (way->what) {
    case WHOLE:
        return text;
    case LIKE_PREFIX:
        return without(text, like_prefix(finder, text));
    case LIKE_CONTINUATION:
        return without(text, finder->continuation);
    case UNBLANKED:
        while (blanks < text.length && text.at[blanks] == ' ')
            blanks++;
        return without(text, blanks);
    case CUT:
        return without(text, way->cut);
    }
    return text;
}

/* What other lines have after them is taken off, and so are blanks and a backslash. */
static struct span unsuffixed(const struct finder *finder, struct span text)
{
    const size_t length = finder->suffix_length;

    if (length && text.length > length &&
        memcmp(text.at + text.length - length, finder->suffix, length) == 0)
        text.length -= length;
    if (text.length > 1 && text.at[text.length - 1] == '\\')
        text.length--;
    while (text.length > 1 && text.at[text.length - 1] == ' ')
        text.length--;
    return text;
}

static struct span piece_text(const struct finder *finder, size_t i)
{
    return (struct span){ finder->pieces[i]->text, finder->pieces[i]->length };
}

static size_t put_part(struct finder *finder, size_t at, struct span text)
{
    const size_t room = sizeof(finder->joint) - at;
    const size_t count = text.length < room ? text.length : room;

    memcpy(finder->joint + at, text.at, count);
    finder->credit -= (int64_t)count + COST_PROOF;
    return at + count;
}

/* Puts the last part, which is of the piece `last`, after `before` characters.  Returns
 * where in that piece the line ends, or 0 if this is no line. */
static size_t put_last(struct finder *finder, struct target *target, size_t before,
                       struct span part, struct span last)
{
    struct span joint = { finder->joint, 0 };
    size_t end;

    part.length = part.length < LOG_LINE_MAX ? part.length : LOG_LINE_MAX;
    joint.length = put_part(finder, before, part);
    end = find_trailer_end(target, joint, 0);
    return end > before && end <= LOG_LINE_MAX &&
                   find_proves(finder, target, (struct span){ joint.at, end })
               ? end - before + (size_t)(part.at - last.at)
               : 0;
}

/* Where a line may begin in its first part. */
#define STARTS_MAX 4
static size_t starts_of(struct finder *finder, struct span text, size_t out[STARTS_MAX])
{
    size_t count = 0;
    const size_t like = like_prefix(finder, text);

    finder->credit -= COST_PIECE + COST_BYTE * (int64_t)text.length;
    if (like < text.length && find_word(without(text, like)))
        out[count++] = like;
    for (size_t i = 0; i < text.length && count < STARTS_MAX; i++)
        if (i != like && find_word(without(text, i)))
            out[count++] = i;
    if (!count && like < text.length && find_begins_word(without(text, like)))
        out[count++] = like; /* cut in the middle of its word */
    return count;
}

static bool has_space_before(const struct join_way *way, size_t part, size_t length,
                             size_t widest)
{
    switch (way->spaces) {
    case CLOSE:
        return false;
    case SPACED:
        return true;
    case SPACED_IF_SHORT:
        return length < widest;
    case SOME_SPACED:
        return way->spaced >> part & 1;
    }
    return false;
}

/* All pieces from `first` on, and the last one, put together in one way. */
static size_t join(struct finder *finder, struct target *target, size_t first, size_t start,
                   struct span last, const struct join_way *way)
{
    const struct span begin = unsuffixed(finder, piece_text(finder, first));
    size_t at = put_part(finder, 0, without(begin, start));
    size_t length = begin.length, widest = length;

    for (size_t i = first + 1; i < finder->piece_count; i++)
        if (finder->pieces[i]->length > widest)
            widest = finder->pieces[i]->length;
    for (size_t i = first + 1; i <= finder->piece_count; i++) {
        struct span part;

        if (has_space_before(way, i - first - 1, length, widest))
            at = put_part(finder, at, (struct span){ " ", 1 });
        if (i == finder->piece_count)
            break;
        part = unsuffixed(finder, piece_text(finder, i));
        length = part.length;
        at = put_part(finder, at, continuing(finder, part, way));
        if (at > LOG_LINE_MAX)
            return 0;
    }
    return put_last(finder, target, at, continuing(finder, last, way), last);
}

static size_t join_in_ways(struct finder *finder, struct target *target, size_t first,
                           size_t start, struct span last, struct join_way way)
{
    const size_t cuts = finder->piece_count - first;
    size_t end;

    for (way.spaces = CLOSE; way.spaces < SOME_SPACED; way.spaces++)
        if ((end = join(finder, target, first, start, last, &way)))
            return end;
    for (way.spaced = 1; cuts <= CUT_SPACES && way.spaced + 1 < 1u << cuts; way.spaced++)
        if ((end = join(finder, target, first, start, last, &way)))
            return end;
    return 0;
}

static size_t join_wrapped(struct finder *finder, struct target *target, size_t first,
                           size_t start, struct span last)
{
    const bool may[] = { [LIKE_PREFIX] = finder->prefix_length,
                         [WHOLE] = true,
                         [LIKE_CONTINUATION] = finder->continuation,
                         [UNBLANKED] = last.at[0] == ' ' };
    size_t end = 0;

    for (struct join_way way = { .what = LIKE_PREFIX }; way.what < CUT && !end; way.what++)
        if (may[way.what])
            end = join_in_ways(finder, target, first, start, last, way);
    return end;
}

/* Each part has something before it that was before no other line. */
static size_t join_cut(struct finder *finder, struct target *target, size_t first,
                       size_t start, struct span last)
{
    struct join_way way = { .what = CUT };
    size_t end;

    for (way.cut = 1; way.cut < SCANNED && way.cut < last.length; way.cut++)
        for (way.spaces = CLOSE; way.spaces <= SPACED; way.spaces++)
            if ((end = join(finder, target, first, start, last, &way))) {
                finder->continuation = way.cut;
                return end;
            }
    return 0;
}

/* The first `count` characters of a text from `start` on, and then the last part. */
static size_t bridge(struct finder *finder, struct target *target, struct span text,
                     size_t start, size_t count, struct span last, struct span part)
{
    const size_t before = put_part(finder, 0, (struct span){ text.at + start, count });

    return put_last(finder, target, before, part, last);
}

/* The characters with which a foreign text often begins. */
static bool is_mark(char c)
{
    return c && strchr("[<({*#>|", c);
}

/* A foreign text begins somewhere in an earlier piece, and ends before the last part. */
static size_t join_around(struct finder *finder, struct target *target, size_t first,
                          size_t start, struct span last, bool at_marks)
{
    const struct span text = piece_text(finder, first);
    const size_t like = like_prefix(finder, last);
    size_t end;

    for (size_t count = text.length - start; count > 0; count--) {
        const bool marked = start + count == text.length || is_mark(text.at[start + count]);

        if (count > LOG_LINE_MAX || marked != at_marks)
            continue;
        if ((end = bridge(finder, target, text, start, count, last, without(last, like))) ||
            (like && (end = bridge(finder, target, text, start, count, last, last))))
            return end;
    }
    return 0;
}

static size_t join_at_marks(struct finder *finder, struct target *target, size_t first,
                            size_t start, struct span last)
{
    return join_around(finder, target, first, start, last, true);
}

static size_t join_anywhere(struct finder *finder, struct target *target, size_t first,
                            size_t start, struct span last)
{
    return join_around(finder, target, first, start, last, false);
}

/* A foreign text begins with the end of an earlier piece, and ends in the last one. */
static size_t join_after(struct finder *finder, struct target *target, size_t first,
                         size_t start, struct span last)
{
    const struct span text = unsuffixed(finder, piece_text(finder, first));
    size_t end;

    for (size_t cut = 1; cut < last.length && cut < LOG_LINE_MAX; cut++)
        if (text.length - start <= LOG_LINE_MAX &&
            (end = bridge(finder, target, text, start, text.length - start, last,
                          without(last, cut))))
            return end;
    return 0;
}

/* A foreign text is between two places where something was taken out. */
static size_t join_marks(struct finder *finder, struct target *target, struct span last,
                         const size_t *marks, size_t count)
{
    size_t starts[STARTS_MAX], end;
    const size_t start_count = starts_of(finder, last, starts);

    for (size_t s = 0; s < start_count; s++)
        for (size_t i = 0; i < count; i++)
            for (size_t k = i + 1; k < count; k++)
                if (marks[i] > starts[s] && marks[k] > marks[i] &&
                    marks[i] - starts[s] <= LOG_LINE_MAX &&
                    (end = bridge(finder, target, last, starts[s], marks[i] - starts[s],
                                  last, without(last, marks[k]))))
                    return end;
    return 0;
}

/* A foreign text in brackets is in the middle of the last part. */
static size_t join_brackets(struct finder *finder, struct target *target, struct span last)
{
    static const char opening[] = "[<({*", closing[] = "]>)}*";
    size_t starts[STARTS_MAX], end;
    const size_t start_count = starts_of(finder, last, starts);

    for (size_t s = 0; s < start_count; s++)
        for (size_t i = starts[s] + 1; i < last.length && i - starts[s] < LOG_LINE_MAX;
             i++) {
            const char *open = strchr(opening, last.at[i]);
            const char *close =
                open ? memchr(last.at + i + 1, closing[open - opening], last.length - i - 1)
                     : NULL;

            if (close && (end = bridge(finder, target, last, starts[s], i - starts[s], last,
                                       without(last, (size_t)(close - last.at) + 1))))
                return end;
        }
    return 0;
}

/* The ways with pieces before the last one, the likeliest first, and in how many pieces
 * back the line may have begun. */
static const struct {
    size_t (*join)(struct finder *, struct target *, size_t first, size_t start,
                   struct span last);
    size_t back;
} joins[] = {
    { join_wrapped, PIECES_KEPT }, { join_at_marks, BACK },   { join_anywhere, BACK },
    { join_after, BACK },          { join_cut, PIECES_KEPT },
};

size_t find_joined(struct finder *finder, struct target *target, struct span last,
                   const size_t *marks, size_t mark_count, struct span *out, size_t *first)
{
    size_t end = 0;

    *first = finder->piece_count;
    if (mark_count > 1)
        end = join_marks(finder, target, last, marks, mark_count);
    if (!end && memchr(last.at, '~', last.length))
        end = join_brackets(finder, target, last);
    for (size_t k = 0; k < COUNT_OF(joins) && !end; k++) {
        const size_t count = finder->piece_count;

        for (size_t i = count;
             i > 0 && count - i < joins[k].back && !end && finder->credit > 0; i--) {
            size_t starts[STARTS_MAX];
            const size_t start_count = starts_of(finder, piece_text(finder, i - 1), starts);

            *first = i - 1;
            for (size_t s = 0; s < start_count && !end; s++)
                end = joins[k].join(finder, target, i - 1, starts[s], last);
        }
    }
    out->at = finder->joint;
    out->length =
        end ? find_trailer_end(target, (struct span){ finder->joint, 2 * LOG_LINE_MAX }, 0)
            : 0;
    return end;
}
