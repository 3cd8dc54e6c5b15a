/*
 * Addresses and the words that the log has for them.
 */
#include "place.h"

#include <string.h>

#include "heap.h"
#include "line.h"
#include "parsed.h"

struct log_map map_of(const struct log *log, const struct loaded *loaded)
{
    return (struct log_map){
        .workload = loaded->own,
        .workload_at = loaded->at,
        .call = log->machine.caller.call,
        .back = log->machine.caller.back,
        .image_at = log->machine.image.base,
        .image_size = log->machine.image.size,
    };
}

/* The n-th of the labels in the rows, each end of a row counted; NULL at the end. */
static const char *label_at_end(const struct workload *workload, size_t n, int32_t *offset)
{
    const struct taken *row;

    if (n / 2 >= workload->rows) /* there may be none, and `expect` is NULL */
        return NULL;
    row = &workload->expect[n / 2];
    *offset = row->kind >= KIND_COUNT ? CALLER : n % 2 ? row->to : row->from;
    return n % 2 ? row->to_label : row->from_label;
}

int64_t label_offset(const struct workload *workload, struct span label)
{
    const char *text;
    int32_t offset;

    for (size_t n = 0; (text = label_at_end(workload, n, &offset)); n++)
        if (offset != CALLER && span_is(label, text))
            return offset;
    return -1;
}

size_t label_count(const struct workload *workload)
{
    const char *text;
    int32_t offset;
    size_t count = 0;

    for (size_t n = 0; (text = label_at_end(workload, n, &offset)); n++) {
        const char *before;
        int32_t ignored = CALLER;
        bool known = offset == CALLER || !*text;

        for (size_t i = 0; i < n && !known; i++) {
            before = label_at_end(workload, i, &ignored);
            known = ignored != CALLER && strcmp(before, text) == 0;
        }
        count += !known;
    }
    return count;
}

char *place_text(const struct log_map *map, uint64_t address, enum log_end end)
{
    char buffer[LOG_LINE_MAX];
    struct text text = text_into(buffer, sizeof(buffer));

    log_put_end(&text, map, address, end);
    return format_text("%s", buffer);
}

void place_words_of(struct place_words *words, const struct log_map *map)
{
    memset(words, 0, sizeof(*words));
    words->map = *map;
}

struct span place_word(struct place_words *words, uint64_t address, enum log_end end)
{
    size_t i = address % PLACES_SAID;
    struct text text;

    if (words->said[end][i].length && words->said[end][i].at == address)
        return (struct span){ words->said[end][i].word, words->said[end][i].length };
    text = text_into(words->other[end], sizeof(words->other[end]));
    log_put_end(&text, &words->map, address, end);
    if (text.length <= sizeof(words->said[end][i].word)) {
        memcpy(words->said[end][i].word, text.at, text.length);
        words->said[end][i].length = (uint8_t)text.length;
        words->said[end][i].at = address;
    }
    return (struct span){ text.at, text.length };
}

char *transfer_text(const struct log_map *map, const struct transfer *transfer)
{
    char buffer[LOG_LINE_MAX];
    struct text text = text_into(buffer, sizeof(buffer));

    log_put_end(&text, map, transfer->from, LOG_FROM);
    text_string(&text, " -> ");
    log_put_end(&text, map, transfer->to, LOG_TO);
    return format_text("%s", buffer);
}

static bool after(struct span word, const char *prefix, struct span *rest)
{
    const size_t length = strlen(prefix);

    *rest = (struct span){ word.at + length, word.length - length };
    return span_begins(word, prefix);
}

static bool known(struct span word, const struct log_map *map, enum log_end end,
                  uint64_t *out)
{
    struct span rest;
    int64_t offset;

    if (span_is(word, "?")) {
        *out = BRANCH_UNKNOWN;
        return true;
    }
    if (span_is(word, "caller")) {
        *out = end == LOG_FROM ? map->call : map->back;
        return true;
    }
    if (after(word, ".", &rest)) {
        offset = label_offset(map->workload, word);
        *out = map->workload_at + (uint64_t)offset;
        return offset >= 0;
    }
    if (after(word, "+", &rest)) {
        bool number = read_hex(rest, out);

        *out += map->workload_at;
        return number;
    }
    if (after(word, "image+", &rest)) {
        bool number = read_hex(rest, out);

        *out += map->image_at;
        return number;
    }
    return read_hex(word, out);
}

/* Where a word of that map has its place in the cache, which then is of that map. */
static size_t cached_at(struct places *places, const struct log_map *map, struct span word)
{
    uint64_t mixed = word.length;

    if (memcmp(&places->map, map, sizeof(*map)) != 0) {
        memset(places, 0, sizeof(*places));
        places->map = *map;
    }
    for (size_t i = 0; i < word.length; i++)
        mixed = (mixed ^ (uint8_t)word.at[i]) * 0x100000001b3ull; /* FNV-1a's prime */
    return (mixed ^ mixed >> 32) % PLACES_KNOWN;
}

static bool written_so(struct line *line, const struct log_map *map, enum log_end end,
                       struct span word, uint64_t *out)
{
    char buffer[LOG_LINE_MAX];
    struct text text = text_into(buffer, sizeof(buffer));
    struct log *log = line->log;

    if (!known(word, map, end, out))
        return log_error(log, log->line,
                         "%.*s: \"%.*s\" is no place: want caller, a label of %s, +0xN, "
                         "image+0xN, 0xN or ?",
                         SPAN(line->word), SPAN(word), map->workload->name);
    /* Every place has one name; +0x0 where there is a label was not written by us. */
    log_put_end(&text, map, *out, end);
    return span_is(word, buffer) || log_error(log, log->line, "%.*s: got %.*s, want %s",
                                              SPAN(line->word), SPAN(word), buffer);
}

bool place_read(struct line *line, const struct log_map *map, enum log_end end,
                const char *wish, uint64_t *out)
{
    struct places *places = &line->log->places;
    struct span word;
    size_t i;

    if (!line_word(line, wish, &word))
        return false;
    if (word.length > PLACE_LENGTH)
        return written_so(line, map, end, word, out);
    i = cached_at(places, map, word);
    if (places->known[i].length == word.length && places->known[i].end == end &&
        memcmp(places->known[i].word, word.at, word.length) == 0) {
        *out = places->known[i].at;
        return true;
    }
    if (!written_so(line, map, end, word, out))
        return false;
    memcpy(places->known[i].word, word.at, word.length);
    places->known[i].length = (uint8_t)word.length;
    places->known[i].end = end;
    places->known[i].at = *out;
    return true;
}
