/*
 * The handlers in the expected trace of a workload.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "expected.h"

struct event {
    enum kind kind;
    uint64_t from, entry, iret, to; /* where it struck, its handler, and the return */
    bool nested;                    /* in a handler, where TF is clear */
};
struct events {
    struct event at[32];
    size_t count;
    struct transfer unseen[32]; /* by who steps: POPF had cleared TF */
    size_t unseen_count;
    /*
     * From a SYSCALL that masks TF until after the SYSRET that loads TF there is no stop.
     * The stop then has the SYSCALL as FROM with `step`, and the SYSRET in a record.
     */
    struct leap {
        uint64_t syscall, sysret, to;
    } leaps[8];
    size_t leap_count;
    uint64_t masked;    /* the newest such SYSCALL */
    uint64_t before_db; /* transfers before a #DB that the workload takes; or all */
};
/*
 * Those of a workload that lies at `at`, called at `call`, from where it returns to `back`;
 * tf_before: as in struct platform.
 */
void events_of(struct events *, const struct workload *, uint64_t at, uint64_t call,
               uint64_t back, bool tf_before);
const struct event *event_from(const struct events *, uint64_t from);
