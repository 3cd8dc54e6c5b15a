/*
 * Pieces of text -> proved lines.
 *
 * A line is looked for by its trailer, whose number is known: " ~145 ".  Where the line
 * begins is tried: after what the line before had in front of it, at a word of the log, at
 * the beginning of the piece.  If the piece alone proves nothing, join.c puts pieces
 * together.
 *
 * What is proved by the digits of a line that is not proved itself begins a new stretch.
 * Whether that is of the same log is decided later (boots.c).
 */
#include "find_parts.h"

#include <stdlib.h>
#include <string.h>

#include "heap.h"

#define STRETCHES_MAX 256

/* The lines that are looked for: the next of the newest stretch comes first, those of older
 * stretches later.  How many there are. */
static size_t find_targets(struct finder *finder, struct target *out[TARGETS_MAX])
{
    struct found *found = &finder->found;
    size_t count = 0;

    if (found->count)
        out[count++] = &found->stretches[found->newest].next;
    for (size_t i = found->count; i-- > 0 && count < STRETCHES_SEARCHED;)
        if (i != found->newest)
            out[count++] = &found->stretches[i].next;
    out[count++] = &finder->opening;
    for (size_t i = finder->loose_count; i-- > 0;)
        out[count++] = &finder->loose[i];
    return count;
}

/* What was found. */

static void map_line(struct line_map *map, size_t line, size_t input)
{
    struct line_map_row *row = map->count ? &map->rows[map->count - 1] : NULL;

    if (row && line == row->line + 1)
        row->step = input - row->input;
    if (row && input == row->input + (line - row->line) * row->step)
        return;
    if (row && line == row->line + 1)
        row->step = 0;
    map->rows = grow(map->rows, &map->capacity, map->count, sizeof(*map->rows));
    map->rows[map->count++] = (struct line_map_row){ line, input, 0 };
}

size_t line_map_find(const struct line_map *map, size_t line)
{
    size_t low = 0, high = map->count;

    while (high - low > 1) {
        const size_t middle = (low + high) / 2;

        if (map->rows[middle].line <= line)
            low = middle;
        else
            high = middle;
    }
    return map->count
               ? map->rows[low].input + (line - map->rows[low].line) * map->rows[low].step
               : line;
}

static void append(struct stretch *stretch, struct span line)
{
    if (stretch->length + line.length + 1 > stretch->capacity) {
        stretch->capacity = 2 * (stretch->capacity + line.length + 1);
        stretch->text = realloc(stretch->text, stretch->capacity);
        if (!stretch->text)
            out_of_memory();
    }
    memcpy(stretch->text + stretch->length, line.at, line.length);
    stretch->text[stretch->length + line.length] = '\n';
    stretch->length += line.length + 1;
}

/* A stretch that begins after this target. */
static struct stretch *begin_stretch(struct finder *finder, const struct target *target,
                                     size_t input)
{
    struct found *found = &finder->found;

    found->stretches =
        grow(found->stretches, &found->capacity, found->count, sizeof(*found->stretches));
    found->stretches[found->count] =
        (struct stretch){ .first = target->chain.sequence + 1,
                          .before = target->chain.crc,
                          .begins = input,
                          .after = found->count ? found->newest : NO_STRETCH,
                          .began = found->proved,
                          .hole = found->hole };
    return &found->stretches[found->count++];
}

static uint32_t crc_of(struct span line)
{
    uint32_t crc = 0;

    for (size_t i = line.length - CRC_DIGITS; i < line.length; i++)
        crc = crc << 4 |
              (uint32_t)(line.at[i] <= '9' ? line.at[i] - '0' : line.at[i] - 'a' + 10);
    return crc;
}

/* Adds a line that is proved to its stretch, or begins one with it. */
static void accept(struct finder *finder, const struct target *target, struct span line,
                   size_t input, size_t last_input)
{
    struct found *found = &finder->found;
    const struct log_chain chain = { target->chain.sequence + 1, crc_of(line) };
    struct stretch *stretch = target->stretch == NO_STRETCH
                                  ? begin_stretch(finder, target, input)
                                  : &found->stretches[target->stretch];

    found->newest = (size_t)(stretch - found->stretches);
    append(stretch, line);
    stretch->checksums = grow(stretch->checksums, &stretch->checksum_capacity,
                              stretch->lines, sizeof(*stretch->checksums));
    stretch->checksums[stretch->lines++] = chain.crc;
    map_line(&stretch->map, stretch->lines, input);
    find_aim(&stretch->next, found->newest, chain);
    stretch->ends = last_input;
    stretch->advanced = ++found->proved;
    stretch->ended |= line.length > 4 && memcmp(line.at, "end ", 4) == 0;
    if (stretch->lines > 1) { /* what was before a log is no part of it */
        stretch->skipped.foreign += finder->foreign;
        stretch->skipped.repeated += finder->repeated;
    }
    finder->foreign = finder->repeated = 0;
    found->hole = (struct hole){ 0 };
    finder->opening.tries = 0;
}

