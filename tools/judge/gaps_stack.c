/* gaps.h: what stacks and buffers that were read at each gap must have held. */
#include "gaps.h"

#include "judge_parts.h"
#include "lateness.h"
#include "retired.h"
#include "saturate.h"
#include "unconfirmed.h"
#include "words.h"

uint64_t gaps_uncounted(const struct gaps *g, uint64_t from, uint64_t to)
{
    const struct pmu_event *event = counted_event(g->run);
    uint64_t count = 0;

    for (uint64_t i = from; event && i < to; i++)
        count += !(event->counts & COUNTS(g->want.of[i].kind));
    return count;
}

uint64_t stack_left(const struct run *run)
{
    const bool has_own =
        run->ran.entries.value || run->hidden || run->ran.returns || run->hidden_iretqs;

    return saturated_less(run->cpu->lbr_depth,
                          has_own + rule_is_of_run("lbr-doubled", run));
}

uint64_t wrong_path_of(const struct log *log, const struct run *run)
{
    const struct rule_place place = rule_place_of(run);

    if (place.emulated || !rule_is_of_run("lbr-wrong-path", run))
        return 0;
    return log->machine.version < 3 ? UINT64_MAX : run->ran.wrong_path;
}

uint64_t wrong_path_max(const struct log *log, const struct run *run)
{
    const uint64_t half = run->cpu->lbr_depth / 2, all = wrong_path_of(log, run);

    return all < half ? all : half;
}

/* The rule stream-stack: all records are of the stack, read at each interrupt and at the
 * end. */
static char *more_than_stacks(const struct run *run)
{
    const uint64_t depth = run->cpu->lbr_depth;
    const uint64_t reads = saturated_sum(run->ran.events, 1);
    const uint64_t records = run->records - run->gaps;

    if (records <= saturated_product(reads, depth))
        return NULL;
    return format_text("%llu records in segments: want at most %llu, since a stack of %llu "
                       "was read %llu times (extra)",
                       (unsigned long long)records,
                       (unsigned long long)saturated_product(reads, depth),
                       (unsigned long long)depth, (unsigned long long)reads);
}

void judge_stacks(struct run *run)
{
    if (rule_is_of_run("stream-stack", run) && !run->gaps)
        run_broke(run, "stream-stack", run->end_line, more_than_stacks(run));
}

/*
 * A frozen stack holds what ran in a period, or as much of it as it can.  Of as many
 * branches as the longest row has (in_a_row), one has a record; other events that count,
 * and other records, take their part.  After a #DB nothing is recorded, so there only the
 * first period is sure.
 */
static char *unfrozen(const struct gaps *g)
{
    const struct run *run = g->run;
    const struct pmu_event *event = counted_event(run);
    const struct retired all = retired_of(g->log, run);
    const uint64_t room = saturated_less(stack_left(run), wrong_path_max(g->log, g->run));
    const uint64_t before_db =
        saturated_less(g->want.end, gaps_uncounted(g, 0, g->want.end));
    const uint64_t own =
        saturated_sum(count_least(g->log, run), event && event->others ? all.not_taken : 0);
    uint64_t periods = counted_in_time(run) / run->asked.period, each, least;

    if (run->filter || !event || !event->counts || !all.known || !all.in_a_row)
        return NULL;
    if (periods > run->ran.events)
        periods = run->ran.events;
    if (workload_expects_db(run->workload->own) && periods > 1)
        periods = 1;
    if (workload_expects_db(run->workload->own) && before_db < run->asked.period)
        periods = 0;
    each = saturated_less(run->asked.period, HANDLER_EVENTS) / all.in_a_row;
    least = saturated_less(saturated_product(periods, each < room ? each : room),
                           saturated_sum(saturated_less(run->ran.counted.value, own),
                                         saturated_sum(g->of_handlers, g->copies)));
    if (g->held >= least)
        return NULL;
    return format_text("%llu records of %llu frozen stacks: want at least %llu (lost)",
                       (unsigned long long)g->held, (unsigned long long)periods,
                       (unsigned long long)least);
}

/* The rule stream-stack of a stream with gaps, which precede all that the stack held: what
 * it lacks of that, branches on the wrong path took. */
static char *unstacked(const struct gaps *g)
{
    const struct run *run = g->run;
    const struct gap_facts *facts = &g->facts;
    const uint64_t stack = saturated_less(stack_left(run), wrong_path_max(g->log, g->run));
    char *why = more_than_stacks(run);

    if (!why && run->asked.freeze)
        return unfrozen(g);
    if (!why && facts->lacking > wrong_path_of(g->log, g->run) && facts->shortest >= stack)
        return format_text("the stacks lack %llu records after gaps: want at most the %llu "
                           "whose room the wrong path took (lost)",
                           (unsigned long long)facts->lacking,
                           (unsigned long long)wrong_path_of(g->log, g->run));
    if (why || facts->shortest >= stack)
        return why;
    return format_text("%llu records after a gap: want at least the %llu that were left in "
                       "the stack (lost)",
                       (unsigned long long)facts->shortest, (unsigned long long)stack);
}

