/*
 * Compares the records of a run with the visible trace of its workload on this model.
 *
 * A difference on silicon that rests on an unconfirmed rule alone is MEASURED, which is
 * neither PASS nor FAIL, and the records after it are judged as usual.  On an emulator,
 * which was written from that rule, it is a failure.
 */
#include "judge_parts.h"

#include <stdlib.h>
#include <string.h>

#include "beyond.h"
#include "unconfirmed.h"
#include "heap.h"
#include "hit.h"
#include "expected_trace.h"
#include "untaken.h"

/* The next record in words, which the arena keeps. */
static const char *next_text(struct compared *side, struct arena *memory)
{
    const struct log_map map = map_of(side->log, side->run->workload);
    struct transfer t;

    return side->list.source.next(&side->list.source, &t)
               ? arena_keep(memory, transfer_text(&map, &t))
               : CONTEXT_NONE;
}

/* Adds rows until there are `end`, or neither side has more. */
static void add_rows(struct context *c, size_t end, struct compared *got,
                     struct compared *want, struct arena *memory)
{
    for (; c->count < end; c->count++) {
        const char *row_got = got ? next_text(got, memory) : CONTEXT_NONE;
        const char *row_want = want ? next_text(want, memory) : CONTEXT_NONE;

        if (strcmp(row_got, CONTEXT_NONE) == 0 && strcmp(row_want, CONTEXT_NONE) == 0)
            return; /* a row of nothing is none */
        c->rows[c->count].got = row_got;
        c->rows[c->count].want = row_want;
    }
}

/*
 * The records around a difference, as they are and as they should be.  They are put into
 * words at once, since a run's records are freed once it is judged.
 */
static struct context *context_of(struct compared *got, struct compared *want,
                                  const struct found_difference *f, struct arena *memory)
{
    const enum difference_class class = f->d.class;
    struct context *c = arena_keep(memory, zeroed(1, sizeof(*c)));
    uint64_t before = f->got < f->want ? f->got : f->want;

    if (before > CONTEXT_AROUND)
        before = CONTEXT_AROUND;
    c->got = f->got;
    c->want = f->want;
    c->here = before;
    c->d = f->d;
    c->rule = f->rule;
    got->list.next = got->list.at + f->got - before;
    want->list.next = want->list.at + f->want - before;
    add_rows(c, before, got, want, memory);
    c->differs = f->d.length < CONTEXT_LENGTH ? f->d.length : CONTEXT_LENGTH;
    add_rows(c, before + c->differs, class == LOST ? NULL : got,
             class == EXTRA || class == DOUBLED ? NULL : want, memory);
    if (c->differs == f->d.length)
        add_rows(c, c->count + CONTEXT_AROUND, got, want, memory);
    return c;
}

#define RING_SHIFT_MAX 8   /* records that a ring may be off by, when looked for */
#define ROTATION_MAX   256 /* the deepest ring that is looked at for a wrong TOS  */

struct comparison {
    const struct log *log;
    const struct run *run;
    struct recorded got;
    struct expected_trace expected;
    struct visible visible;
    struct source *want; /* `visible`, or all of `expected` */
    uint64_t skip;       /* transfers before the first one that the method keeps */

    /* In memory, once the two are known to differ. */
    struct compared is, should;
};

static void compare_from(struct comparison *c, const struct log *log, const struct run *run,
                         uint64_t keep)
{
    const struct record_filter record_filter = run_record_filter(run);
    struct source *expected = expected_trace_of(&c->expected, log, run->workload);

    c->log = log;
    c->run = run;
    c->expected.rows.tf_before = run_has_tf_before(run); /* a program in C has no SYSCALL */
    transfers_of(&c->got, log, run);
    if (is_all_visible(&c->expected, run->method, &record_filter)) {
        struct transfer_list *all = &c->expected.kept;

        c->skip = all->at = keep && all->end > keep ? all->end - keep : 0;
        all->source.rewind(&all->source);
        c->want = expected;
        return;
    }
    visible_through(&c->visible, expected, run->method, keep, record_filter);
    c->want = &c->visible.source;
    c->skip = c->visible.skip;
}

/* Takes both sides into memory, `should` with the transfers before those that are kept. */
static void take_both(struct comparison *c)
{
    c->expected.kept.at = c->visible.skip = 0;
    c->is = (struct compared){ list_all(&c->got.source), c->log, c->run, false };
    c->should = (struct compared){ list_all(c->want), c->log, c->run, false };
}

