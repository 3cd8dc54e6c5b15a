/*
 * The runs, in the order of the plan, with their records; and the closing count.
 */
#include "parse.h"

#include <string.h>

#include "heap.h"
#include "log_run.h"

#define BUFFER_RECORDS_MAX (1ull << 27)
#define PACKET_PAGE        4096

static bool right_filter(struct line *line, uint32_t filter)
{
    const bool wanted = line->log->plan.filter_count > 0;

    return line_has_if(line, "filter", wanted) &&
           (!wanted || span_is(line_text(line, "filter"), filter_words(filter)) ||
            log_error(line->log, line->log->line,
                      "%.*s: got filter=%.*s, want by the plan %s", SPAN(line->word),
                      SPAN(line_text(line, "filter")), filter_words(filter)));
}

struct run *next_run(struct log *log)
{
    const size_t n = log->run_count, in_plan = n - log->plan.first;
    size_t m, w, f;

    run_of_processors(log, in_plan, &m, &w, &f);
    log->rounds += in_plan % plan_once(log) == 0;
    log->runs =
        arena_grow(&log->memory, log->runs, &log->run_capacity, n, sizeof(*log->runs));
    log->runs[log->run_count++] =
        (struct run){ .method = log->plan.methods[m],
                      .workload = log->plan.workloads[w],
                      .filter = log->plan.filter_count ? log->plan.filters[f] : 0,
                      .filtered = log->plan.filter_count > 0,
                      .number = n + 1,
                      .line = log->line,
                      .round = log->rounds };
    return &log->runs[n];
}

/* The run that comes next by the plan, if the line names that one. */
static struct run *planned_run(struct line *line, uint64_t number,
                               struct log_number processor)
{
    struct log *log = line->log;
    size_t n = log->run_count, in_plan = n - log->plan.first;
    const struct method_facts *method;
    const struct loaded *loaded;
    uint32_t filter;
    size_t m, w, f;

    if (!close_plan(log))
        return NULL;
    if (in_plan >= log->plan.runs) {
        log_error(log, log->line, "%.*s: the plan has only %llu runs", SPAN(line->word),
                  (unsigned long long)log->plan.runs);
        return NULL;
    }
    run_of_processors(log, in_plan, &m, &w, &f);
    method = log->plan.methods[m];
    loaded = log->plan.workloads[w];
    filter = log->plan.filter_count ? log->plan.filters[f] : 0;
    if (number != n + 1 || !span_is(line_text(line, "method"), method->name) ||
        !span_is(line_text(line, "workload"), loaded->own->name)) {
        log_error(log, log->line,
                  "%.*s: got n=%.*s method=%.*s workload=%.*s, want by the plan n=%zu "
                  "method=%s workload=%s",
                  SPAN(line->word), SPAN(line_text(line, "n")),
                  SPAN(line_text(line, "method")), SPAN(line_text(line, "workload")), n + 1,
                  method->name, loaded->own->name);
        return NULL;
    }
    if (!right_filter(line, filter))
        return NULL;
    next_run(log);
    if (!take_processor(line, processor, &log->runs[n]))
        return NULL;
    log->runs[n].cpu = cpu_of(log, log->runs[n].processor);
    return &log->runs[n];
}

static bool right_buffer(struct line *line, const struct run_line *asked)
{
    const uint64_t buffer = asked->buffer.value, threshold = asked->threshold.value;

    return (threshold > 0 && threshold < buffer && buffer <= BUFFER_RECORDS_MAX) ||
           log_error(line->log, line->log->line,
                     "run: got buffer=%llu threshold=%llu, want a threshold from 1 to less "
                     "than the records of the buffer, at most %llu",
                     (unsigned long long)buffer, (unsigned long long)threshold,
                     BUFFER_RECORDS_MAX);
}

/* Packets go to whole pages.  Before version 3 the log does not say how many. */
static bool right_packet_buffer(struct line *line)
{
    const uint64_t bytes = line->says.run.buffer.value;

    return (bytes && bytes % PACKET_PAGE == 0) ||
           log_error(line->log, line->log->line,
                     "run: got buffer=%llu, want the bytes of one or more pages",
                     (unsigned long long)bytes);
}

/* The event of a counter, and how often that asks for an interrupt. */
static bool right_event(struct line *line, const struct method_facts *method)
{
    const struct run_line *asked = &line->says.run;

    if (asked->freeze && !method->overlaps)
        return here(line->log, "run: only lbr-stream freezes the stack");
    return (asked->period > 0 && asked->period <= PERIOD_MAX) ||
           log_error(line->log, line->log->line,
                     "run: got period=%llu, want one from 1 to %u",
                     (unsigned long long)asked->period, PERIOD_MAX);
}