/* Counts the bytes before a line. */
static void count_prefix(struct finder *finder, size_t bytes, bool joined, bool escaped)
{
    struct stretch *newest = &finder->found.stretches[finder->found.newest];
    struct skipped *skipped = &newest->skipped;

    if (newest->next.chain.sequence == 1)
        return; /* firmware may leave its cursor after something */
    skipped->lines++;
    if (skipped->lines == 1 || bytes < skipped->least)
        skipped->least = bytes;
    if (skipped->lines == 1 || bytes > skipped->most)
        skipped->most = bytes;
    skipped->prefixed += bytes > 0;
    skipped->joined += joined;
    skipped->escaped += escaped;
}

/* Keeps what was before a line; `from`: where the line before it ended in the same piece,
 * or 0. */
static void learn(struct finder *finder, struct span text, size_t from, size_t begin)
{
    if (from == 0 && begin <= sizeof(finder->prefix)) {
        memcpy(finder->prefix, text.at, begin);
        finder->prefix_length = begin;
    }
}

static bool alike(char a, char b)
{
    return a == b || (a >= '0' && a <= '9' && b >= '0' && b <= '9');
}

/* True if what follows this line followed others, except for digits. */
static bool is_usual_suffix(struct finder *finder, struct span rest)
{
    bool usual = rest.length == finder->suffix_length && !find_begins_word(rest);

    for (size_t i = 0; i < rest.length && usual; i++)
        usual = alike(rest.at[i], finder->suffix[i]);
    finder->suffix_length = rest.length <= sizeof(finder->suffix) ? rest.length : 0;
    memcpy(finder->suffix, rest.at, finder->suffix_length);
    return usual;
}

static bool try_at(struct finder *finder, struct target *target, struct span text,
                   size_t begin, size_t end)
{
    return find_proves(finder, target, (struct span){ text.at + begin, end - begin });
}

/* The beginning of the line that ends here, from `from` on, or the end. */
static size_t beginning(struct finder *finder, struct target *target, struct span text,
                        size_t from, size_t end)
{
    const size_t length = target->needle_length + CRC_DIGITS;
    const size_t trailer = end - length;
    const size_t usual = from == 0 ? finder->prefix_length : from;

    if (end < from + length || target->tries >= CANDIDATES_MAX)
        return end;
    if (usual <= trailer && try_at(finder, target, text, usual, end))
        return usual;
    finder->credit -=
        (int64_t)(trailer - from < LOG_LINE_MAX ? trailer - from : LOG_LINE_MAX);
    for (size_t i = end > LOG_LINE_MAX + from ? end - LOG_LINE_MAX : from;
         i < trailer && finder->credit > 0; i++)
        if (i != usual && find_word((struct span){ text.at + i, trailer + 1 - i }) &&
            try_at(finder, target, text, i, end))
            return i;
    if (from != usual && !find_word((struct span){ text.at + from, trailer - from }) &&
        from < trailer && try_at(finder, target, text, from, end))
        return from;
    return end;
}

/* Lines that are not proved. */

static bool is_known(const struct finder *finder, uint32_t number, uint32_t crc)
{
    for (size_t i = 0; i < finder->found.count; i++) {
        const struct stretch *stretch = &finder->found.stretches[i];

        if (number >= stretch->first && number - stretch->first < stretch->lines &&
            stretch->checksums[number - stretch->first] == crc)
            return true;
    }
    return false;
}

static void note_number(struct finder *finder, uint32_t number, uint32_t crc, size_t line)
{
    struct found *found = &finder->found;
    const uint32_t newest =
        found->count ? found->stretches[found->newest].next.chain.sequence : 0;
    struct hole *hole = &found->hole;

    if (finder->loose_count == LOOSE_KEPT)
        memmove(finder->loose, finder->loose + 1,
                --finder->loose_count * sizeof(*finder->loose));
    find_aim(&finder->loose[finder->loose_count++], NO_STRETCH,
             (struct log_chain){ number, crc });
    if (!found->trace)
        found->trace = line;
    if (!hole->line) {
        hole->line = line;
        hole->first = number;
    }
    if (!found->count)
        return;
    if (number <= newest) {
        hole->restart |= ++hole->lower > 1; /* one may be a damaged number */
        return;
    }
    hole->bad_checksum |= number == newest + 1 && !hole->numbers;
    if (number > hole->newest) {
        hole->newest = number;
        hole->numbers++;
    }
}