/* The rule bts-gap: the workload's records alone fill the buffer, except for an IRETQ. */
static char *unfilled(const struct run *run, const struct gap_facts *facts)
{
    const uint64_t buffer = run->asked.buffer.value, threshold = run->asked.threshold.value;
    const bool keeps_iretq = record_filter_shows(run->filter, 0) || run->ran.returns;
    const uint64_t full = buffer - (threshold > 1 && keeps_iretq);
    const uint64_t late = buffer - threshold; /* each, at least */

    if (facts->shortest < full)
        return format_text("a gap after %llu records: want at least the %llu that fill a "
                           "buffer of %llu (lost)",
                           (unsigned long long)facts->shortest, (unsigned long long)full,
                           (unsigned long long)buffer);
    if (facts->inner && (run->ran.most < late ||
                         run->ran.skid.value < saturated_product(facts->inner, late)))
        return format_text(
            "%llu gaps, but its interrupts came %s, the latest by %llu: want "
            "each of a full buffer at least %llu late (lost)",
            (unsigned long long)facts->inner, lateness_text(run),
            (unsigned long long)run->ran.most, (unsigned long long)late);
    return NULL;
}

/* True if the oldest records were gone when the stack was first read. */
bool begins_with_gap(const struct gaps *g)
{
    return !g->run->method->pmi_drained && g->got.of[0].to == BRANCH_UNKNOWN;
}

/* Between two records, each gap has its interrupt: a stack is read at those and at the end.
 */
bool gaps_hold_too_little(struct gaps *g)
{
    const struct run *run = g->run;
    const struct gap_facts facts = g->facts;
    const uint64_t most = saturated_sum(run->ran.events, begins_with_gap(g));

    if (run->method->pmi_drained
            ? run_broke(g->run, "bts-gap", facts.line, unfilled(run, &facts))
            : run_broke(g->run, "stream-stack", facts.line, unstacked(g)))
        return true;
    return facts.inner > most &&
           run_broke(g->run, "stream-gaps", run->end_line,
                     format_text("%llu gap%s, but only %llu interrupts (lost)",
                                 (unsigned long long)facts.inner, plural(facts.inner),
                                 (unsigned long long)run->ran.events));
}

/* Returns how many records a stack has too few to have lost the IRETQ, its oldest record:
 * beside the interrupt's entry and a copy of the newest, there was room for it. */
static uint64_t room_for_iretq(const struct run *run, uint64_t records)
{
    const uint64_t own = !run->asked.freeze + rule_is_of_run("lbr-doubled", run);

    return saturated_less(run->cpu->lbr_depth, records + own);
}

/* Returns how many of these stacks had no room for it, where branches on the wrong path may
 * have taken the room, as far as their entries suffice.  of_room[n]: stacks with room for
 * n. */
static uint64_t without_room(const struct log *log, const struct run *run,
                             const uint64_t *of_room)
{
    uint64_t left = wrong_path_of(log, run), sum = of_room[0];

    for (uint64_t room = 1; room <= wrong_path_max(log, run); room++) {
        const uint64_t most = left / room;
        const uint64_t some = of_room[room] < most ? of_room[room] : most;

        sum += some;
        left -= some * room;
    }
    return sum;
}

#define DEPTH_MAX 64 /* of the architectural LBR (SDM vol. 3B, "LBR Stack") */

struct gap_facts gap_facts_of(const struct log *log, const struct run *run)
{
    const struct run_records records = run_records(log, run);
    const uint64_t stack = stack_left(run);
    struct gap_facts facts = { .shortest = UINT64_MAX };
    uint64_t begin = 0, of_room[DEPTH_MAX + 1] = { 0 };

    for (uint64_t end = 0; end <= records.count; end++) {
        const bool precedes = end<records.count, follows = begin> 0;
        const uint64_t count = end - begin;

        if (precedes && records.at[end].to != BRANCH_UNKNOWN)
            continue;
        facts.all += precedes;
        facts.inner += end + 1 < records.count;
        facts.followed += follows && count;
        facts.lacking += follows ? saturated_less(stack, count) : 0;
        if (begin > 1 || (follows && run->filter)) /* an interrupt precedes the gap */
            of_room[room_for_iretq(run, count) % (DEPTH_MAX + 1)]++;
        if ((run->method->pmi_drained ? precedes : follows) && count < facts.shortest) {
            facts.shortest = count;
            facts.line = line_of_record(run, run->method->pmi_drained ? end : begin - 1);
        }
        begin = end + 1;
    }
    facts.of_iretq = without_room(log, run, of_room);
    return facts;
}

void count_gaps(const struct log *log, struct run *run)
{
    struct gap_facts facts;

    if (!method_is_interrupted(run->method) || run->method->sampled)
        return;
    facts = gap_facts_of(log, run);
    run->gaps = facts.all;
    run->gaps_of_iretq = run->method->counter_driven ? facts.of_iretq : 0;
}