static void free_both(struct comparison *c)
{
    list_free(&c->is.list);
    list_free(&c->should.list);
}

static void skip_wanted(struct comparison *c, uint64_t skip)
{
    struct transfer_list *should = &c->should.list;

    should->at = skip < should->end ? skip : should->end;
}

/* A full ring that lacks a record, or has one too many, is right again from some other
 * start. */
static uint64_t best_skip(struct comparison *c, uint64_t skip, uint64_t index)
{
    struct source *is = &c->is.list.source, *should = &c->should.list.source;
    uint64_t best = skip;

    for (uint64_t shift = 1; shift <= RING_SHIFT_MAX; shift++)
        for (int later = 0; later <= 1; later++) {
            uint64_t other = later ? skip + shift : skip - shift, reached;

            if (!later && skip < shift)
                continue;
            skip_wanted(c, other);
            is->rewind(is);
            should->rewind(should);
            reached = check(is, should).index;
            if (reached > index + shift)
                best = other, index = reached;
        }
    return best;
}

/* Starts where the comparison before has found that most records are right. */
static struct beyond_result compare_beyond(struct comparison *c, uint64_t skip,
                                           struct disputed *disputed)
{
    skip_wanted(c, skip);
    return check_beyond(&c->is, &c->should, disputed);
}

/* True if the ring has room left although the expected trace would fill it: then it has
 * pushed nothing out, and begins where the trace does. */
static bool has_room(const struct comparison *c, uint64_t keep)
{
    return method_is_ring(c->run->method) && c->skip && c->is.list.end < keep &&
           c->should.list.end - c->skip >= keep;
}

/*
 * Where rules account for extra or lost records of a full ring, it begins as much later or
 * earlier.
 */
static void find_other_begin(struct comparison *c, uint64_t keep, struct disputed *disputed,
                             struct beyond_result *result)
{
    const uint64_t from = c->should.list.at; /* of the result so far, for its message */
    const bool from_first = has_room(c, keep);

    for (uint64_t i = 2; i < (from_first ? 3 : 2 * ROTATION_MAX); i++) {
        const uint64_t skip = from_first ? 0 : i & 1 ? c->skip - i / 2 : c->skip + i / 2;

        if (skip < c->should.list.end &&
            compare_beyond(c, skip, NULL).certain.d.class == SAME) {
            *result = compare_beyond(c, skip, disputed);
            return;
        }
    }
    skip_wanted(c, from);
}

