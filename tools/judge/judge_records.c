/*
 * Compares the records of a run with the visible trace of its workload on this model.
 *
 * A difference on silicon that rests on an unconfirmed rule alone is MEASURED, which is
 * neither PASS nor FAIL, and the records after it are judged as usual.  On an emulator,
 * which was written from that rule, it is a failure.
 */
#include "judge_parts.h"

#include <stdlib.h>

#include "beyond.h"
#include "context.h"
#include "unconfirmed.h"
#include "heap.h"
#include "unfold.h"
#include "whole.h"

#define RING_SHIFT_MAX 8   /* records that a ring may be off by, when looked for */
#define ROTATION_MAX   256 /* the deepest ring that is looked at for a wrong TOS  */

struct comparison {
    const struct log *log;
    const struct run *run;
    struct got got;
    struct whole whole;       /* the expected trace, of which `visible` shows a part... */
    struct expected expected; /* or this one                                */
    struct pack unpack;
    struct visible visible;
    struct source *want; /* the visible trace, or `whole` without what is skipped */
    uint64_t skip;
};

/* Fields are set one by one, since a megabyte of it need not be zero. */
static void compare_from(struct comparison *c, const struct log *log, const struct run *run,
                         uint64_t keep)
{
    const struct loaded *loaded = run->workload;
    const struct record_filter record_filter = run_record_filter(log, run);
    struct source *expected = &c->expected.source;

    c->log = log;
    c->run = run;
    got_of(&c->got, c->log, c->run);
    c->want = &c->visible.source;
    if (whole_of(&c->whole, log, loaded))
        expected = &c->whole.source;
    else
        expected_of(&c->expected, loaded->own, loaded->at, log->call, log->back,
                    &c->unpack);
    if (expected == &c->whole.source &&
        whole_is_seen(&c->whole, run->method, &record_filter)) {
        c->want = expected;
        c->skip = keep && c->whole.count > keep ? c->whole.count - keep : 0;
        return;
    }
    visible_through(&c->visible, expected, run->method, keep, record_filter);
    c->skip = c->visible.skip;
}

/* Rewinds both, and then skips this many wanted transfers. */
static void rewind_both(struct comparison *c, uint64_t skip)
{
    *(c->want == &c->visible.source ? &c->visible.skip : &c->whole.skip) = skip;
    c->got.recorded.source.rewind(&c->got.recorded.source);
    c->want->rewind(c->want);
}

/* Kinds do not tell where the two differ, and finding them would double the cost. */
static struct difference compare(struct comparison *c, uint64_t skip)
{
    struct difference d;

    rewind_both(c, skip);
    c->got.recorded.kinds_unasked = true;
    d = check(&c->got.recorded.source, c->want);
    c->got.recorded.kinds_unasked = false;
    return d;
}

/* A full ring that lost or doubled a record is right again from some other start. */
static uint64_t best_skip(struct comparison *c, uint64_t skip, uint64_t index)
{
    uint64_t best = skip;

    for (uint64_t shift = 1; shift <= RING_SHIFT_MAX; shift++)
        for (int later = 0; later <= 1; later++) {
            uint64_t other = later ? skip + shift : skip - shift, reached;

            if (!later && skip < shift)
                continue;
            reached = compare(c, other).index;
            if (reached > index + shift)
                best = other, index = reached;
        }
    return best;
}

/* From where the comparison before has found that most records are right. */
static struct unconfirmed_rule compare_beyond(struct comparison *c, uint64_t skip)
{
    const struct compared got = { &c->got.recorded.source, c->log, c->run, false };
    const struct compared want = { c->want, c->log, c->run, false };

    rewind_both(c, skip);
    return check_beyond(&got, &want);
}

static size_t collect(struct source *source, struct transfer *out)
{
    size_t count = 0;

    source->rewind(source);
    while (count < ROTATION_MAX && source->next(source, &out[count]))
        count++;
    return count;
}

/* By how many places the records are turned round, all of them right; 0: they are not. */
static size_t rotation(struct comparison *c)
{
    static struct transfer got[ROTATION_MAX], want[ROTATION_MAX];
    size_t count = collect(&c->got.recorded.source, got);

    if (collect(c->want, want) != count || count == ROTATION_MAX)
        return 0;
    for (size_t turn = 1; turn < count; turn++) {
        size_t i = 0;

        while (i < count && got[i].from == want[(i + turn) % count].from &&
               got[i].to == want[(i + turn) % count].to)
            i++;
        if (i == count)
            return turn;
    }
    return 0;
}

/* The line of the record with this index. */
static size_t line_of(struct comparison *c, const struct found_difference *f)
{
    struct source *source = &c->got.recorded.source;
    struct transfer ignored;

    if (f->d.got_ended || c->run->item_count == 0)
        return c->run->end_line;
    source->rewind(source);
    for (uint64_t i = 0; i <= f->got; i++)
        source->next(source, &ignored);
    return c->got.unfold.item.line;
}

