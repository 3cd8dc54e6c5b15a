/*
 * Compares the runs that two logs both have, record by record.
 *
 * Records are compared in their portable form, since addresses differ from machine to
 * machine.  Of two LBR stacks of different depth, only the records that both can hold are
 * compared.
 */
#include "diff_runs.h"

#include <stdlib.h>
#include <string.h>

#include "beyond.h"
#include "heap.h"
#include "portable.h"
#include "transfers.h"
#include "unconfirmed.h"

const char diff_names[] = "AB";

/* `from` of a stop says what the stop knows of its Jcc. */
static struct transfer as_transfer(const struct branch *portable, bool stop)
{
    return (struct transfer){ !stop            ? portable->from
                              : portable->info ? portable->info
                                               : BRANCH_UNKNOWN,
                              portable->to, KIND_NONE };
}

/*
 * Lists the records of a run after the first `skip`, with tagged offsets as their ends.
 */
static struct transfer_list portable_records(const struct log *log, const struct run *run,
                                             uint64_t skip)
{
    const struct log_map map = map_of(log, run->workload);
    const struct run_records records = run_records(log, run);
    struct transfer *all = zeroed(records.count + 1, sizeof(*all));
    uint64_t count = 0;

    for (uint64_t i = skip; i < records.count; i++) {
        struct branch portable;

        if (!portable_from(&map, &records.at[i], &portable))
            portable = records.at[i];
        all[count++] = as_transfer(&portable, run->method->stops);
    }
    return list_of(all, 0, count);
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

/* Where interrupts come late, the missing branches differ from boot to boot. */
static bool has_gaps(const struct run *a, const struct run *b)
{
    return !a->method->sampled_windows && (a->gaps || b->gaps);
}

static void compare_records(struct log_comparison *c, struct both *both)
{
    const struct run *a = both->run[A], *b = both->run[B];
    struct compared in_a, in_b;
    const struct found_difference *f;
    struct beyond_result result;
    struct rule_place place;
    const char *doubt;

    if (run_is_full(b) && a->records > b->records)
        both->skip[A] = a->records - b->records;
    if (run_is_full(a) && b->records > a->records)
        both->skip[B] = b->records - a->records;
    in_a = (struct compared){ portable_records(c->log[A], a, both->skip[A]), c->log[A], a,
                              true };
    in_b = (struct compared){ portable_records(c->log[B], b, both->skip[B]), c->log[B], b,
                              true };
    result = check_beyond(&in_b, &in_a, NULL); /* compares B as if A were expected */
    list_free(&in_a.list);
    list_free(&in_b.list);
    if (result.certain.d.class == SAME && result.unconfirmed_count == 0)
        return;
    if (has_gaps(a, b)) {
        both->differs = both->measured = true;
        both->what = scratch_text("not compared: late interrupts left %llu gaps in A, %llu "
                                  "in B",
                                  (unsigned long long)a->gaps, (unsigned long long)b->gaps);
        return;
    }
    both->measured = result.certain.d.class == SAME;
    f = both->measured ? &result.unconfirmed : &result.certain;
    both->differs = both->shows_records = true;
    both->index[A] = f->want;
    both->index[B] = f->got;
    place = rule_place_of(b);
    doubt = f->rule ? scratch_take(rule_text(f->rule, &place)) : "";
    both->what = scratch_text("record %llu (%s in B)%s%s%s",
                              (unsigned long long)f->want + 1, check_class_name(f->d.class),
                              scratch_take(more_text(&result)), *doubt ? "; " : "", doubt);
}

static const char *ending_text(const struct run *run)
{
    static const char *const endings[] = { "ends",
                                           "crashes",
                                           "has too many events to record",
                                           "does not end in time",
                                           "is a livelock",
                                           "does not come back" };

    return endings[run->ran.outcome];
}

static void differ(struct both *both, const char *what)
{
    both->what = what;
    both->measured = false;
}

static void compare_ends(struct both *both)
{
    const struct run *a = both->run[A], *b = both->run[B];

    if (a->ran.lost != b->ran.lost)
        differ(both,
               scratch_text("A lost %llu records, B %llu", (unsigned long long)a->ran.lost,
                            (unsigned long long)b->ran.lost));
    else if (a->ran.result.value != b->ran.result.value)
        differ(both, scratch_text("A returned 0x%llx, B 0x%llx",
                                  (unsigned long long)a->ran.result.value,
                                  (unsigned long long)b->ran.result.value));
}

/* Samples of different events, or at different periods, cannot be compared. */
static const char *asked_otherwise(const struct run *a, const struct run *b)
{
    const struct run_line *x = &a->asked, *y = &b->asked;

    if (!(a->method->sampled || a->method->sampled_windows) ||
        (x->event.event == y->event.event && x->event.umask == y->event.umask &&
         x->period == y->period))
        return NULL;
    return scratch_text("not compared: A sampled event=0x%x/0x%x period=%llu, B "
                        "event=0x%x/0x%x period=%llu",
                        x->event.event, x->event.umask, (unsigned long long)x->period,
                        y->event.event, y->event.umask, (unsigned long long)y->period);
}

static void compare_runs(struct log_comparison *c, struct both *both)
{
    const struct run *a = both->run[A], *b = both->run[B];

    if (a->skipped && b->skipped)
        return;
    if (a->skipped != b->skipped) {
        const int side = a->skipped ? A : B;

        both->what = scratch_text("skipped in %c: %s", diff_names[side],
                                  scratch_take(skip_sentence(both->run[side])));
    } else if (a->ran.outcome != b->ran.outcome) {
        both->what = scratch_text("A %s, B %s", ending_text(a), ending_text(b));
    } else if (!(both->what = asked_otherwise(a, b))) {
        compare_records(c, both);
        if (!both->differs || both->measured)
            compare_ends(both);
    }
    both->differs = both->what != NULL;
}

void diff_compare(struct log_comparison *c)
{
    for (size_t i = 0; i < c->log[A]->run_count; i++) {
        struct both both = { .run = { &c->log[A]->runs[i] } };

        both.run[B] = diff_run_like(c->log[B], c->log[A], both.run[A]);
        if (!both.run[B])
            continue;
        compare_runs(c, &both);
        records_free(both.run[A], NULL);
        records_free(both.run[B], NULL);
        c->same += !both.differs;
        c->measured += both.measured;
        c->differ += both.differs && !both.measured;
        c->both = grow(c->both, &c->capacity, c->count, sizeof(both));
        c->both[c->count++] = both;
    }
}

void diff_free(struct log_comparison *c)
{
    free(c->both);
}
