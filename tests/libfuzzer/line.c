/*
 * One line: what is read from it and written again must be what stood there, since the
 * log has one form only for everything.
 *
 * The first byte of an input says of which word the fields are read.
 */
#include "tools/log/line.h"

#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "tools/log/parsed.h"

static void equals(const struct text *again, struct span was)
{
    MUST(!again->overflow && again->length <= was.length);
    MUST(memcmp(again->at, was.at, again->length) == 0);
}

/* A line with a trailer. */
static void trailer(struct span line)
{
    struct log_chain chain = { 0, 0 }, before = { 0, 0 };
    char *capacity = malloc(line.length + 64);
    size_t body = 0;
    uint32_t sequence = 0;
    enum log_fault fault = log_unseal(&chain, line.at, line.length, &body, &sequence);
    struct text text = { capacity, body, line.length + 64, false };

    if (fault != LOG_NO_TRAILER) {
        MUST(body < line.length && chain.sequence == sequence);
        memcpy(capacity, line.at, body);
        before.sequence = sequence - 1;
        log_seal(&before, &text);
        MUST(text.length == line.length);
        text.length -= 8; /* the checksum itself may be wrong */
        equals(&text, line);
    }
    if (fault == LOG_GOOD)
        MUST(before.crc == chain.crc);
    free(capacity);
}

static void numbers(struct span word)
{
    char capacity[64];
    struct text text = text_into(capacity, sizeof(capacity));
    uint64_t number;

    if (read_decimal(word, &number)) {
        text_decimal(&text, number);
        MUST(span_is(word, capacity));
    }
    text = text_into(capacity, sizeof(capacity));
    if (read_hex(word, &number)) {
        text_string(&text, "0x");
        text_hex(&text, number);
        MUST(span_is(word, capacity));
    }
}

/* The fields of a word are written again as they were. */
static void fields(enum log_line word, struct span body)
{
    struct log log = { .name = "fuzzed" };
    struct line line = { .log = &log, .rest = body, .word = { "word ", 4 } };
    char again[600];
    struct text text = text_into(again, sizeof(again));

    if (line_parse(&line, word)) {
        line_put(&line, 0, &text);
        MUST(!text.overflow);
        MUST(span_is(body, text.length > 4 ? again + 5 : ""));
    }
    arena_release(&log.memory);
}

static void place(const char *workload, struct span body)
{
    struct log log = { .name = "fuzzed",
                       .machine = { .caller = { .call = 0x5e001200, .back = 0x5e001202 },
                                    .image = { .base = 0x5e000000, .size = 0x40000 } } };
    struct loaded loaded = { .own =
                                 own_workload((struct span){ workload, strlen(workload) }),
                             .at = 0x5e010000 };
    struct log_map map = map_of(&log, &loaded);
    struct line line = { .log = &log, .rest = body, .word = { "word", 4 } };
    uint64_t address;
    char *again;

    if (place_read(&line, &map, LOG_FROM, "FROM", &address)) {
        again = place_text(&map, address, LOG_FROM);
        MUST(strlen(again) <= body.length && memcmp(again, body.at, strlen(again)) == 0);
        free(again);
    }
    arena_release(&log.memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[LOG_LINE_MAX];
    struct span body = { text, size - 1 };

    if (size < 2 || size > LOG_LINE_MAX)
        return 0;
    for (size_t i = 1; i < size; i++) /* read.c lets nothing else through */
        text[i - 1] =
            (char)(data[i] >= ' ' && data[i] <= '~' ? data[i] : ' ' + data[i] % 95);
    trailer(body);
    numbers(body);
    fields((enum log_line)(data[0] % LOG_WORDS), body);
    place("wt", body);
    return 0;
}
