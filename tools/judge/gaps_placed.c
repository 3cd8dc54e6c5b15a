/* gaps.h: where the segments are in the expected trace. */
#include "gaps.h"

#include "beyond.h"
#include "count_of.h"
#include "expected_trace.h"
#include "saturate.h"
#include "segment.h"
#include "unconfirmed.h"
#include "words.h"

/* The records that a segment should have: as many as it has, after `at`; if `last`, the
 * end.
 */
static struct transfer_list wanted_for(const struct gaps *g,
                                       const struct transfer_list *segment, uint64_t at,
                                       bool last)
{
    const uint64_t count = segment->end - segment->at;
    const struct transfer_list rest = list_of(g->want.of, at, g->want.end);
    uint64_t place = at, by_to;

    if (last)
        return list_of(g->want.of, g->want.end - at < count ? at : g->want.end - count,
                       g->want.end);
    /* A FROM that is doubted, or decoded wrongly, can keep the segment from being found. */
    if (segment->at > 0 && !segment_find(segment, &rest, false, &place) &&
        segment_find(segment, &rest, true, &by_to))
        place = by_to;
    return list_of(g->want.of, place,
                   g->want.end - place < count ? g->want.end : place + count);
}

static struct beyond_result compare(const struct gaps *g,
                                    const struct transfer_list *segment,
                                    const struct transfer_list *want, bool may_be_random)
{
    struct compared is = { *segment, g->log, g->run, false };
    struct compared should = { *want, g->log, g->run, false };

    return check_beyond_one(&is, &should, may_be_random, NULL);
}

/* True if the newest record of this stack may be a copy of the one before it. */
static bool ends_in_copy(const struct gaps *g, const struct transfer_list *segment)
{
    return segment->end > segment->at + 1 &&
           segment_same(&segment->of[segment->end - 1], &segment->of[segment->end - 2],
                        false) &&
           rule_is_of_run("lbr-doubled", g->run);
}

/* True if an erratum accounts for one wrong record of the stream, and this is the first. */
static bool is_at_random(struct gaps *g, const struct transfer_list *segment,
                         const struct transfer_list *want, struct beyond_result *result)
{
    const struct beyond_result with = compare(g, segment, want, !g->at_random);

    if (with.certain.d.class != SAME || !with.at_random)
        return false;
    *result = with;
    g->at_random = with.at_random;
    g->how = with.how;
    return true;
}

/* The same, in the first place where such an erratum may have been. */
static bool fits_but_one(struct gaps *g, const struct transfer_list *segment, uint64_t at,
                         bool last, struct transfer_list *want,
                         struct beyond_result *result)
{
    const uint64_t count = segment->end - segment->at;
    const uint64_t lengths[] = { count, count + 1, saturated_less(count, 1) };

    for (size_t i = 0; !g->at_random && i < COUNT_OF(lengths); i++) {
        const struct transfer_list rest = list_of(g->want.of, at, g->want.end);
        uint64_t place = last ? g->want.end - lengths[i] : at;

        if (g->want.end - at < lengths[i] ||
            (!last && segment->at > 0 &&
             !segment_find_but_one(segment, &rest, lengths[i], &place)))
            continue;
        *want = list_of(g->want.of, place, place + lengths[i]);
        if (is_at_random(g, segment, want, result))
            return true;
    }
    return false;
}

/* Returns true if the last segment of a stack fits where records by a rule pushed out the
 * oldest that it wants, which the gap hides. */
static bool fits_with_others(const struct gaps *g, const struct transfer_list *segment,
                             struct transfer_list *want, struct beyond_result *result)
{
    struct transfer_list fewer = *want;

    while (!g->run->method->pmi_drained && segment->at > 0 && ++fewer.at < fewer.end) {
        const struct beyond_result with = compare(g, segment, &fewer, false);

        if (with.certain.d.class != SAME)
            continue;
        *want = fewer;
        *result = with;
        return true;
    }
    return false;
}