/* Reads " ~NUMBER CHECKSUM"; `at` is at the tilde.  Where it ends, or 0. */
static size_t read_trailer(struct span text, size_t at, uint32_t *number, uint32_t *crc)
{
    const size_t first = ++at;
    uint64_t value = 0;

    while (at < text.length && at < first + 10 && text.at[at] >= '0' && text.at[at] <= '9')
        value = value * 10 + (uint64_t)(text.at[at++] - '0');
    if (at == first || text.at[first] == '0' || value >= UINT32_MAX ||
        at + 1 + CRC_DIGITS > text.length || text.at[at] != ' ')
        return 0;
    at++;
    for (size_t i = 0; i < CRC_DIGITS; i++)
        if (!find_is_hex(text.at[at + i]))
            return 0;
    *number = (uint32_t)value;
    *crc = crc_of((struct span){ text.at + at, CRC_DIGITS });
    return at + CRC_DIGITS;
}

/* What cannot be listed must not be passed over. */
static bool is_too_many(struct finder *finder, const struct target *target)
{
    if (target->stretch != NO_STRETCH || finder->found.count < STRETCHES_MAX)
        return false;
    finder->found.full = true;
    return true;
}

/* A second line that follows a line which was proved is of a second log. */
static bool is_fork(struct finder *finder, struct span text, size_t from, size_t end,
                    uint32_t number, size_t line)
{
    const uint32_t before = number - 1;
    unsigned tries = 0;

    for (size_t i = 0; i < finder->found.count && before > 0 && finder->credit > 0; i++) {
        const struct stretch *stretch = &finder->found.stretches[i];
        struct target target;
        size_t begin;

        if (before < stretch->first || before - stretch->first >= stretch->lines)
            continue;
        find_aim(&target, NO_STRETCH,
                 (struct log_chain){ before, stretch->checksums[before - stretch->first] });
        target.tries = tries;
        begin = beginning(finder, &target, text, from, end);
        tries = target.tries;
        if (begin == end || is_too_many(finder, &target))
            continue;
        accept(finder, &target, (struct span){ text.at + begin, end - begin }, line, line);
        count_prefix(finder, begin - from, false, false);
        finder->found.stretches[finder->found.newest].is_fork = true;
        return true;
    }
    return false;
}

/* What is left of a piece in which nothing more is proved. */
static void note_rest(struct finder *finder, struct span text, size_t from, size_t line)
{
    const bool after = from > 0; /* a proved line, on its line of the input */
    const char *at;
    bool repeated = false, unknown = false;
    size_t printing = from;

    while ((at = memchr(text.at + from, '~', text.length - from))) {
        uint32_t number, crc;
        const size_t end = read_trailer(text, (size_t)(at - text.at), &number, &crc),
                     begin = from;

        from = end ? end : (size_t)(at - text.at) + 1;
        if (!end)
            continue;
        if (!is_known(finder, number, crc) &&
            is_fork(finder, text, begin, end, number, line)) {
            unknown = true;
            continue;
        }
        if (is_known(finder, number, crc)) {
            repeated = true;
        } else {
            unknown = true;
            note_number(finder, number, crc, line);
        }
    }
    while (printing < text.length && text.at[printing] == ' ')
        printing++;
    if (repeated && !unknown)
        finder->repeated++;
    else if (printing < text.length && !after)
        finder->foreign++;
    if (!repeated && memmem(text.at, text.length, LOG_SAYS, strlen(LOG_SAYS)))
        finder->found.hole.restart = true;
}

/* Keeps the piece: it may be a part of a line. */
static void keep(struct finder *finder, struct span text, size_t line, const size_t *marks,
                 size_t mark_count)
{
    struct piece *piece;
    const size_t cut = text.length > KEPT_MAX ? text.length - KEPT_MAX : 0;

    if (finder->piece_count == PIECES_KEPT) {
        piece = finder->pieces[0];
        memmove(finder->pieces, finder->pieces + 1,
                (PIECES_KEPT - 1) * sizeof(struct piece *));
        finder->piece_count--;
    } else {
        piece = finder->pieces[finder->piece_count];
        if (!piece)
            piece = zeroed(1, sizeof(*piece));
    }
    finder->pieces[finder->piece_count++] = piece;
    piece->length = text.length - cut;
    piece->line = line;
    piece->mark_count = 0;
    memcpy(piece->text, text.at + cut, piece->length);
    for (size_t i = 0; i < mark_count; i++)
        if (marks[i] >= cut)
            piece->marks[piece->mark_count++] = marks[i] - cut;
}

