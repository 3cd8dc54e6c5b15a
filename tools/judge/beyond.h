/*
 * check() that continues past a difference which rests on an unconfirmed rule.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "check.h"
#include "parsed.h"
#include "rule.h"
#include "transfers.h"
#include "expected.h"

/* The indices of records at which a rule that is not confirmed accounts for a difference;
 * they are freed by who has the struct. */
struct disputed {
    uint64_t *at;
    size_t count, capacity;
};

void note_disputed(struct disputed *, uint64_t at); /* none if it is NULL */

struct compared {
    struct transfer_list list;
    const struct log *log;
    const struct run *run; /* whose records they are, or whose they should be */
    bool portable;         /* its ends are tagged offsets                     */
};
struct found_difference {
    struct difference d;
    uint64_t got, want;      /* the index on either side         */
    const struct rule *rule; /* that it rests on, if unconfirmed; or NULL */
};
struct beyond_result {
    struct found_difference certain;     /* the first certain one; class SAME if none */
    struct found_difference unconfirmed; /* the first unconfirmed one, if any    */
    uint64_t unconfirmed_count;
    uint64_t untaken_lost;        /* untaken.h: stops that hits have taken away     */
    const struct rule *at_random; /* that accounts for one wrong record, or NULL... */
    const char *how;              /* ...in words                                    */
};
/* The last gets the index of each record that a rule disputes; or NULL. */
struct beyond_result check_beyond(struct compared *got, struct compared *want,
                                  struct disputed *);
/*
 * The same; an erratum may also account for one of the records, which came at random.
 * `first`: which of the run's records differs first, from 1.
 */
struct beyond_result check_beyond_one(struct compared *got, struct compared *want,
                                      uint64_t first, struct disputed *);
/* "NAME is derived: SENTENCE" */
char *rule_text(const struct rule *, const struct rule_place *);
/* ", and 2 more such records"; "" of a certain difference. */
char *more_text(const struct beyond_result *);
