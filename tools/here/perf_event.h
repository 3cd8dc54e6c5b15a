/*
 * Opens events of perf_event_open(2) for this thread's own code in ring 3, and reads their
 * buffers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "attempt.h"

/* An event that counts nothing until a gate enables it. */
struct perf_event {
    int fd;
    struct perf_event_mmap_page *page; /* and after it the buffer; NULL: none */
    const uint8_t *aux;                /* or NULL */
};

/* False after noting in the attempt what was refused.  `aux`: bytes of an AUX buffer. */
bool perf_event_open_own(struct perf_event *, struct perf_event_attr *, bool buffer,
                         size_t aux, struct attempt *);
void perf_event_close(struct perf_event *);

/*
 * Calls the code with the event enabled.  Notes the result, the ticks, and whether the
 * thread was switched out meanwhile.
 */
void perf_event_call(const struct perf_event *, struct attempt *,
                     const struct traced_code *);

/* The next record of the buffer from *at on, whole, or NULL. */
#define PERF_EVENT_RECORD_MAX 8192
const struct perf_event_header *perf_event_next(const struct perf_event *, uint64_t *at,
                                                void *room);
