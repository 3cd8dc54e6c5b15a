/*
 * The expected trace of a workload, as it lay in the machine of a log.
 *
 * That of a program in C is packed.  It is unpacked once for each program and kept, since
 * every run asks for it: its memory does not grow with the log.
 */
#pragma once

#include "events.h"
#include "expected.h"
#include "parsed.h"
#include "transfers.h"

struct expected_trace {
    struct source *source; /* one of these: */
    struct expected rows;
    struct transfer_list kept; /* of a program in C... */
    uint32_t kinds;            /* ...and a bit for each kind in it; else 0 */
};

/* The struct must stay where it is. */
struct source *expected_trace_of(struct expected_trace *, const struct log *,
                                 const struct loaded *);

/* The handlers in that of a run. */
void events_in(struct events *, const struct log *, const struct run *);

/* True if it is kept and this method records all of it, so that no view is needed. */
bool is_all_visible(const struct expected_trace *, const struct method_facts *,
                    const struct record_filter *);
