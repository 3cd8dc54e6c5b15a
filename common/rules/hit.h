/*
 * A run is hit if a system-management interrupt (SMI) or a stray non-maskable interrupt
 * (NMI) arrives during it.  hits.c says which records a hit accounts for, and how many.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "rule.h"

static inline bool hit_by_any(uint64_t smis, uint64_t nmis)
{
    return smis || nmis;
}

/* The most records that one handler adds (chosen: an SMI's belongs to the firmware). */
#define HIT_RECORDS_MAX 16
/* At most one SMI arrives in this many records (chosen: one a millisecond is many). */
#define HIT_RECORDS_APART 1000
/* A hit takes this many ticks at least (chosen: RSM and IRETQ alone take more clocks). */
#define HIT_TICKS_LEAST 64

/*
 * The records of a run without those of handlers.  An NMI's handler is in the kernel, and
 * an SMI's outside all known code.
 */
struct unhit {
    struct source source;
    struct source *of;
    const struct rule_run *run;
    uint64_t foreign;      /* records of handlers, since the last rewind      */
    uint64_t by_smi;       /* places with some of an SMI's...                  */
    uint64_t by_nmi;       /* ...and with an NMI's alone                       */
    uint64_t in_a_row;     /* up to here                                       */
    uint64_t most;         /* in one place                                     */
    uint64_t kept;         /* records of none, since the last rewind           */
    uint64_t in_gates;     /* places that end in the gate of a method's own interrupt */
    uint64_t out_of_gates; /* places that begin there, after recording went on     */
    struct unhit_row {
        uint64_t from, to; /* where it begins and ends                         */
        uint64_t last;     /* FROM of its newest record                        */
        bool is_cut;       /* what precedes it may be missing                   */
        bool is_entered;   /* from the workload, and did not return there yet   */
        bool is_astray;    /* entered or left where the workload cannot be then */
    } row;
    bool row_is_of_smi;
    uint64_t reached; /* where the workload was last                                   */
    bool is_torn;     /* handlers in one place came from nowhere, or do not return     */
};
void unhit_of(struct unhit *, const struct rule_run *, struct source *got);

/*
 * True if some were left out, and the hits account for them, once all were taken.  `at`:
 * the first record that differs, from 1, as the log of the tries should have it.
 */
bool unhit_is_bounded(const struct unhit *, uint64_t at);

/* The same: if the ends of handlers are to be seen, and are not as they should be. */
bool unhit_is_torn(const struct unhit *);

/* A source after its first records. */
struct later {
    struct source source;
    struct source *of;
    uint64_t skip;
};
struct later later_of(struct source *, uint64_t skip);

/* Both sides without the records of handlers, and without what those pushed out. */
struct hit_rest {
    struct rule_run run;
    struct unhit got;
    struct later want;
};

/* False if there are no records of handlers, or the hits do not account for them. */
bool hit_leaves_out(struct hit_rest *, const struct rule_run *, uint64_t at,
                    struct source *got, struct source *want);

/* True if an end is neither in the workload nor in the window; and if the kernel has it. */
bool hit_is_foreign(const struct rule_run *, uint64_t end);
bool hit_is_in_kernel(const struct rule_run *, uint64_t end);

/* True if more tries differ at one record than do by chance. */
bool hit_tries_are_alike(const struct tries *);

/* True if every try differed, the last one at this record, and not all at one. */
bool hit_tries_at_random(const struct rule_run *, uint64_t at);

/* How many SMIs account for something in the run, and in any as long, counted or not. */
uint64_t hit_smis_max(const struct rule_run *);
uint64_t hit_smis_ever(const struct rule_run *);

/* How many debug traps the hits may have taken away. */
uint64_t hit_traps_max(const struct rule_run *, uint64_t at);

/* Counts the stops that `got` lacks, up to `most`; `most` + 1 also if all else differs. */
uint64_t hit_count_lost(const struct rule_run *, struct source *got, struct source *want,
                        uint64_t most);

/* How many events a counter may have counted in handlers. */
uint64_t hit_events_max(const struct rule_run *);

/* True if the rule is one of hits.c. */
bool hit_is_rule(const struct rule *);

/* The rule of what hit this run, if it can account for a difference at `at`; or NULL. */
const struct rule *hit_rule(const struct rule_run *, uint64_t at);
