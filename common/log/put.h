/*
 * Writes the lines of the log: a line is begun, filled, sealed and handed to the sink.
 * Kernel and host program write with it, so that a log looks the same whoever wrote it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "branch.h"
#include "info.h"
#include "lines.h"
#include "log.h"
#include "method_facts.h"
#include "pack.h"
#include "text.h"
#include "workload.h"

extern struct text put_line; /* the one that is being written */
extern struct log_map
    put_map; /* of the run that is being written, and the image at all times */

#define PUT_ROOM (LOG_LINE_MAX - 24) /* characters of a line's body, before the trailer */

/* Takes a line without its line end; its first `body` characters precede the trailer. */
typedef void put_sink(const struct text *line, size_t body);
void put_to(put_sink *); /* begins a log */

/*
 * A line: by its row of fields from the struct of lines.h.  put_open() does not end it;
 * NULL: the word alone.
 */
void put(enum log_line, const void *line);
void put_open(enum log_line, const void *line);
void put_finish(void);

/* For what has no field of its own: a key before its value, and ` xN` at the end. */
void put_key(const char *key);
void put_times(uint64_t times);

/* Bytes in base64, a line of `word` for each 144 of them. */
void put_base64(enum log_line, const uint8_t *bytes, size_t size);

/* put_workload.c: a workload in memory, with its labels and code. */
void put_workload(const struct workload *);

/* put_plan.c: the plan, name by name: the methods, then the workloads, then its end. */
void put_plan_method(const char *name);
void put_plan_workload(const char *name, size_t index, size_t runs);
void put_plan_filter(uint32_t filter); /* after the workloads, if there are any */
void put_plan_end(void);

/* put_records.c.  Memory for packing a long trace. */
struct packing {
    struct pack *state;
    uint8_t *bytes, *kept; /* kept: what earlier runs of a workload left */
    size_t capacity, kept_capacity;
};

/* Before the first records. */
void put_records_init(const struct packing *);

/* The records of run `number`, whose workload put_map has. */
void put_records(const struct method_facts *, size_t number, const struct branch *,
                 size_t count);

/* What the records hold beside FROM and TO: these words (INFO_HAS), after put_records(). */
void put_infos(uint32_t words, const struct info *, size_t count);

/* The packets of a run instead of records, and the status register after them. */
void put_packets(const uint8_t *packets, size_t bytes, uint64_t status);
