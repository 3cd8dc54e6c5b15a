/*
 * The limits of a method on a model, each with its source and how far that is to be
 * trusted.
 */
#pragma once

#include "method_facts.h"
#include "model.h"

/* The limits that hold for a method on a model, for `everybranch expect`. */
struct limit {
    const char *what, *source, *confidence;
    enum {
        LIMIT_OF_ALL,        /* or of no single record                             */
        LIMIT_OF_EACH,       /* of every single record                             */
        LIMIT_OF_RESUMING,   /* of what comes before and after a handler's IRET    */
        LIMIT_OF_CLEARED_TF, /* ...and after a POPF that clears TF                */
        LIMIT_OF_UNTAKEN,    /* of a stop after a branch that was not taken          */
        LIMIT_OF_HANDLERS,   /* of a stop at the entry of a handler                  */
        LIMIT_OF_DB,         /* of the entry of #DB                                */
        LIMIT_OF_STRINGS,    /* of repeated string instructions                    */
        LIMIT_OF_STRUCK,     /* ...and of an interrupt that strikes in one         */
        LIMIT_OF_LAYOUT,     /* of every end, as the model's row says it is read      */
        LIMIT_OF_EVENTS,     /* of a record that is itself an event's                 */
        LIMIT_OF_SOFTWARE,   /* of any record, if the last event is INT n, INT3, INTO */
        LIMIT_OF_JUMPS,      /* of calls and returns, where jumps are left out        */
        LIMIT_OF_RETURNED,   /* of calls that have returned, in call-stack mode       */
        LIMIT_OF_CROSSING,   /* ...of a branch from one ring to another              */
        LIMIT_OF_FUSION,     /* of a FROM that lies before its branch                */
        LIMIT_OF_INSERTS,    /* of the count of records, and of no record            */
    } of;                    /* which records it speaks of                         */
};

/* Rules of the counter of LBR inserts: it counts what is recorded, and that alone. */
enum inserts_rule { INSERTS_OF_RECORDS, INSERTS_OF_NOTHING_ELSE, INSERTS_RULES };
extern const struct limit inserts_limits[INSERTS_RULES];

size_t limits_of_method(const struct method_facts *, const struct model *,
                        struct limit *out, size_t capacity);

/*
 * Adds the limits of this filter to `out`, as limits_of_method() adds those of the method.
 */
size_t record_filter_limits(const struct method_facts *, const struct model *,
                            uint32_t filter, struct limit *out, size_t capacity);
