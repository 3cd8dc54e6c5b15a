/*
 * A processor that tries facilities and makes runs: what it is, what was found on it, and
 * its buffers.
 */
#pragma once

#include "cpu.h"
#include "emit.h"
#include "facilities.h"
#include "memory.h"
#include "method.h"

struct worker {
    struct cpu cpu;
    struct facilities found;
    struct buffers buffers;
    struct left_line left;      /* what the firmware left on, for the log           */
    uint64_t lbr_ctl, rtit_ctl; /* the same, to put it back; rtit_ctl 0: it was off */
};

#define BTS_RECORDS (64 * 1024ull) /* in BTS's buffer, where no option says otherwise */

/* Takes the rest of this memory for its buffers, as the options ask for them. */
void worker_take_buffers(struct worker *, struct memory *, const struct options *);

/*
 * On the processor itself, when it is taken for the first time: finds out what it is, turns
 * off what the firmware left on and notes it, and prepares for the firmware's SMIs.
 */
void worker_identify(struct worker *);

/*
 * Turns off the recorders that are not in DEBUGCTL, and puts them back as they were. Before
 * worker_identify() no such recorder is known.
 */
void worker_stop_recorders(struct worker *);
void worker_restore_recorders(const struct worker *);
