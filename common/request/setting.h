/*
 * The options: one row for each, with its name, the values it accepts, the field of struct
 * options that holds its value, and its help.
 *
 * boot/ reads all of them from everybranch.cfg, the monitor those that `run` takes, and the
 * host program checks what a user typed, before anything boots.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "method_facts.h"

#define LIST_SIZE     2048 /* bytes of an option that is a list of names */
#define COMMANDS_SIZE 2048 /* and of all commands                        */

/* The serial line: a UART's registers, in memory or on I/O ports. */
struct port_choice {
    enum serial_choice { SERIAL_SEARCH, SERIAL_NONE, SERIAL_GIVEN } choice;
    bool mmio;
    uint8_t bytes; /* between two registers, and of one access */
    uint64_t address;
};

/* Values of the options that are one of several words: 1 for the first word. */
enum delivery { DELIVERY_OF_METHOD, DELIVERY_FIXED, DELIVERY_NMI };
enum exit_choice { EXIT_AT_KEY, EXIT_RETURN, EXIT_RESET };

/* The value of each option; zero if it is not given. */
struct options {
    char workloads[LIST_SIZE];    /* "a,b"; empty: all                    */
    uint32_t workloads_line;      /* of everybranch.cfg; 0: elsewhere     */
    char methods[LIST_SIZE];      /* "a,b"; empty: all                    */
    char filters[LIST_SIZE];      /* filter_nth() reads it; empty: none   */
    char commands[COMMANDS_SIZE]; /* of the monitor, a line each          */
    bool info, retry, monitor, exit_boot_services;
    uint32_t cost, cycles, timeout;
    uint32_t processors;        /* PROCESSORS_ALL: all of them          */
    uint32_t buffer, threshold; /* records; 0: as the method has it     */
    struct event_choice event;
    uint32_t period; /* 0: as the method has it              */
    enum delivery delivery;
    struct port_choice serial;
    uint32_t baud, clock; /* 0: as the port has it                */
    enum exit_choice exit;
};
#define PROCESSORS_ALL UINT32_MAX

/* The type of value, and of its field. */
enum setting_kind {
    SETTING_IS_WORD,    /* no value: bool                                            */
    SETTING_IS_NUMBER,  /* uint32_t, decimal or with 0x; UINT32_MAX if it is a word  */
    SETTING_IS_CHOICE,  /* one of the words: uint32_t or an enum, 1 for the first    */
    SETTING_IS_NAMES,   /* names with commas between: char[LIST_SIZE]                */
    SETTING_IS_METHODS, /* names of methods: char[LIST_SIZE]                         */
    SETTING_IS_FILTERS, /* filters: char[LIST_SIZE]                                  */
    SETTING_IS_EVENT,   /* struct event_choice                                       */
    SETTING_IS_PORT,    /* struct port_choice                                        */
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
    SETTING_CYCLES,
    SETTING_COUNT,
};

#define SETTING_WORDS_MAX 2
struct setting {
    const char *name;
    const char *about; /* what it does, in one line */
    enum setting_kind kind;
    size_t at;                            /* its field in struct options          */
    const char *words[SETTING_WORDS_MAX]; /* accepted in place of another value   */
    uint64_t least, most;                 /* of a number                          */
    bool of_run;                          /* the monitor's `run` takes it, too    */
};
extern const struct setting settings[SETTING_COUNT];

/*
 * Reads "name=value" or "name" into its field.  Returns NULL, or what is wrong: a sentence
 * that says what the option accepts, and lives until the next call.
 */
#define SETTING_SENTENCE 480
const char *setting_read(const char *text, struct options *);

/* Is this one of the options, or near to one?  Whoever typed it means this program. */
bool setting_is_meant(const char *text);

/* The row of the name that "name=value" or "name" begins with, or NULL. */
const struct setting *setting_named(const char *text);

/* Puts the values that an option accepts: "a number from 1 to 4". */
struct text;
void setting_put_values(struct text *, const struct setting *);

/* Is the option given? */
bool setting_is_given(const struct options *, enum setting_id);

/*
 * Returns a sentence if none of these methods ("a,b"; empty: all) uses the option, or NULL.
 * The sentence lives until the next call.
 */
const char *setting_idle(enum setting_id, const char *methods);

#define SETTING_PROCESSORS_MAX 256

/* The highest address at which a UART's registers can begin; also for the firmware's
 * tables. */
#define SETTING_IO_LAST   0xfff8u               /* the last that leaves eight ports */
#define SETTING_MMIO_LAST 0x00007ffffffff000ull /* four levels of paging map that   */
