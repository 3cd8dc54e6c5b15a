/*
 * One branch as other tools print it, and the parts that the readers of lines share.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "span.h"

/* Finds the address of a symbol; false: no such name, or more than one place has it. */
struct symbol_finder {
    bool (*find)(void *of, struct span name, uint64_t *address);
    void *of;
};

/* A branch of a stack, or of a list of edges. */
struct traced_branch {
    uint64_t from, to; /* as printed; TRACED_UNNAMED: a symbol that no given file has   */
    uint64_t times;    /* 1, except in aggregated edges                                 */
    uint64_t missed;   /* how many of those were mispredicted                           */
    uint32_t cycles;   /* since the record before; 0: none printed                      */
    bool abort;        /* of a transaction: FROM is where it was aborted                */
};
#define TRACED_UNNAMED (UINT64_C(1) << 63) /* not canonical: nothing can lie there */
#define BRANCHES_MAX   4096 /* in a stack; perf itself puts at most 1024 together */

/* Reads the hexadecimal digits at `at`; returns where they end, `at` if there are none. */
const char *hex_digits(const char *at, const char *end, uint64_t *out);

/* Adds, at most up to the largest number: anyone may have written the counts. */
static inline void add_up(uint64_t *sum, uint64_t more)
{
    if (__builtin_add_overflow(*sum, more, sum))
        *sum = UINT64_MAX;
}

/* A terminal obeys other bytes, and anyone may have written the trace. */
static inline void make_printable(char *at, size_t length)
{
    for (; length-- > 0; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
}

static inline bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline const char *skip_spaces(const char *at, const char *end)
{
    while (at < end && is_space(*at))
        at++;
    return at;
}

static inline const char *token_end(const char *at, const char *end)
{
    while (at < end && !is_space(*at))
        at++;
    return at;
}
