/*
 * One line: what is read from it and written again must be what stood there, since the
 * log has one form only for everything.
 *
 * The first byte of an input says in which form the fields are read.
 */
#include "tools/log/line.h"

#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "common/count_of.h"
#include "tools/log/parsed.h"

#define FIELDS_MAX 11

/* Those of docs/log.md. */
static const char *const forms[] = {
    "log=d build=w",
    "vendor=q revision=x",
    "vendor=q family=x model=x stepping=x signature=x microcode=x hypervisor=q brand=q",
    ("ds=b dtes64=b ds_cpl=b pdcm=b arch_lbr=b arch_lbr_depths=x amd_lbr_v2=b "
     "amd_lbr_v2_depth=d perf_capabilities=a perfmon=d misc_enable=a"),
    "microcode=x brand=q",
    "base=x size=x",
    "name=w outcome=w evidence=q",
    "name=w at=x size=x stubs=d about=q",
    "of=w at=x bytes=w",
    "n=d method=w workload=w why=w",
    "n=d outcome=w records=d events=d lost=d ticks=d",
};

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
    enum log_fault fault = log_open(&chain, line.at, line.length, &body, &sequence);
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

static void put_value(struct text *text, char type, const struct value *value)
{
    char word[300];

    if (type == 'd' || type == 'b') {
        text_decimal(text, value->number);
    } else if (type == 'x' || (type == 'a' && !value->absent)) {
        text_string(text, "0x");
        text_hex(text, value->number);
    } else {
        snprintf(word, sizeof(word), type == 'q' ? "\"%.*s\"" : "%.*s", SPAN(value->text));
        text_string(text, word);
    }
}

/* The fields as they would be written. */
static void put_fields(struct text *text, const char *form, const struct value *value)
{
    while (*form) {
        size_t key = strcspn(form, "=") + 1;
        char word[64];

        snprintf(word, sizeof(word), "%.*s", (int)key, form);
        text_string(text, word);
        put_value(text, form[key], value++);
        form += key + 1;
        text_string(text, *form ? " " : "");
        form += *form == ' ';
    }
}

static void fields(const char *form, struct span body)
{
    struct log log = { .name = "fuzzed" };
    struct value values[FIELDS_MAX];
    struct line line = { &log, body, { "word", 4 } };
    char capacity[600];
    struct text text = text_into(capacity, sizeof(capacity));

    if (line_fields(&line, form, values)) {
        put_fields(&text, form, values);
        equals(&text, body);
        MUST(line.rest.length == 0 || body.at[text.length] == ' ');
    }
    free(log.log_error);
}

static void place(const char *workload, struct span body)
{
    struct log log = { .name = "fuzzed",
                       .call = 0x5e001200,
                       .back = 0x5e001202,
                       .image_at = 0x5e000000,
                       .image_size = 0x40000 };
    struct loaded loaded = { .own =
                                 own_workload((struct span){ workload, strlen(workload) }),
                             .at = 0x5e010000 };
    struct log_map map = map_of(&log, &loaded);
    struct line line = { &log, body, { "word", 4 } };
    uint64_t address;
    char *again;

    if (place_read(&line, &map, LOG_FROM, "FROM", &address)) {
        again = place_text(&map, address, LOG_FROM);
        MUST(strlen(again) <= body.length && memcmp(again, body.at, strlen(again)) == 0);
        free(again);
    }
    free(log.log_error);
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
    fields(forms[data[0] % COUNT_OF(forms)], body);
    place("wt", body);
    return 0;
}