/* How many records the method keeps: as its buffer has room for, or as the model has. */
static uint64_t capacity_of(const struct run *run)
{
    return run->method->ring_lbr      ? run->cpu->lbr_depth
           : run->method->ring_buffer ? run->asked.buffer.value
                                      : run->method->newest;
}

bool parse_run(struct line *line)
{
    const struct run_line *asked = &line->says.run;
    struct run *run = planned_run(line, asked->n, asked->processor);
    const struct method_facts *method;
    bool sized; /* its packets have a buffer whose size the log says */

    if (!run)
        return false;
    line->log->in_run = true;
    method = run->method;
    sized = method->packets && line->log->machine.version >= 3;
    run->asked = *asked;
    run->capacity = capacity_of(run);
    if (!line_has_if(line, "buffer", method->ring_buffer || method->pmi_drained || sized) ||
        !line_has_if(line, "threshold", method->pmi_drained) ||
        !line_has_if(line, "event", method->counter_driven) || !take_info_words(line, run))
        return false;
    if (method->ring_buffer && !run->capacity)
        return here(line->log, "run: buffer=0, want at least 1 record");
    return (!sized || right_packet_buffer(line)) &&
           (!method->pmi_drained || right_buffer(line, asked)) &&
           (!method->counter_driven || right_event(line, method));
}

bool parse_skip(struct line *line)
{
    const struct skip_line *skip = &line->says.skip;
    struct run *run = planned_run(line, skip->n, skip->processor);
    const struct span why = skip->why;
    size_t of = 0;

    if (!run)
        return false;
    run->skipped = true;
    run->reason = why;
    run->end_line = line->log->line;
    run->skip = skip_read(why.at, why.length, &of);
    if (of < why.length)
        run->skip_of = (struct span){ why.at + of, why.length - of };
    return run->skip ||
           log_error(line->log, line->log->line,
                     "skip: why=%.*s is no reason that this program knows", SPAN(why));
}

static bool right_crash(struct line *line, struct run *run)
{
    const struct log_map map = map_of(line->log, run->workload);
    const bool crashed = run->ran.outcome == CRASHED;
    struct line at = *line;

    at.rest = run->ran.at;
    return line_has_if(line, "vector", crashed) &&
           (!crashed || place_read(&at, &map, LOG_TO, "at=END", &run->crashed_at));
}

/* What a program returned; other workloads have no such field. */
static bool right_result(struct line *line, const struct run *run)
{
    return line_has_if(line, "result",
                       run->workload->own->flags & WORKLOAD_RESULT &&
                           run->ran.outcome == ENDED);
}

/* How many recorders and windows of all processors there were at the same time. */
static bool right_attendance(struct line *line, const struct run *run)
{
    struct log *log = line->log;
    const bool several = log->machine.processor_count >= 2, gone = run->ran.outcome == GONE;
    const uint64_t armed = run->ran.armed.value, open = run->ran.open;

    if (!line_has_if(line, "armed", several))
        return false;
    if (!several)
        return !gone || here(log, "ran: outcome=gone, but there is one processor");
    return (open >= !gone && open <= armed && armed <= processors_of(log)) ||
           log_error(log, log->line,
                     "ran: got armed=%llu open=%llu, want open= from 1 to armed=, and "
                     "armed= at most the %zu processors",
                     (unsigned long long)armed, (unsigned long long)open,
                     processors_of(log));
}

/*
 * Entries of AMD's LBR stack that hold no record; with the records they fit into it.  Those
 * of a stream are of stacks that lost records; tools/judge/judge.c bounds them.
 */
static bool right_wrong_path(struct line *line, const struct run *run)
{
    const struct cpu_part *cpu = run->cpu;
    const struct method_facts *method = run->method;
    const uint64_t count = run->ran.wrong_path;
    const bool fits = method->ring_lbr
                          ? count <= run->capacity && run->records <= run->capacity - count
                          : method->counter_driven && method->needs & NEEDS(FACILITY_LBR);

    return !count || (fits && cpu->row && cpu->row->lbr.to_valid) ||
           log_error(
               line->log, line->log->line,
               "ran: got wrong_path=%llu, want it only for an LBR stack whose entries "
               "say that they are valid, and with records= at most its %llu entries",
               (unsigned long long)count, (unsigned long long)run->capacity);
}

/* `differed=0,17,4` has as many numbers as the run was made times. */
static bool right_tries(struct line *line, const struct run *run)
{
    const struct span differed = line_text(line, "differed");

    return !run->ran.tries.count || run->ran.tries.count == run->ran.repeated + 1 ||
           log_error(line->log, line->log->line,
                     "ran: differed=%.*s: want %llu numbers, as many as the run was made "
                     "times, and at least one of them not 0",
                     SPAN(differed), (unsigned long long)run->ran.repeated + 1);
}

