/*
 * The lines of records of a run, again and again.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "branch.h"
#include "log_lines.h"

#define RUN_RECORDS_MAX (1ull << 27) /* unfolded; the longest workload makes 2^20 */

/* One line of records, as it stands in the log. */
struct item {
    struct branch branch;
    uint64_t packed; /* `times` records in so many bytes; else 0   */
    uint64_t run;    /* ...which are those of this run; 0: they follow */
    uint32_t again;  /* records that are repeated; 0: `branch` is */
    uint64_t times;
    size_t line;
};

/*
 * The items of a run, each taken from its line, and the bytes of a packed one that was
 * given last, a line at a time; 0: that was all.
 */
struct items {
    struct log *log;
    const struct run *run;
    struct log_map map;
    struct log_lines lines;
    size_t line, given; /* the number of the line that was read last */
    uint64_t records;
};
void items_of(struct items *, const struct log *, const struct run *);
bool items_next(struct items *, struct item *);
size_t items_bytes(struct items *, uint8_t bytes[LOG_LINE_MAX]);
uint64_t item_records(const struct item *);
