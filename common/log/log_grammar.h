/*
 * The grammar of the log as one table: the words with which its lines begin, the fields of
 * each, where it may appear, and what of it `cat` and `submit` show.  docs/log.md has the
 * same table for people; tests/unit/log_grammar.c holds the two together.
 *
 * Fields are written as in "vendor=q revision=x [nmis=d]", in their order:
 *
 *     key=w  a word           key=q  text in double quotes    key=io|mmio  one of these
 *     key=d  a decimal number key=x  a hexadecimal one        key=facility the name of one
 *     key=a  a hexadecimal number, or `absent`
 *     word   this word        [...]  optional, all of it or nothing
 *     NAME   what a parser of its own reads
 *
 * After a field, `-` means that `cat` leaves it out, and `!` that `submit` empties its
 * text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum log_section {
    LOG_OF_CPU, /* before the plan, and of each kind of processor */
    LOG_BEFORE_PLAN,
    LOG_PLAN,
    LOG_BETWEEN_RUNS,
    LOG_IN_RUN,
    LOG_ANYWHERE,
};

enum {
    LOG_IN_CAT = 1,     /* `cat` shows the line                                */
    LOG_OF_MACHINE = 2, /* the next boot knows the same machine by these lines */
};

enum log_line {
    WORD_BRANCH,
    WORD_STOP,
    WORD_AGAIN,
    WORD_DATA,
    WORD_PACKED,
    WORD_PACKETS,
    WORD_INFO,
    WORD_EVERYBRANCH,
    WORD_LINUX,
    WORD_FIRMWARE,
    WORD_BIOS,
    WORD_SYSTEM,
    WORD_CPU,
    WORD_FEATURES,
    WORD_CPUID,
    WORD_MODEL,
    WORD_IMAGE,
    WORD_CALLER,
    WORD_APIC,
    WORD_LEFT,
    WORD_SERIAL,
    WORD_AVOID,
    WORD_FACILITY,
    WORD_PROCESSORS,
    WORD_PROCESSOR,
    WORD_BUNDLE,
    WORD_BYTES,
    WORD_REJECTED,
    WORD_WORKLOAD,
    WORD_LABELS,
    WORD_CODE,
    WORD_PLAN,
    WORD_TRY,
    WORD_COMMAND,
    WORD_ANSWER,
    WORD_MSR,
    WORD_ROUND,
    WORD_LOST,
    WORD_RUN,
    WORD_SKIP,
    WORD_RAN,
    WORD_COST,
    WORD_CYCLES,
    WORD_NOTE,
    WORD_PANIC,
    WORD_END,
    LOG_WORDS
};

struct log_word {
    const char *line; /* the word and its fields */
    enum log_section section;
    unsigned shown;
    const char *published; /* what `submit` says of the lines; NULL: it takes them out */
};

extern const struct log_word log_words[LOG_WORDS];

/* LOG_WORDS: the log has no such word. */
enum log_line log_word(const char *word, size_t length);

const char *log_fields(enum log_line);

/*
 * Parts of the fields.  The field that begins at `at` ends at log_field_end(); a group that
 * begins after the `[` at `at` ends after log_group_end().
 */
const char *log_field_end(const char *at);
const char *log_group_end(const char *at);