static char *side_text(const struct log_map *map, bool ended,
                       const struct transfer *transfer)
{
    return ended ? format_text("nothing more") : transfer_text(map, transfer);
}

static void find_difference(struct comparison *c, struct run *run,
                            const struct unconfirmed_rule *unconfirmed_rule)
{
    const bool is_certain = unconfirmed_rule->certain.d.class != SAME;
    const struct found_difference *f =
        is_certain ? &unconfirmed_rule->certain : &unconfirmed_rule->unconfirmed;
    struct log_map map = map_of(c->log, run->workload);
    char *got = side_text(&map, f->d.got_ended, &f->d.got);
    char *want = side_text(&map, f->d.want_ended, &f->d.want);
    char *doubt = doubt_text(unconfirmed_rule);

    run_found(run, is_certain ? FAIL : MEASURED, line_of(c, f),
              format_text("record %llu: got %s, want %s (%s)%s",
                          (unsigned long long)f->got + 1, got, want,
                          check_class_name(f->d.class), doubt));
    run->context =
        context_of(&(struct compared){ &c->got.recorded.source, c->log, c->run, false },
                   &(struct compared){ c->want, c->log, c->run, false }, f);
    free(got);
    free(want);
    free(doubt);
}

/* Returns how many records the method keeps, less those displaced by the wrong path. */
static uint64_t kept_of(const struct log *log, const struct run *run)
{
    const uint64_t keep = visible_capacity(run->method, log->cpu.row, run->capacity);

    return keep > run->wrong_path ? keep - run->wrong_path : keep;
}

bool may_double_newest(const struct log *log, const struct run *run)
{
    return on_silicon(log) && doubled_concerns(run->method) && log->cpu.row &&
           log->cpu.row->lbr.doubles_newest;
}

/*
 * True if the only difference is a copy of the newest record, which the Skylake family
 * makes.  The emulator makes none outside silicon mode: there a record was lost or doubled.
 */
static bool found_doubled(struct comparison *c, const struct difference *d, struct run *run)
{
    static const char *const said[] = {
        [DOUBLED_ADDED] = "the newest record is there twice, which pushes out the oldest",
        [DOUBLED_INSTEAD] = "a copy of the record before it is in the newest one's place",
    };
    const struct log *log = c->log;

    if (!may_double_newest(log, run))
        return false;
    run->doubled = doubled_of(run->method, d, &c->got.recorded.source, c->want,
                              run->capacity, run->records);
    if (run->doubled == NOT_DOUBLED)
        return false;
    run_found(run, MEASURED, run->end_line,
              format_text("record %llu: %s (the doubled newest record of the Skylake "
                          "family, docs/hardware.md)",
                          (unsigned long long)run->records, said[run->doubled]));
    return true;
}

static bool ring(const struct run *run)
{
    return method_is_ring(run->method);
}

void judge_records(const struct log *log, struct run *run)
{
    const uint64_t keep = kept_of(log, run);
    struct comparison c;
    struct difference d;
    struct unconfirmed_rule unconfirmed_rule;
    uint64_t skip, full;
    size_t turn;

    compare_from(&c, log, run, keep);
    skip = full = c.skip;
    d = compare(&c, skip);
    run->whole = unfold_whole(&c.got.unfold);
    run->fused = c.got.recorded.fused;
    if (d.class == SAME || found_doubled(&c, &d, run))
        return;
    turn = ring(run) ? rotation(&c) : 0;
    if (turn) {
        run_found(
            run, FAIL, run->line,
            format_text(
                "the right records, but turned round by %zu: record 1 should be record "
                "%zu (%s)",
                turn, turn + 1, check_class_name(WRONG_ORDER)));
        return;
    }
    if (ring(run) && skip > 0)
        skip = best_skip(&c, skip, d.index);
    unconfirmed_rule = compare_beyond(&c, skip);
    if (unconfirmed_rule.certain.d.class == SAME &&
        unconfirmed_rule.unconfirmed_rules == 0) /* too few, all of them right */
        unconfirmed_rule = compare_beyond(&c, full);
    find_difference(&c, run, &unconfirmed_rule);
}

/*
 * Judges the branch types in the records' extra information, which alone is the same in
 * each run.  The records themselves were found to be right.
 */
void judge_types(const struct log *log, struct run *run)
{
    const uint64_t keep = kept_of(log, run);
    struct comparison c;
    struct transfer want;

    compare_from(&c, log, run, keep);
    rewind_both(&c, c.skip);
    for (size_t i = 0; i < run->info_count && c.want->next(c.want, &want); i++) {
        enum info_type got = run->infos[i].info.values[INFO_TYPE];

        if (got == info_type_of(want.kind))
            continue;
        run_found(run, FAIL, run->infos[i].line,
                  format_text("record %zu: got type=%s, want type=%s (wrong type)", i + 1,
                              info_types[got], info_types[info_type_of(want.kind)]));
        return;
    }
}
