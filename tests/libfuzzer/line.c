/*
 * One line: what is read from it and written again must be what stood there, since the
 * log has one form only for everything.
 *
 * The first byte of an input says of which word the fields are read.
 */
#include "tools/log/line.h"

#include "fuzz.h"
#include "tools/log/parsed.h"

static char buffer[LOG_LINE_MAX + 64];

/* A line with a trailer, whose checksum itself may be wrong. */
static void trailer(struct span line)
{
    struct log_chain chain = { 0, 0 }, before = { 0, 0 };
    struct text text = { buffer, 0, sizeof(buffer), false };
    uint32_t sequence = 0;
    enum log_fault fault =
        log_unseal(&chain, line.at, line.length, &text.length, &sequence);

    if (fault == LOG_NO_TRAILER)
        return;
    MUST(text.length < line.length && chain.sequence == sequence);
    memcpy(buffer, line.at, text.length);
    before.sequence = sequence - 1;
    log_seal(&before, &text);
    MUST(!text.overflow && text.length == line.length);
    MUST(memcmp(buffer, line.at, line.length - 8) == 0);
    MUST(fault != LOG_GOOD || before.crc == chain.crc);
}

static void numbers(struct span word)
{
    struct text decimal = text_into(buffer, 64), hex = text_into(buffer + 64, 64);
    uint64_t number;

    if (read_decimal(word, &number)) {
        text_decimal(&decimal, number);
        MUST(span_is(word, decimal.at));
    }
    if (read_hex(word, &number)) {
        text_string(&hex, "0x");
        text_hex(&hex, number);
        MUST(span_is(word, hex.at));
    }
}

static void fields(struct line line, enum log_line word)
{
    struct text text = text_into(buffer, sizeof(buffer));
    const struct span body = line.rest;

    if (line_parse(&line, word)) {
        line_put(&line, 0, &text);
        MUST(!text.overflow);
        MUST(span_is(body, text.length > 4 ? buffer + 5 : ""));
    }
}

static void place(struct log *log, struct line line)
{
    const struct loaded loaded = { .own = own_workload(span_of("wt")), .at = 0x5e010000 };
    struct log_map map = map_of(log, &loaded);
    const struct span body = line.rest;
    uint64_t address;

    if (place_read(&line, &map, LOG_FROM, "FROM", &address)) {
        char *again = arena_keep(&log->memory, place_text(&map, address, LOG_FROM));

        MUST(strlen(again) <= body.length && memcmp(again, body.at, strlen(again)) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[LOG_LINE_MAX];
    struct log log = { .name = "fuzzed",
                       .machine = { .caller = { .call = 0x5e001200, .back = 0x5e001202 },
                                    .image = { .base = 0x5e000000, .size = 0x40000 } } };
    struct line line = { .log = &log, .word = span_of("word"), .rest = { text, size - 1 } };

    if (size < 2 || size > LOG_LINE_MAX)
        return 0;
    for (size_t i = 1; i < size; i++) /* read.c lets nothing else through */
        text[i - 1] =
            (char)(data[i] >= ' ' && data[i] <= '~' ? data[i] : ' ' + data[i] % 95);
    trailer(line.rest);
    numbers(line.rest);
    fields(line, (enum log_line)(data[0] % LOG_WORDS));
    place(&log, line);
    arena_release(&log.memory);
    return 0;
}