/* The next line that this piece ends in itself; where it ends, or 0. */
static size_t find_whole(struct finder *finder, struct span text, size_t from, size_t line,
                         bool escaped)
{
    struct found *found = &finder->found;
    struct target *targets[TARGETS_MAX];
    const size_t count = find_targets(finder, targets);

    for (size_t i = 0; i < count; i++) {
        size_t end = from, begin = from;

        while (begin == end && (end = find_trailer_end(targets[i], text, end)))
            begin = beginning(finder, targets[i], text, from, end);
        if (!end)
            continue;
        if (targets[i] == &finder->opening && found->count &&
            found->stretches[found->newest].next.chain.sequence == 1 &&
            is_known(finder, 1, crc_of((struct span){ text.at + begin, end - begin }))) {
            finder->repeated++;
            return end;
        }
        if (is_too_many(finder, targets[i]))
            continue;
        accept(finder, targets[i], (struct span){ text.at + begin, end - begin }, line,
               line);
        count_prefix(finder, begin - from, false, escaped);
        learn(finder, text, from, begin);
        finder->piece_count = 0;
        return end;
    }
    return 0;
}

/* The next line that ends in this piece and began in an earlier one; where, or 0. */
static size_t find_across(struct finder *finder, struct span text, size_t line,
                          const size_t *marks, size_t mark_count)
{
    struct target *targets[TARGETS_MAX];
    const size_t count = find_targets(finder, targets);

    for (size_t i = 0; i < count && finder->credit > 0; i++) {
        struct span joined;
        size_t first, end, used;

        if (is_too_many(finder, targets[i]))
            continue;
        end = find_joined(finder, targets[i], text, marks, mark_count, &joined, &first);
        if (!end)
            continue;
        used = finder->piece_count - first; /* all of them were counted as foreign */
        finder->foreign -= used < finder->foreign ? used : finder->foreign;
        accept(finder, targets[i], joined,
               first < finder->piece_count ? finder->pieces[first]->line : line, line);
        count_prefix(finder, finder->found.stretches[finder->found.newest].skipped.least,
                     true, false);
        finder->piece_count = 0;
        return end;
    }
    return 0;
}

/* True if a line that began earlier may end in this piece. */
static bool may_end(const struct finder *finder, struct span text)
{
    bool may = memchr(text.at, '~', text.length);

    for (size_t i = finder->piece_count; i > 0 && finder->piece_count - i < 4 && !may; i--)
        may = memchr(finder->pieces[i - 1]->text, '~', finder->pieces[i - 1]->length);
    return may;
}

void find_in_piece(struct finder *finder, struct span text, size_t line,
                   const size_t *marks, size_t mark_count, bool escaped)
{
    size_t from = 0, end;

    finder->credit += (int64_t)text.length * CREDIT_BYTE;
    if (text.length == 0)
        return;
    for (;;) {
        const struct span rest = { text.at + from, text.length - from };

        end = memchr(rest.at, '~', rest.length)
                  ? find_whole(finder, text, from, line, escaped)
                  : 0;
        if (!end && finder->credit > 0 && may_end(finder, rest)) {
            end =
                find_across(finder, rest, line, from ? NULL : marks, from ? 0 : mark_count);
            end = end ? end + from : 0;
        }
        if (!end)
            break;
        from = end;
    }
    if (from &&
        is_usual_suffix(finder, (struct span){ text.at + from, text.length - from }))
        return;
    if (from == text.length)
        return;
    note_rest(finder, text, from, line);
    keep(finder, (struct span){ text.at + from, text.length - from }, line,
         from ? NULL : marks, from ? 0 : mark_count);
}

struct finder *finder_new(void)
{
    struct finder *finder = zeroed(1, sizeof(*finder));

    find_aim(&finder->opening, NO_STRETCH, (struct log_chain){ 0, 0 });
    finder->credit = CREDIT_BEGIN;
    return finder;
}

void finder_free(struct finder *finder)
{
    struct found *found = &finder->found;

    for (size_t i = 0; i < found->count; i++) {
        free(found->stretches[i].text);
        free(found->stretches[i].checksums);
        free(found->stretches[i].map.rows);
    }
    free(found->stretches);
    for (size_t i = 0; i < PIECES_KEPT; i++)
        free(finder->pieces[i]);
    free(finder);
}

struct found *finder_found(struct finder *finder)
{
    return &finder->found;
}
