/* sample.h */
#include "sample.h"

struct sampling sampling_of(const struct pmu_event *event, uint64_t period)
{
    return (struct sampling){ .counts = event ? event->counts : 0,
                              .unsure = event ? event->unsure : 0,
                              .countable = event && event->counts && !event->others,
                              .period = period };
}

/* A position in the expected trace: the transfer before it, and the next one. */
struct trace_position {
    struct source *expected;
    const struct sampling *how;
    struct transfer before, next;
    bool begun, over; /* over: nothing comes next */
    uint64_t counted; /* up to `before`                                      */
    uint64_t due;     /* at the newest stop, if none had counted elsewhere */
};

static bool counts(const struct trace_position *way, const struct transfer *t)
{
    return way->how->counts & COUNTS(t->kind);
}

static void look(struct trace_position *way)
{
    do
        way->over = !way->expected->next(way->expected, &way->next);
    while (!way->over && kind_is_mark(way->next.kind));
}

static void step(struct trace_position *way)
{
    way->before = way->next;
    way->begun = true;
    way->counted += counts(way, &way->before);
    look(way);
}

static struct trace_position way_of(struct source *expected, const struct sampling *how)
{
    struct trace_position way = { .expected = expected, .how = how };
    expected->rewind(expected);
    look(&way);
    return way;
}

/* Is an address in the straight line between the two transfers? */
static bool in_line(const struct trace_position *way, uint64_t at)
{
    if (!way->begun)
        return false;
    if (way->over)
        return at == way->before.to;
    return at >= way->before.to && at <= way->next.from;
}

/*
 * Advances to the transfer at which the counter overflowed, plus the skid of the stop.  A
 * prompt interrupt strikes at that transfer's target.  Any other may come after transfers
 * that do not count, for instance if IF delayed it; and before them by as many as counted
 * elsewhere.
 */
static bool find_overflow(struct trace_position *way, const struct branch *stop)
{
    const uint64_t foreign = way->how->foreign;
    uint64_t least;
    way->due += way->how->period + stop->info;
    least = way->due > foreign ? way->due - foreign : 0;
    while (!way->over && way->counted < least)
        step(way);
    if (way->counted < least)
        return false;
    if (way->how->prompt && stop->info == 0 && !foreign)
        return stop->to == way->before.to;
    while (!in_line(way, stop->to) && !way->over &&
           (way->counted < way->due || !counts(way, &way->next)))
        step(way);
    return in_line(way, stop->to);
}

static bool find_later(struct trace_position *way, const struct branch *stop)
{
    while (!in_line(way, stop->to) && !way->over)
        step(way);
    return in_line(way, stop->to);
}

struct sample_result sample_check(const struct branch *stops, size_t count,
                                  struct source *expected, const struct sampling *how)
{
    struct sample_result found = { .index = 0 };
    struct trace_position way = way_of(expected, how);

    for (; found.index < count; found.index++) {
        const struct branch stop = stops[found.index];
        struct transfer before = way.before;
        uint64_t number = way.due + how->period + stop.info;
        if (how->countable ? find_overflow(&way, &stop) : find_later(&way, &stop)) {
            found.used = way.counted;
            continue;
        }
        found.wrong = true;
        found.got = stop.to;
        found.ended = way.over && (!how->countable || way.counted < number);
        found.after = how->countable ? way.before : before;
        found.number = number;
        break;
    }
    while (!way.over)
        step(&way);
    found.transfers = way.counted;
    return found;
}

uint64_t sample_foreign(struct source *expected, const struct sampling *how,
                        uint64_t counted, uint64_t most)
{
    const struct branch none = { .from = 0 };
    uint64_t transfers;

    if (!most || !how->countable)
        return 0;
    transfers = sample_check(&none, 0, expected, how).transfers;
    return counted > transfers && counted - transfers <= most ? counted - transfers : 0;
}

static bool sampled_next(struct source *source, struct transfer *out)
{
    struct sampled *sampled = (struct sampled *)source;

    while (sampled->of->next(sampled->of, out))
        if (sampled->how.counts & COUNTS(out->kind) &&
            ++sampled->seen % sampled->how.period == 0)
            return true;
    return false;
}

static void sampled_rewind(struct source *source)
{
    struct sampled *sampled = (struct sampled *)source;

    sampled->of->rewind(sampled->of);
    sampled->seen = 0;
}

void sampled_of(struct sampled *sampled, struct source *expected,
                const struct sampling *how)
{
    *sampled = (struct sampled){ { sampled_next, sampled_rewind }, expected, *how, 0 };
    sampled_rewind(&sampled->source);
}

bool sample_lacks_last(const struct sample_result *found, const struct sampling *how,
                       uint64_t stops, uint64_t interrupts)
{
    return how->countable && interrupts == stops &&
           found->transfers - found->used >= how->period + how->foreign;
}
