/*
 * Records of a run that is made by hand.
 */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "tools/log/place.h"
#include "tools/log/records.h"

/* All lines made, and what they hold.  They are freed when the program ends. */
static struct run_lines **lines_made;
static size_t lines_made_count, lines_made_capacity;
static struct arena lines_memory;

static inline void free_lines_made(void)
{
    for (size_t i = 0; i < lines_made_count; i++)
        lines_free(lines_made[i]);
    arena_release(&lines_memory);
}

static inline struct run_lines *lines_of(struct run *run)
{
    if (!run->lines) {
        if (!lines_made)
            atexit(free_lines_made);
        run->lines = arena_keep(&lines_memory, zeroed(1, sizeof(*run->lines)));
        lines_made = arena_grow(&lines_memory, lines_made, &lines_made_capacity,
                                lines_made_count, sizeof(*lines_made));
        lines_made[lines_made_count++] = run->lines;
    }
    records_free(run, NULL); /* they get more */
    return run->lines;
}

/* One more line; its number is how many came before, and one. */
static inline void add_line(struct run *run, struct branch branch, uint32_t again,
                            uint32_t times)
{
    struct run_lines *lines = lines_of(run);

    lines->at = arena_grow(&lines_memory, lines->at, &lines->capacity, lines->count,
                           sizeof(*lines->at));
    lines->at[lines->count] =
        (struct record_line){ branch, again, times, (uint32_t)lines->count + 1 };
    lines->count++;
    run->records += (again ? again : 1ull) * times;
}

/* A run of these packed bytes alone. */
static inline void add_packed(struct run *run, const uint8_t *bytes, size_t size,
                              uint64_t records)
{
    struct run_lines *lines = lines_of(run);

    lines->bytes = arena_keep(&lines_memory, zeroed(size, 1));
    memcpy(lines->bytes, bytes, size);
    lines->size = lines->got = size;
    run->records = records;
}

static inline void forget_lines(struct run *run)
{
    run->lines = NULL;
    run->records = 0;
}
