/*
 * The state of one boot between kernel_open() and kernel_close(), and the machine,
 * which is borrowed for one piece of work at a time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "emit.h"
#include "handoff.h"
#include "history.h"
#include "memory.h"
#include "worker.h"

#define CONSOLE_SIZE (16 * 1024ull) /* of an answer: room for what `log` shows */
#define SCREEN_SIZE  (16 * 1024ull)

struct session {
    const struct handoff *handoff;
    struct memory memory;
    struct worker bsp; /* whose buffers.filter is that of the run at hand */
    struct packing
        packing; /* the self-check uses its `state` too, never at the same time */
    char *log, *screen, *console;
    uint64_t stack;
    struct end_line totals;
    struct history history;
    unsigned tried;          /* methods, by their index, that were once run */
    bool saved_for_all_runs; /* the log ends with `try runs`                */
    bool remembered;         /* the log has what the history tells          */
    bool kept_risky;         /* a command wrote an MSR that is not harmless */
    bool lost;               /* the log was not saved, and that was said    */
    bool lost_processor;     /* one did not come back                       */
    bool bundles_logged;     /* the log has those, and these workloads:     */
    bool filtered;           /* the plan has filters                        */
    bool *logged;            /* one for each of workloads_next()           */
};

/*
 * Loads the workloads, and takes memory for the machine's own tables and the screen.  The
 * machine is still the firmware's.  Memory for other processors is to be taken next.
 */
void session_begin(struct session *, const struct handoff *);

/* Shares the rest of the memory out, and begins the log. */
void session_share(struct session *);

/*
 * Takes the machine, runs the piece on the kernel's own stack, and gives the machine back.
 * As often as there are pieces: nothing is used up.
 */
void session_borrow(struct session *, void (*piece)(struct session *));

/*
 * Takes the machine for the first time, step by step, and gives it back after each.  The
 * log is saved before each and before what the caller does next, so that a log which ends
 * there names the step.
 */
void session_try_taking(struct session *);

/* In a piece: gives the machine back and takes it again. */
void session_cycle(struct session *);

/*
 * In a piece: the same, and in between the firmware saves the log as it is.  Returns false
 * if it did not: there may be no firmware left, or no volume.
 */
bool session_checkpoint(struct session *);

/*
 * Call it before what may kill the machine.  Returns NULL if it may be tried: then the log
 * is saved, and its last line names the subject.  Otherwise an earlier boot died of it:
 * returns the name of that boot's log.
 */
const char *session_try(struct session *, const char *subject);