/* Returns by how many places the records, all of them right, are rotated; 0: not so. */
static size_t rotation(const struct comparison *c)
{
    const struct transfer *got = c->is.list.of, *want;
    const size_t count = c->is.list.end;

    if (!count || c->should.list.end - c->skip != count || count >= ROTATION_MAX)
        return 0;
    want = c->should.list.of + c->skip;
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

/* `before`: records of handlers that were taken out before the one that differs. */
static void find_difference(struct comparison *c, struct run *run, const char *rule,
                            const struct beyond_result *result, uint64_t before)
{
    const bool is_certain = result->certain.d.class != SAME;
    const struct found_difference *f = is_certain ? &result->certain : &result->unconfirmed;
    struct log_map map = map_of(c->log, run->workload);
    const char *got = scratch_take(side_text(&map, f->d.got_ended, &f->d.got));
    const char *want = scratch_take(side_text(&map, f->d.want_ended, &f->d.want));
    struct finding *found;

    found = run_broke(
        run, is_certain ? rule : f->rule->name,
        f->d.got_ended || !run->lines ? run->end_line
                                      : line_of_transfer(&c->got, run, f->got + before),
        format_text("record %llu: got %s, want %s (%s)%s",
                    (unsigned long long)f->got + before + 1, got, want,
                    check_class_name(f->d.class), scratch_take(more_text(result))));
    found->context = context_of(&c->is, &c->should, f, &run->findings.memory);
}

/* Returns how many records the method keeps, less those displaced by the wrong path; 0:
 * all. */
static uint64_t kept_of(const struct run *run)
{
    const uint64_t keep = visible_capacity(run->method, run->cpu->row, run->capacity);
    const uint64_t displaced = run->capacity - run_capacity(run);

    return keep > displaced ? keep - displaced : keep;
}

/* True if one rule accounts for the records together, or one beside what hit the run. */
static bool found_known(struct comparison *c, const struct difference *d, struct run *run)
{
    const struct rule_run place = rule_run_of(c->log, run);
    const char *how;
    const struct rule *rule = rule_of_all(&place, d, &c->got.source, c->want, &how);

    if (!rule && (rule = rule_beside_hits(&place, d, &c->got.source, c->want, &how)))
        run_found(run, ALLOWED, hit_rule(&place, d->index + 1)->name, run->end_line,
                  format_text("there are also records of handlers"));
    return rule &&
           run_found(run, ALLOWED, rule->name, run->end_line,
                     format_text("record %llu: %s%s", (unsigned long long)run->records, how,
                                 rule == rule_named("lbr-doubled")
                                     ? copy_inserted(c->log, run)
                                     : ""));
}

static bool ring(const struct run *run)
{
    return method_is_ring(run->method);
}

/* Keeps by which rings BTS may have filtered the run, for judge_all_rings(). */
static void note_rings(struct comparison *c, struct run *run)
{
    const struct rule_run place = rule_run_of(c->log, run);

    if (rule_is_of_run("bts-ring-same", run) && workload_has_ring3(run->workload->own))
        run->rings = rule_rings_of(&place, &c->got.source);
}

/* A copy may be there beside the newest record, or with the oldest pushed out by it, or in
 * the newest one's place. */
enum copy { NO_COPY, COPY_ADDED, COPY_PUSHED, COPY_INSTEAD, COPY_END };

/* Compares both without the copy at the end of `is`; only rules on single records remain.
 */
static bool are_same_but(struct compared *is, struct compared *should, enum copy copy,
                         uint64_t first, struct disputed *disputed,
                         struct beyond_result *result)
{
    const struct run *run = is->run;
    struct transfer_list *got = &is->list, *want = &should->list;

    if (copy != NO_COPY) {
        if (got->end < got->at + 2 || want->end == want->at ||
            !transfers_match(&got->of[got->end - 1], &got->of[got->end - 2]) ||
            (copy == COPY_PUSHED && (!ring(run) || run->records < run_capacity(run))))
            return false;
        got->end--;
        want->at += copy == COPY_PUSHED;
        want->end -= copy == COPY_INSTEAD;
    }
    *result = check_beyond_one(is, should, first, disputed);
    return result->certain.d.class == SAME && result->unconfirmed_count > 0;
}

/* How many records of handlers come before this one, which is of none. */
static uint64_t foreign_before(struct hit_rest *rest, uint64_t index)
{
    rule_skip(&rest->got.source, index + 1);
    return rest->got.foreign;
}

/* Tries each copy, or none, and one record of an erratum beside it, and has found what
 * fits. */
static bool fits_beside_copy(struct comparison *c, uint64_t at, struct run *run,
                             struct hit_rest *hit, struct disputed *disputed)
{
    const struct rule_run place = rule_run_of(c->log, run);
    const int copies = rule_is_of_run("lbr-doubled", run) ? COPY_END : COPY_ADDED;
    struct beyond_result result;

    for (int copy = NO_COPY; copy < copies; copy++) {
        struct compared is = c->is, should = c->should;

        if (!are_same_but(&is, &should, (enum copy)copy, at, disputed, &result))
            continue;
        if (hit)
            run_found(run, ALLOWED, hit_rule(&place, at)->name, run->end_line,
                      format_text("there are also records of handlers"));
        if (result.at_random)
            run_found(run, ALLOWED, result.at_random->name, run->end_line,
                      format_text("%s", result.how));
        if (copy != NO_COPY)
            run_found(run, ALLOWED, "lbr-doubled", run->end_line,
                      format_text("record %llu: a copy of the record before it%s",
                                  (unsigned long long)run->records,
                                  copy_inserted(c->log, run)));
        find_difference(c, run, "run-records", &result,
                        hit ? foreign_before(hit, result.unconfirmed.got) : 0);
        return true;
    }
    return false;
}

/*
 * True if rules account for single records beside what hit the run, the copy of the newest
 * record, and one record of an erratum.  Beside handlers' records, too, a full stack
 * without those that rules take away holds older ones.
 */
static bool found_beside(struct comparison *c, uint64_t at, uint64_t keep, struct run *run,
                         struct disputed *disputed)
{
    const struct rule_run place = rule_run_of(c->log, run);
    const uint64_t earlier = ring(run) && c->is.list.end == keep ? ROTATION_MAX : 0;
    struct comparison rest = *c;
    struct transfer_list left;
    struct hit_rest hit;
    uint64_t begin;
    bool fits = false;

    skip_wanted(&rest, c->skip);
    if (!has_room(c, keep) && fits_beside_copy(&rest, at, run, NULL, disputed))
        return true;
    if (!hit_leaves_out(&hit, &place, at, &c->is.list.source, &rest.should.list.source))
        return false;
    rest.is.list = list_all(&hit.got.source);
    left = list_all(&hit.want.source);
    begin = has_room(c, keep) ? 0 : c->should.list.end - left.end;
    list_free(&left);
    for (uint64_t i = 0; !fits && i <= earlier && i <= begin; i++) {
        skip_wanted(&rest, begin - i);
        fits = fits_beside_copy(&rest, at, run, &hit, disputed);
    }
    list_free(&rest.is.list);
    return fits;
}

/* FROM of a stop beside LBR that follows no branch: the kernel's IRETQ, if there is one. */
static uint64_t own_iretq(const struct compared *is, const struct rule_run *place)
{
    for (size_t i = is->list.at; i < is->list.end; i++)
        if (hit_is_in_kernel(place, is->list.of[i].from))
            return is->list.of[i].from;
    return place->hits.image;
}

/*
 * Counts the stops that the records lack.  Beside LBR, the newest record at a stop that
 * follows no taken branch may be that of the RSM that led to the lost stop before it.
 */
static uint64_t count_lost(const struct rule_run *place, const struct transfer_list *is,
                           const struct transfer_list *stops)
{
    uint64_t i = is->at, k = stops->at;

    for (; i < is->end && k < stops->end; k++) {
        const struct transfer *got = &is->of[i], *next = &stops->of[k + 1];

        if (transfers_match(got, &stops->of[k])) {
            i++;
        } else if (k + 1 < stops->end && got->to == next->to &&
                   hit_is_foreign(place, got->from) &&
                   !hit_is_in_kernel(place, got->from) &&
                   hit_is_in_kernel(place, next->from)) {
            i++, k++;
        }
    }
    return i < is->end ? UINT64_MAX : stops->end - stops->at - (is->end - is->at);
}

/* Beside stops that the kernel does not expect, no try shows what hit the run. */
static void found_lost(struct run *run, const struct rule_run *place, uint64_t lost)
{
    if (lost)
        run_found(run, ALLOWED,
                  lost == 1 && rule_is_of_run("step-in-guest", run) ? "step-in-guest"
                  : place->hits.nmis                                ? "hit-nmi"
                  : place->hits.smis_are_counted                    ? "hit-smi"
                                                                    : "hit-uncounted",
                  run->end_line, format_text("stops are missing (lost)"));
}

/*
 * True if BTF has stopped after all branches that were not taken, of one kind or of both.
 * Hits may also have taken stops away.
 */
static bool found_untaken(struct comparison *c, const struct difference *d, struct run *run,
                          struct disputed *disputed)
{
    const struct rule_run place = rule_run_of(c->log, run);
    struct beyond_result result = { .unconfirmed = { .got = d->index, .want = d->index } };
    struct difference *first = &result.unconfirmed.d;
    const uint64_t iretq = own_iretq(&c->is, &place);
    const uint64_t hits = untaken_may_lack(&place, d->index + 1);
    uint64_t lost = UINT64_MAX;

    if (place.place.emulated || !rule_is_of_run("btf-untaken", run) || d->got_ended)
        return false;
    for (unsigned kinds = UNTAKEN_JCC | UNTAKEN_LOOPS; kinds && lost > hits; kinds--) {
        struct transfer_list stops = untaken_stops(c->log, run, kinds, iretq);

        if (stops.end)
            lost = count_lost(&place, &c->is.list, &stops);
        result.unconfirmed_count = stops.end - (c->should.list.end - c->skip);
        list_free(&stops);
    }
    if (lost > hits)
        return false;
    result.unconfirmed.rule = rule_named("btf-untaken");
    *first = *d;
    first->class = EXTRA;
    first->length = 1;
    find_difference(c, run, "run-records", &result, 0);
    note_disputed(disputed, d->index);
    found_lost(run, &place, lost);
    return true;
}

bool judge_records(const struct log *log, struct run *run, const char *rule,
                   struct disputed *disputed)
{
    const uint64_t keep = kept_of(run);
    struct comparison c;
    struct difference d;
    struct beyond_result result;
    uint64_t skip;
    size_t turn;

    compare_from(&c, log, run, keep);
    c.got.kinds_unasked = true; /* no kind is compared, and to find them takes long */
    d = check(&c.got.source, c.want);
    c.got.kinds_unasked = false;
    run->fused = c.got.fused;
    if (d.class == SAME || found_known(&c, &d, run)) {
        note_rings(&c, run);
        return true;
    }
    take_both(&c);
    turn = ring(run) ? rotation(&c) : 0;
    if (turn) {
        run_broke(
            run, rule, run->line,
            format_text("the right records, but rotated by %zu: record 1 should be record "
                        "%zu (%s)",
                        turn, turn + 1, check_class_name(WRONG_ORDER)));
        free_both(&c);
        return false;
    }
    if (found_untaken(&c, &d, run, disputed)) {
        free_both(&c);
        return true;
    }
    /* Where a ring lacks or has some, the rest may begin elsewhere, for the message. */
    skip = ring(run) && c.skip > 0 ? best_skip(&c, c.skip, d.index) : c.skip;
    result = compare_beyond(&c, skip, skip == c.skip ? disputed : NULL);
    if (result.certain.d.class == SAME && skip != c.skip)
        result = compare_beyond(&c, c.skip, disputed);
    if (result.certain.d.class == SAME && has_room(&c, keep))
        result.certain = result.unconfirmed;
    else if (result.certain.d.class != SAME &&
             found_beside(&c, d.index + 1, keep, run, disputed)) {
        free_both(&c);
        return true;
    }
    if (result.certain.d.class != SAME && ring(run) &&
        (c.is.list.end == keep || has_room(&c, keep)))
        find_other_begin(&c, keep, disputed, &result);
    find_difference(&c, run, rule, &result, 0);
    if (result.certain.d.class == SAME && result.untaken_lost) {
        const struct rule_run place = rule_run_of(log, run);

        found_lost(run, &place, result.untaken_lost);
    }
    free_both(&c);
    return result.certain.d.class == SAME;
}

bool records_fit_around(const struct log *log, struct run *run, uint64_t before,
                        uint64_t *missing)
{
    struct comparison c;
    struct transfer_list *is, *should;
    uint64_t after;
    bool fits;

    compare_from(&c, log, run, 0);
    c.got.kinds_unasked = true;
    take_both(&c);
    is = &c.is.list;
    should = &c.should.list;
    after = is->end - before;
    fits = is->end <= should->end;
    for (uint64_t i = 0; fits && i < is->end; i++) {
        const uint64_t k = i < before ? i : should->end - after + (i - before);

        fits = is->of[i].from == should->of[k].from && is->of[i].to == should->of[k].to;
    }
    *missing = fits ? should->end - is->end : 0;
    free_both(&c);
    return fits;
}

/* Moves on to the transfer that a record is of; NULL: a rule disputes it, and it is none.
 */
static const struct transfer *find_wanted(struct transfer_list *want,
                                          const struct transfer *record)
{
    for (uint64_t i = want->next; i < want->end; i++)
        if (transfers_match(record, &want->of[i])) {
            want->next = i + 1;
            return &want->of[i];
        }
    return NULL;
}

static bool is_direct(const struct transfer *transfer)
{
    return transfer->kind == KIND_JMP || transfer->kind == KIND_CALL;
}

/*
 * Judges the branch types in the records' extra information, which alone is the same in
 * each run, and on the emulator the mark of a direct branch.  Of the records themselves
 * none was found to be wrong for certain.
 */
void judge_types(const struct log *log, struct run *run)
{
    struct comparison c;

    compare_from(&c, log, run, kept_of(run));
    take_both(&c);
    skip_wanted(&c, c.skip);
    c.should.list.next = c.should.list.at;
    for (size_t i = 0; i < run->info_count && i < c.is.list.end; i++) {
        const uint32_t *values = run->infos[i].info.values;
        enum info_type got = values[INFO_TYPE], type;
        const struct transfer *want = find_wanted(&c.should.list, &c.is.list.of[i]);

        if (want && is_direct(want) && values[INFO_MISPREDICTED] &&
            rule_is_of_run("lbr-direct", run) &&
            run_broke(
                run, "lbr-direct", run->infos[i].line,
                format_text("record %zu: got mispredicted=1 of a direct branch", i + 1)))
            break;
        type = want && run->info & INFO_HAS(INFO_TYPE) ? info_type_of(want->kind) : got;
        if (got != type && run_broke(run, "lbr-type", run->infos[i].line,
                                     format_text("record %zu: got type=%s, want type=%s "
                                                 "(wrong type)",
                                                 i + 1, info_types[got], info_types[type])))
            break;
    }
    free_both(&c);
}
