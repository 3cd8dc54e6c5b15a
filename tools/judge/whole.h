/*
 * The packed expected trace of a workload of this program, unpacked once and kept, since
 * every run asks for it again.  Its memory is that of the programs in C, and does not grow
 * with the log.
 */
#pragma once

#include "parsed.h"
#include "expected.h"

struct whole {
    struct source source;
    const struct transfer *at; /* all of them */
    uint64_t count, next;
    uint64_t skip;  /* the first ones that are not given: the next rewind() heeds it */
    uint32_t kinds; /* a bit for each kind that is among them */
};

/* False: it is not packed, or the log brought it. */
bool whole_of(struct whole *, const struct log *, const struct loaded *);

/* True if this method records every one of them with that filter. */
bool whole_is_seen(const struct whole *, const struct method_facts *,
                   const struct record_filter *);
