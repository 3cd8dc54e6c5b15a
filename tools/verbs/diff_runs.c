/*
 * The runs that two logs both have, compared record by record.
 *
 * Records are compared in their portable form, since addresses differ from machine to
 * machine; of two rings that are not equally deep what both can hold.
 */
#include "diff.h"

#include <stdlib.h>
#include <string.h>

#include "beyond.h"
#include "heap.h"
#include "portable.h"
#include "unfold.h"

const char diff_names[] = "AB";

/* The records of a run, their ends as tagged offsets. */
struct portable_source {
    struct source source;
    struct unfold unfold;
    bool stops;
    uint64_t skip, given;
};

/* What a stop knows of its Jcc stands where a record has its FROM. */
static void as_transfer(const struct branch *portable, bool stop, struct transfer *out)
{
    out->from = !stop ? portable->from : portable->info ? portable->info : BRANCH_UNKNOWN;
    out->to = portable->to;
    out->kind = KIND_NONE;
}

static bool portable_next(struct source *source, struct transfer *out)
{
    struct portable_source *p = (struct portable_source *)source;
    struct branch record, portable;

    do
        if (!p->unfold.records.next(&p->unfold.records, &record))
            return false;
    while (p->given++ < p->skip);
    if (!portable_from(&p->unfold.map, &record, &portable))
        portable = record;
    as_transfer(&portable, p->stops, out);
    return true;
}

static void portable_rewind(struct source *source)
{
    struct portable_source *p = (struct portable_source *)source;

    p->unfold.records.rewind(&p->unfold.records);
    p->given = 0;
}

/* Field by field: the half megabyte of `unfold` need not be zero. */
static void portable_of(struct portable_source *p, const struct log *log,
                        const struct run *run, uint64_t skip)
{
    p->source = (struct source){ portable_next, portable_rewind };
    p->stops = run->method->stops;
    p->skip = skip;
    unfold_of(&p->unfold, log, run);
    portable_rewind(&p->source);
}

/* A workload from the stick is another object in each log. */
static bool same_workload(const struct workload *a, const struct workload *b)
{
    return a == b || (strcmp(a->name, b->name) == 0 && a->size == b->size &&
                      memcmp(a->code, b->code, a->size) == 0);
}

static bool same_run(const struct run *a, const struct run *b)
{
    return a->method == b->method && a->processor == b->processor &&
           a->filter == b->filter && same_workload(a->workload->own, b->workload->own);
}

const struct run *diff_run_like(const struct log *log, const struct log *own,
                                const struct run *run)
{
    size_t before = 0;

    for (const struct run *r = own->runs; r < run; r++)
        before += same_run(r, run);
    for (size_t i = 0; i < log->run_count; i++)
        if (same_run(&log->runs[i], run) && before-- == 0)
            return &log->runs[i];
    return NULL;
}

/* Where interrupts come late, which branches are missing differs from boot to boot. */
static bool has_gaps(const struct run *a, const struct run *b)
{
    return !a->method->pieces && (a->gaps || b->gaps);
}

static void compare_records(struct comparison *c, struct both *both)
{
    const struct run *a = both->run[A], *b = both->run[B];
    struct portable_source left, right;
    const struct compared in_a = { &left.source, c->log[A], a, true };
    const struct compared in_b = { &right.source, c->log[B], b, true };
    const struct found_difference *f;
    struct unconfirmed_rule unconfirmed_rule;
    char *doubt;

    if (run_is_full(b) && a->records > b->records)
        both->skip[A] = a->records - b->records;
    if (run_is_full(a) && b->records > a->records)
        both->skip[B] = b->records - a->records;
    portable_of(&left, c->log[A], a, both->skip[A]);
    portable_of(&right, c->log[B], b, both->skip[B]);
    unconfirmed_rule = check_beyond(&in_b, &in_a); /* B as if it had to be A */
    if (unconfirmed_rule.certain.d.class == SAME && unconfirmed_rule.unconfirmed_rules == 0)
        return;
    if (has_gaps(a, b)) {
        both->differs = both->measured = true;
        both->what = format_text("not compared: late interrupts left %llu gaps in A, %llu "
                                 "in B",
                                 (unsigned long long)a->gaps, (unsigned long long)b->gaps);
        return;
    }
    both->measured = unconfirmed_rule.certain.d.class == SAME;
    f = both->measured ? &unconfirmed_rule.unconfirmed : &unconfirmed_rule.certain;
    both->differs = both->shows_records = true;
    both->index[A] = f->want;
    both->index[B] = f->got;
    doubt = doubt_text(&unconfirmed_rule);
    both->what = format_text("record %llu (%s in B)%s", (unsigned long long)f->want + 1,
                             check_class_name(f->d.class), doubt);
    free(doubt);
}

static const char *window_exit(const struct run *run)
{
    static const char *const endings[] = { "ends",
                                           "crashes",
                                           "has more events than room",
                                           "does not end in time",
                                           "is a livelock",
                                           "does not come back" };

    return endings[run->outcome];
}

static void differ(struct both *both, char *what)
{
    free(both->what); /* of what was measured */
    both->what = what;
    both->measured = false;
}

static void compare_ends(struct both *both)
{
    const struct run *a = both->run[A], *b = both->run[B];

    if (a->lost != b->lost)
        differ(both, format_text("A lost %llu records, B %llu", (unsigned long long)a->lost,
                                 (unsigned long long)b->lost));
    else if (a->result != b->result)
        differ(both,
               format_text("A returned 0x%llx, B 0x%llx", (unsigned long long)a->result,
                           (unsigned long long)b->result));
}

/* Samples of one event, or at one period, are no samples of another. */
static char *asked_otherwise(const struct run *a, const struct run *b)
{
    const struct drained *x = &a->drained, *y = &b->drained;

    if (!(a->method->sampled || a->method->pieces) ||
        (x->event == y->event && x->umask == y->umask && x->period == y->period))
        return NULL;
    return format_text("not compared: A sampled event=0x%llx/0x%llx period=%llu, B "
                       "event=0x%llx/0x%llx period=%llu",
                       (unsigned long long)x->event, (unsigned long long)x->umask,
                       (unsigned long long)x->period, (unsigned long long)y->event,
                       (unsigned long long)y->umask, (unsigned long long)y->period);
}

static void compare_runs(struct comparison *c, struct both *both)
{
    const struct run *a = both->run[A], *b = both->run[B];

    if (a->skipped && b->skipped)
        return;
    if (a->skipped != b->skipped) {
        const int side = a->skipped ? A : B;
        char *why = skip_sentence(c->log[side], both->run[side]);

        both->what = format_text("skipped in %c: %s", diff_names[side], why);
        free(why);
    } else if (a->outcome != b->outcome) {
        both->what = format_text("A %s, B %s", window_exit(a), window_exit(b));
    } else if (!(both->what = asked_otherwise(a, b))) {
        compare_records(c, both);
        if (!both->differs || both->measured)
            compare_ends(both);
    }
    both->differs = both->what != NULL;
}

void diff_compare(struct comparison *c)
{
    for (size_t i = 0; i < c->log[A]->run_count; i++) {
        struct both both = { .run = { &c->log[A]->runs[i] } };

        both.run[B] = diff_run_like(c->log[B], c->log[A], both.run[A]);
        if (!both.run[B])
            continue;
        compare_runs(c, &both);
        c->same += !both.differs;
        c->measured += both.measured;
        c->differ += both.differs && !both.measured;
        c->both = grow(c->both, &c->capacity, c->count, sizeof(both));
        c->both[c->count++] = both;
    }
}

void diff_free(struct comparison *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->both[i].what);
    free(c->both);
}
