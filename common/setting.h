/*
 * The options, as rows: what each is called and what may stand behind its equals sign.
 *
 * boot/ reads them from everybranch.cfg, the monitor those of `run`, and the host program
 * holds against them what a user typed, before anything boots.  docs/options.md tells what
 * each does.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "method_facts.h"

/* Of the performance-monitoring interrupt: as the method has it, with IF, or as NMI. */
enum delivery { DELIVERY_OF_METHOD, DELIVERY_FIXED, DELIVERY_NMI };

enum setting_kind {
    SETTING_IS_WORD,    /* stands alone                                     */
    SETTING_IS_NUMBER,  /* from least to most, decimal or with 0x, or a word */
    SETTING_IS_CHOICE,  /* one of the words                                 */
    SETTING_IS_NAMES,   /* a list of at most so many characters             */
    SETTING_IS_METHODS, /* the same, of names that there are                */
    SETTING_IS_FILTERS,
    SETTING_IS_EVENT,
    SETTING_IS_PORT, /* of the serial line, or a word */
};

enum setting_id {
    SETTING_WORKLOAD,
    SETTING_METHOD,
    SETTING_FILTER,
    SETTING_INFO,
    SETTING_COST,
    SETTING_TIMEOUT,
    SETTING_RETRY,
    SETTING_MONITOR,
    SETTING_PROCESSORS,
    SETTING_TOGETHER,
    SETTING_BUFFER,
    SETTING_THRESHOLD,
    SETTING_EVENT,
    SETTING_PERIOD,
    SETTING_DELIVERY,
    SETTING_SERIAL,
    SETTING_BAUD,
    SETTING_CLOCK,
    SETTING_EXIT_BOOT_SERVICES,
    SETTING_EXIT,
    SETTING_BENCH,
    SETTING_CYCLES,
    SETTING_COUNT,
};

#define SETTING_WORDS_MAX 2
struct setting {
    const char *name;
    enum setting_kind kind;
    const char *words[SETTING_WORDS_MAX]; /* that may stand for the value     */
    uint64_t least, most;
    bool of_run; /* the monitor's `run` takes it, too */
};
extern const struct setting settings[SETTING_COUNT];

/* A UART's registers: in memory, so many bytes each, or on I/O ports. */
struct port_choice {
    bool mmio;
    uint8_t bytes;
    uint64_t address;
};

struct setting_value {
    enum setting_id id;
    int word;         /* which of the words stands there, or -1         */
    const char *text; /* of a list: what stands behind the equals sign  */
    uint64_t number;
    struct event_choice event;
    struct port_choice port;
};

/*
 * "name=value" or "name".  NULL, or what is wrong, in a sentence that says what may stand
 * there, and lives until the next call.
 */
#define SETTING_SENTENCE 480
const char *setting_read(const char *text, struct setting_value *out);

/* The one of the name that "name=value" or "name" begins with, or NULL. */
const struct setting *setting_named(const char *text);

/* What may stand behind the equals sign, in words: "a number from 1 to 4". */
struct text;
void setting_wish(struct text *, const struct setting *);

/* setting_read's sentences of a value that is wrong, and of a name that there is not. */
const char *setting_wrong(const char *text, const struct setting *);
const char *setting_unknown(const char *text);

/* Whether the method does anything with it; and of those that only some do, which do. */
bool setting_serves(enum setting_id, const struct method_facts *);
void setting_put_served(struct text *, enum setting_id);

/* Whether one of a list does, "a,b"; empty: of all there are... */
bool setting_serves_any(enum setting_id, const char *methods);

/* ...and where none does, that sentence, or NULL; it lives until the next call. */
const char *setting_idle(enum setting_id, const char *methods);

#define SETTING_LIST_MAX       2047 /* characters of a list */
#define SETTING_PROCESSORS_MAX 256

/* Where a UART's registers can begin; the firmware's tables are held against them, too. */
#define SETTING_IO_LAST   0xfff8u               /* eight registers fit behind it      */
#define SETTING_MMIO_LAST 0x00007ffffffff000ull /* what four levels of paging map     */
