/*
 * The records of a run, folded as fold_next() folds them in an array, while they come.
 *
 * Each record is noted with a word that says which of those before it are its equals: bit
 * p - 1 is the one p records back.  A body of p records comes again where that bit stands
 * in p words in a row, so an AND for each record follows all periods at once.
 *
 * fold_next() looks ahead as far as any period goes on, which may be to the end of the
 * run.  The window need not: of two periods that go on for FOLD_REACH records their
 * greatest common divisor goes on too (Fine and Wilf), so by then all that go on are
 * multiples of the least one, they end at the same record, and to count is enough.  The
 * one that is taken covers all but its own remainder, less than FOLD_REACH records.
 */
#include "refold.h"

#include <string.h>

#define SETTLED (2 * FOLD_REACH) /* a period that goes on so far beats all that do not */
#define PERIODS (UINT64_MAX >> (64 - FOLD_REACH))

#define READ_AT_ONCE FOLD_REACH

/*
 * Behind a fold up to SETTLED records that were read are followed once more, before which
 * some may have come to read ahead; forget() needs the newest.
 */
_Static_assert(REFOLD_WINDOW >= SETTLED + READ_AT_ONCE + FOLD_REACH, "none is overwritten");

/* Where this record is noted, or would be: a place with `end` 0. */
static struct refold_seen *seen_of(struct refold *r, const struct branch *record)
{
    uint64_t mixed = (record->from ^ record->to << 20 ^ record->info << 40) *
                     0x9e3779b97f4a7c15ull; /* 2^64 over the golden ratio */

    for (size_t i = mixed >> 32;; i++) {
        struct refold_seen *seen = &r->seen[i % REFOLD_SEEN];

        if (!seen->end || branch_same(&seen->record, record))
            return seen;
    }
}

/* The record at this place of the trace, which is behind all that are noted. */
static uint64_t note(struct refold *r, const struct branch *record, uint64_t at)
{
    struct refold_seen *seen = seen_of(r, record);
    uint64_t back = at + 1 - seen->end;

    if (!seen->end) {
        seen->record = *record;
        seen->equals = 0;
        r->seen_count++;
    } else {
        seen->equals =
            back > FOLD_REACH ? 0 : (seen->equals << 1 | 1) << (back - 1) & PERIODS;
    }
    seen->end = at + 1;
    return seen->equals;
}

/* Those that are too far back to be anyone's equal: all but the newest are noted anew. */
static void forget(struct refold *r)
{
    uint64_t at = r->read < FOLD_REACH ? 0 : r->read - FOLD_REACH;

    memset(r->seen, 0, sizeof(r->seen));
    r->seen_count = 0;
    for (; at < r->read; at++)
        note(r, &r->window[at % REFOLD_WINDOW].record, at);
}

/* Some more; false: there are none. */
static bool read_more(struct refold *r)
{
    struct records *records = &r->unfold->records;
    uint64_t end = r->read + READ_AT_ONCE;

    for (; r->read < end; r->read++) {
        struct refold_noted *noted = &r->window[r->read % REFOLD_WINDOW];

        if (!records->next(records, &noted->record))
            break;
        if (r->seen_count == REFOLD_SEEN / 2)
            forget(r);
        noted->equals = note(r, &noted->record, r->read);
    }
    return r->read > end - READ_AT_ONCE;
}

/* 0 behind the end, as of a record that is like none. */
static uint64_t equals_at(struct refold *r, uint64_t at)
{
    if (at == r->read && !read_more(r))
        return 0;
    return r->window[at % REFOLD_WINDOW].equals;
}

/*
 * Where periods are settled and the log folds what they go through, that goes on to the
 * end of its fold.  Returns how many records were left out.
 */
static uint64_t pass(struct refold *r, uint64_t at, uint64_t settled_for)
{
    if (settled_for <= SETTLED || at < r->read)
        return 0;
    return unfold_pass(r->unfold, SETTLED);
}

/* The periods that match from a place on for once at least, as bits, and how far. */
struct matches {
    uint64_t periods;
    uint64_t length[FOLD_REACH + 1];
};

/* fold_next()'s choice among them; 0: there are none. */
static uint64_t choose(const struct matches *matches, struct fold *out)
{
    uint64_t best = 0;

    for (uint64_t rest = matches->periods; rest; rest &= rest - 1) {
        size_t period = (size_t)__builtin_ctzll(rest) + 1;
        uint64_t times = matches->length[period] / period;

        if (best > 0 && period % out->again == 0)
            continue;
        if (times * period > best) {
            best = times * period;
            *out = (struct fold){ .again = period, .times = times };
        }
    }
    return best;
}

static void note_matches(struct matches *matches, uint64_t periods, uint64_t length)
{
    if (length < FOLD_REACH) /* no period above that has come once */
        periods &= (1ull << length) - 1;
    matches->periods |= periods;
    for (; periods; periods &= periods - 1)
        matches->length[__builtin_ctzll(periods) + 1] = length;
}

/* Whether one that goes on is chosen, or else fold_next() would not ask how far it goes. */
static bool is_chosen(struct matches matches, uint64_t going_on)
{
    struct fold fold;

    note_matches(&matches, going_on, SETTLED);
    choose(&matches, &fold);
    return going_on >> (fold.again - 1) & 1;
}

/* Follows all periods from r->at on.  Returns how many records were left out on the way. */
static uint64_t follow(struct refold *r, struct matches *matches)
{
    uint64_t going_on = equals_at(r, r->at), length = 1, passed = 0;

    matches->periods = 0;
    while (going_on) {
        uint64_t ended;

        passed += pass(r, r->at + length, length);
        ended = going_on & ~equals_at(r, r->at + length);
        if (ended)
            note_matches(matches, ended, length + passed);
        going_on &= ~ended;
        if (length++ == SETTLED && going_on && !is_chosen(*matches, going_on)) {
            note_matches(matches, going_on, SETTLED);
            break;
        }
    }
    return passed;
}

/* How often the record at r->at comes in a row. */
static uint64_t follow_run(struct refold *r, uint64_t *passed)
{
    uint64_t length = 1;

    *passed = 0;
    do
        *passed += pass(r, r->at + length, length);
    while (equals_at(r, r->at + length) & 1 && length++);
    return length + *passed;
}

bool refold_next(struct refold *r, struct branch *record, struct fold *out)
{
    struct matches matches;
    uint64_t covered, passed;

    if (r->at == r->read && !read_more(r))
        return false;
    *record = r->window[r->at % REFOLD_WINDOW].record;
    passed = follow(r, &matches);
    covered = choose(&matches, out);
    if (covered == 0) {
        covered = follow_run(r, &passed);
        *out = (struct fold){ .times = covered };
    }
    r->at += covered - passed;
    return true;
}

void refold_of(struct refold *r, struct unfold *unfold)
{
    r->unfold = unfold;
    r->read = r->at = 0;
    forget(r);
}