/* How often it was made before, and what broke into it all the same. */
static bool right_hits(struct line *line, const struct run *run)
{
    return (run->ran.repeated < RUN_TRIES_MAX ||
            log_error(line->log, line->log->line, "ran: repeated=%llu: want at most %d",
                      (unsigned long long)run->ran.repeated, RUN_TRIES_MAX - 1)) &&
           right_tries(line, run) &&
           (run->cpu->left.smi_count.is == LOG_THERE || !run->ran.smis ||
            log_error(line->log, line->log->line,
                      "ran: smis=%llu, but no smi_count= before it says that SMIs are "
                      "counted",
                      (unsigned long long)run->ran.smis));
}

/* What its interrupts left, and how late they came. */
static bool right_interrupts(struct line *line, const struct run *run)
{
    const bool interrupted = method_is_interrupted(run->method),
               by_counter = run->method->counter_driven;

    return line_has_if(line, "counted", by_counter) &&
           line_has_if(line, "entries", interrupted) &&
           line_has_if(line, "skid",
                       interrupted && (!by_counter || pmu_tells_late(counted_event(run))));
}

static bool take_packets(struct log *log, struct run *run)
{
    if (!run->method->packets)
        return true;
    if (!run->lines && run->ran.outcome != GONE)
        return here(log, "ran: no line packets before it");
    return !run->lines || packets_unpack(&log->memory, run->lines) ||
           log_error(log, run->lines->line, "packets: they cannot be unpacked");
}

bool parse_ran(struct line *line)
{
    struct log *log = line->log;
    struct run *run = &log->runs[log->run_count - 1];

    run->ran = line->says.ran;
    if (run->ran.n != run->number)
        return log_error(log, log->line, "ran: got n=%llu, want n=%zu",
                         (unsigned long long)run->ran.n, run->number);
    if (run->ran.records != run->records)
        return log_error(
            log, log->line, "ran: records=%llu, but the lines of the run make %llu",
            (unsigned long long)run->ran.records, (unsigned long long)run->records);
    log->in_run = false;
    if (!(right_wrong_path(line, run) && check_packed(log, run) && check_infos(log, run) &&
          right_attendance(line, run) && right_hits(line, run) &&
          right_interrupts(line, run) && right_result(line, run) &&
          right_crash(line, run) && take_packets(log, run)))
        return false; /* it is broken off, and nothing is asked of it */
    run->end_line = log->line;
    return true;
}

static bool fits(const struct cost_line *cost, uint64_t ticks)
{
    return cost->asked > 1 && cost->made >= 1 && cost->made <= cost->asked &&
           cost->least > 0 && cost->least <= ticks && ticks <= cost->most;
}

bool parse_cost(struct line *line)
{
    struct log *log = line->log;
    struct cost_line *cost = &line->says.cost;
    struct run *run = log->run_count ? &log->runs[log->run_count - 1] : NULL;

    if (!run || run->skipped || run->ran.outcome != ENDED || run->cost.line)
        return log_error(log, log->line, "cost: no run that has ended is before it");
    if (cost->n != run->number)
        return log_error(log, log->line, "cost: got n=%llu, want n=%zu",
                         (unsigned long long)cost->n, run->number);
    cost->line = log->line;
    run->cost = *cost;
    return fits(cost, run->ran.ticks) ||
           log_error(log, log->line,
                     "cost: want asked= from 2, made= at most that, least= "
                     "from 1, and the ticks of its run from least= to most=");
}

bool parse_end(struct line *line)
{
    struct log *log = line->log;
    const struct end_line *end = &line->says.end;
    const bool planned = !log->by_command || log->plan.line; /* not every command has one */
    uint64_t skipped = 0, records = 0, nmis = 0;

    if (!(planned ? close_plan(log) : plan_was_made(log)))
        return false;
    log->nmis = end->nmis;
    for (size_t i = 0; i < log->run_count; i++) {
        skipped += log->runs[i].skipped;
        records += log->runs[i].method->packets ? 0 : log->runs[i].records;
        nmis += log->runs[i].ran.nmis;
    }
    log->ended = true;
    if (nmis > end->nmis)
        return log_error(log, log->line,
                         "end: got nmis=%llu, want at least the %llu of its "
                         "runs",
                         (unsigned long long)end->nmis, (unsigned long long)nmis);
    if (planned && !plan_fulfilled(log))
        return false;
    if (end->runs != log->run_count || end->ran != log->run_count - skipped ||
        end->skipped != skipped || end->records != records)
        return log_error(
            log, log->line,
            "end: got runs=%llu ran=%llu skipped=%llu records=%llu, want runs=%zu "
            "ran=%zu skipped=%zu records=%llu",
            (unsigned long long)end->runs, (unsigned long long)end->ran,
            (unsigned long long)end->skipped, (unsigned long long)end->records,
            log->run_count, log->run_count - skipped, skipped, (unsigned long long)records);
    return true;
}