/* Places one segment after `*at`, and moves `*at` to its end; false: it does not fit. */
static bool place(struct gaps *g, struct transfer_list segment, uint64_t *at)
{
    const bool last = segment.end == g->got.end; /* no gap follows it */
    const bool copied = ends_in_copy(g, &segment);
    struct transfer_list shorter = list_of(segment.of, segment.at, segment.end - copied);
    struct transfer_list wanted, want;
    struct beyond_result without, result;
    bool fits;

    if (segment.at == segment.end && !last)
        return true; /* a gap at the beginning */
    wanted = want = wanted_for(g, &shorter, *at, last);
    without = result = compare(g, &shorter, &wanted, false);
    fits = without.certain.d.class == SAME;
    if (!fits && last && fits_with_others(g, &shorter, &wanted, &without))
        fits = true, want = wanted, result = without;
    if (copied) {
        /* Further on it may fit with its copy by chance, and the next ones nowhere. */
        want = fits && !last
                   ? list_of(wanted.of, wanted.at, wanted.end + (wanted.end < g->want.end))
                   : wanted_for(g, &segment, *at, last);
        result = compare(g, &segment, &want, false);
    }
    if (copied && last && !fits && wanted.at > *at) {
        wanted.at--, wanted.end--; /* the copy is in the place of the last record */
        without = compare(g, &shorter, &wanted, false);
        fits = without.certain.d.class == SAME;
    }
    if (copied && fits && result.certain.d.class != SAME) {
        segment = shorter, want = wanted, result = without;
        g->copies++;
    }
    if (result.certain.d.class != SAME) {
        if (fits_but_one(g, &segment, *at, last, &wanted, &result))
            want = wanted;
        else
            (void)is_at_random(g, &segment, &want, &result);
    }
    g->may_be_copy = copied && fits && segment.end > shorter.end;
    g->placed = want.at;
    g->index = segment.at;
    if (result.certain.d.class != SAME ||
        (result.unconfirmed_count && !g->result.unconfirmed_count))
        g->result = result;
    if (result.certain.d.class != SAME)
        return false;
    g->held += segment.end - segment.at;
    g->disputed += result.unconfirmed_count;
    g->segments += segment.at < segment.end;
    g->uncounted += gaps_uncounted(g, *at, want.at);
    if (segment.at > 0)
        g->beside += gaps_uncounted(g, want.at,
                                    want.end - want.at < stack_left(g->run)
                                        ? want.end
                                        : want.at + stack_left(g->run));
    *at = want.end;
    return true;
}

/*
 * The same.  If the segment before ends with what may be a copy, the branch may be the
 * first of this one: the earliest place leaves most of the trace to the later segments.
 */
static bool place_next(struct gaps *g, struct transfer_list segment, uint64_t *at)
{
    const struct gaps before = *g;
    const uint64_t earlier = *at - before.may_be_copy;

    if (before.may_be_copy) {
        g->held--;
        g->copies++;
        *at = earlier;
        if (place(g, segment, at) && g->placed == earlier)
            return true;
        *g = before;
        *at = earlier + 1;
    }
    return place(g, segment, at);
}

static bool place_all(struct gaps *g)
{
    uint64_t at = 0, begin = 0;

    for (uint64_t i = 0; i <= g->got.end; i++) {
        if (i < g->got.end && g->got.of[i].to != BRANCH_UNKNOWN)
            continue;
        if (!place_next(g, list_of(g->got.of, begin, i), &at))
            return false;
        begin = i + 1;
    }
    return true;
}

struct transfer_list gaps_wanted(const struct gaps *g, const struct record_filter *filter)
{
    static struct visible visible;
    struct expected_trace expected;

    visible_through(&visible, expected_trace_of(&expected, g->log, g->run->workload),
                    g->run->method, 0, *filter);
    return list_all(&visible.source);
}

/* The same; if the segments fit nowhere, also by each other ring that BTS may filter by. */
static bool place_by_rings(struct gaps *g)
{
    const struct gaps before = *g;
    struct record_filter filter = run_record_filter(g->run);
    unsigned rings = place_all(g) ? RING_DECIDES(RING_LEFT) : 0;

    if (!rule_is_of_run("bts-ring-from", g->run) || rule_place_of(g->run).emulated)
        return rings;
    for (filter.decides = RING_ENTERED; filter.decides <= RING_EITHER; filter.decides++) {
        struct gaps other = before;
        bool fits;

        other.want = gaps_wanted(g, &filter);
        fits = place_all(&other);
        if (fits && !rings) {
            list_free(&g->want);
            *g = other;
            run_found(g->run, ALLOWED, "bts-ring-from", g->run->end_line,
                      format_text("branches between rings have records by another ring"));
        } else {
            list_free(&other.want);
        }
        rings |= fits ? RING_DECIDES(filter.decides) : 0;
    }
    g->run->rings = rings;
    return rings;
}

bool gaps_place(struct gaps *g)
{
    const struct rule *rule = rule_named("lbr-v2-events");
    const struct rule_run run = rule_run_of(g->log, g->run);
    struct gaps other = *g;
    struct transfer *all;
    uint64_t count = 0;

    if (place_by_rings(g))
        return true;
    if (run.place.emulated || !rule_holds(rule, &run.place))
        return false;
    all = (struct transfer *)list_all(&g->want.source).of;
    for (uint64_t i = 0; i < g->want.end; i++) {
        struct rule_record record = rule_record_of(&run, &g->want.of[i]);

        record.class = LOST;
        if (!rule_concerns(rule, &record))
            all[count++] = record.transfer;
    }
    other.without = g->want.end - count;
    other.want = list_of(all, 0, count);
    if (!other.without || !place_all(&other)) {
        list_free(&other.want);
        return false;
    }
    list_free(&g->want);
    *g = other;
    return run_found(g->run, ALLOWED, rule->name, g->run->end_line,
                     format_text("the stacks have no entries of events"));
}
