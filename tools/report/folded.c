/*
 * There may be millions of lines, so each is composed of cached words, and many are
 * written at once.
 */
#include "folded.h"

#include <stdio.h>
#include <stdlib.h>

#include "fold.h"
#include "heap.h"

#define WRITTEN_AT_ONCE 65536
#define LINE_ROOM       (3 * LOG_LINE_MAX) /* more than two places and the text around them */

#define PUT(text, literal) text_bytes(text, literal, sizeof(literal) - 1)

static void put_word(struct text *lines, struct span word)
{
    if (word.length <= TEXT_SHORT)
        text_short(lines, word.at, word.length);
    else
        text_bytes(lines, word.at, word.length);
}

static void put_info(struct text *lines, const struct run *run, uint64_t info)
{
    if (run->method->sampled && info) {
        PUT(lines, " late=");
        text_decimal(lines, info);
    } else if (info == STOP_TAKEN) {
        PUT(lines, " taken");
    } else if (info == STOP_NOT_TAKEN) {
        PUT(lines, " not-taken");
    }
}

static void put_record(struct text *lines, struct place_words *words, const struct run *run,
                       const struct branch *record)
{
    if (run->method->stops) {
        PUT(lines, "stop ");
    } else {
        PUT(lines, "branch ");
        put_word(lines, place_word(words, record->from, LOG_FROM));
        PUT(lines, " ");
    }
    put_word(lines, place_word(words, record->to, LOG_TO));
    if (run->method->stops)
        put_info(lines, run, record->info);
}

static void put_count(struct text *lines, uint64_t times)
{
    PUT(lines, " x");
    text_decimal(lines, times);
}

static void put_fold(struct text *lines, struct place_words *words, const struct run *run,
                     const struct branch *record, const struct fold *fold)
{
    if (fold->again) {
        PUT(lines, "again ");
        text_decimal(lines, fold->again);
    } else {
        put_record(lines, words, run, record);
    }
    if (fold->again || fold->times > 1)
        put_count(lines, fold->times);
    PUT(lines, "\n");
}

static void write_out(struct text *lines)
{
    fwrite(lines->at, 1, lines->length, stdout);
    lines->length = 0;
}

#define HASHES 4096

/*
 * How far back the newest record with the same hash is: see fold_next().  Looking for it
 * among the FOLD_REACH records before each takes longer than all else here.
 */
static uint8_t *looked_back(const struct branch *records, size_t count)
{
    uint8_t *back = zeroed(count + 1, sizeof(*back));
    size_t newest[HASHES] = { 0 }; /* its index + 1 */

    for (size_t i = 0; i < count; i++) {
        uint64_t mixed = (records[i].from ^ records[i].to << 20 ^ records[i].info << 40) *
                         0x9e3779b97f4a7c15ull; /* 2^64 over the golden ratio */
        size_t *last = &newest[mixed >> 32 & (HASHES - 1)];

        if (*last && i + 1 - *last <= FOLD_REACH)
            back[i] = (uint8_t)(i + 1 - *last);
        *last = i + 1;
    }
    return back;
}

void folded_print(const struct log *log, const struct log_map *map, const struct run *run)
{
    static struct place_words words;
    static char buffer[WRITTEN_AT_ONCE];
    const struct run_records records = run_records(log, run);
    struct text lines = text_into(buffer, sizeof(buffer));
    uint8_t *back = looked_back(records.at, records.count);
    struct fold fold;

    place_words_of(&words, map);
    for (uint64_t at = 0, covered; at < records.count; at += covered) {
        covered = fold_next(records.at, back, records.count, at, &fold);
        put_fold(&lines, &words, run, &records.at[at], &fold);
        if (lines.length > sizeof(buffer) - LINE_ROOM)
            write_out(&lines);
    }
    write_out(&lines);
    free(back);
}
