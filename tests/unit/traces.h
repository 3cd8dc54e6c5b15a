/*
 * The expected trace in rows, which holds until the next one:
 *
 *     trace  icall C-0  repeat 2  jmp 4-8  jcc 8-2 x3  end  ret a-C
 *
 * A kind with its FROM and TO, as ends.h has them, and how often it comes, if more than
 * once.
 */
#pragma once

#include "ends.h"

#define TRACE_MAX 32
static struct taken trace_rows[TRACE_MAX];
static uint32_t trace_count;

static inline int32_t trace_offset(uint64_t address, uint64_t caller)
{
    return address == caller ? CALLER : (int32_t)(address - CODE);
}

static inline struct taken trace_transfer(const char *kind)
{
    struct transfer ends = ends_read(row_word());

    if (!kind_read(kind, &ends.kind))
        row_fails("%s: no such kind", kind);
    return (struct taken){ .from = trace_offset(ends.from, CALL),
                           .to = trace_offset(ends.to, BACK),
                           .kind = ends.kind,
                           .times = 1 };
}

/* Reads one row of the trace, which begins with this word. */
static inline struct taken trace_row(const char *word)
{
    if (strcmp(word, "repeat") == 0)
        return (struct taken){ .kind = ROW_REPEAT, .times = (uint32_t)row_number() };
    if (strcmp(word, "end") == 0)
        return (struct taken){ .kind = ROW_END };
    return trace_transfer(word);
}

VERB(trace)
{
    trace_count = 0;
    while (!row_is_read() && trace_count < TRACE_MAX) {
        const char *word = row_word();

        if (word[0] == 'x' && trace_count > 0)
            trace_rows[trace_count - 1].times = (uint32_t)strtoul(word + 1, NULL, 10);
        else
            trace_rows[trace_count++] = trace_row(word);
    }
}

/* A workload at CODE that has this trace, and neither code nor a name. */
static inline struct workload trace_workload(void)
{
    return (struct workload){ .expect = trace_rows, .rows = trace_count, .size = 0x100 };
}
