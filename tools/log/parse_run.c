/*
 * The runs, in the order of the plan, with their records; and the closing count.
 */
#include "parse.h"

#include <string.h>

#include "heap.h"
#include "log_run.h"

#define BUFFER_RECORDS_MAX (1ull << 27)

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
static struct run *planned_run(struct line *line)
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
    if (line_number(line, "n") != n + 1 ||
        !span_is(line_text(line, "method"), method->name) ||
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
    if (!take_processor(line, &log->runs[n]))
        return NULL;
    log->runs[n].cpu = cpu_of(log, log->runs[n].processor);
    return &log->runs[n];
}

/* The buffer of a method that has one, and of one that is interrupted when to empty it. */
static bool take_buffer(struct line *line, struct drained *drained)
{
    drained->buffer = line_number(line, "buffer");
    drained->threshold = line_number(line, "threshold");
    return (drained->threshold > 0 && drained->threshold <= drained->buffer &&
            drained->buffer <= BUFFER_RECORDS_MAX) ||
           log_error(line->log, line->log->line,
                     "run: got buffer=%llu threshold=%llu, want a threshold from 1 to the "
                     "records of the buffer, at most %llu",
                     (unsigned long long)drained->buffer,
                     (unsigned long long)drained->threshold, BUFFER_RECORDS_MAX);
}

/* "0xc4/0x20" */
static bool read_event(struct span text, uint64_t *event, uint64_t *umask)
{
    const char *slash = memchr(text.at, '/', text.length);
    size_t length = slash ? (size_t)(slash - text.at) : 0;

    return slash && read_hex((struct span){ text.at, length }, event) &&
           read_hex((struct span){ slash + 1, text.length - length - 1 }, umask) &&
           *event > 0 && *event <= EVENT_MAX && *umask <= UINT8_MAX;
}

/* The event of a counter, and how often that asks for an interrupt. */
static bool take_event(struct line *line, const struct method_facts *method,
                       struct drained *drained)
{
    drained->period = line_number(line, "period");
    drained->freezes = line_has(line, "freeze");
    if (!read_event(line_text(line, "event"), &drained->event, &drained->umask))
        return log_error(line->log, line->log->line,
                         "run: got event=%.*s, want its numbers, as 0xc4/0x20",
                         SPAN(line_text(line, "event")));
    if (drained->freezes && !method->overlaps)
        return here(line->log, "run: only lbr-stream freezes the stack");
    return (drained->period > 0 && drained->period <= PERIOD_MAX) ||
           log_error(line->log, line->log->line,
                     "run: got period=%llu, want one from 1 to %u",
                     (unsigned long long)drained->period, PERIOD_MAX);
}

/* What its interrupts left, and how late they came. */
static bool take_interrupts(struct line *line, struct run *run)
{
    const bool interrupted = method_is_interrupted(run->method);
    struct drained *drained = &run->drained;

    drained->counted = line_number(line, "counted");
    drained->entries = line_number(line, "entries");
    drained->returns = line_number(line, "returns");
    drained->skid = line_number(line, "skid");
    drained->most = line_number(line, "most");
    drained->unmasked = line_number(line, "unmasked");
    drained->tells_late =
        interrupted && (!run->method->counter_driven || pmu_tells_late(counted_event(run)));
    return line_has_if(line, "counted", run->method->counter_driven) &&
           line_has_if(line, "entries", interrupted) &&
           line_has_if(line, "skid", drained->tells_late);
}

/* How many records the method keeps: as its buffer has room for, or as the model has. */
static uint64_t capacity_of(const struct line *line, const struct run *run)
{
    const struct cpu_part *cpu = run->cpu;

    return run->method->ring_lbr      ? cpu->lbr_depth
           : run->method->ring_buffer ? line_number(line, "buffer")
                                      : run->method->newest;
}

bool parse_run(struct line *line)
{
    struct run *run = planned_run(line);
    const struct method_facts *method;

    if (!run)
        return false;
    line->log->in_run = true;
    method = run->method;
    run->capacity = capacity_of(line, run);
    run->drained.nmi = span_is(line_text(line, "delivery"), "nmi");
    if (!line_has_if(line, "buffer", method->ring_buffer || method->pmi_drained) ||
        !line_has_if(line, "threshold", method->pmi_drained) ||
        !line_has_if(line, "event", method->counter_driven) || !take_info_words(line, run))
        return false;
    if (method->ring_buffer && !run->capacity)
        return here(line->log, "run: buffer=0, want at least 1 record");
    return (!method->pmi_drained || take_buffer(line, &run->drained)) &&
           (!method->counter_driven || take_event(line, method, &run->drained));
}

bool parse_skip(struct line *line)
{
    struct run *run = planned_run(line);
    const struct span why = line_text(line, "why");
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

static bool take_crash(struct line *line, struct run *run)
{
    const struct log_map map = map_of(line->log, run->workload);
    struct line at = *line;

    if (!line_has_if(line, "vector", run->outcome == CRASHED))
        return false;
    if (run->outcome != CRASHED)
        return true;
    run->vector = line_number(line, "vector");
    at.rest = line_text(line, "at");
    return place_read(&at, &map, LOG_TO, "at=END", &run->crashed_at);
}

/* What a program returned; other workloads have no such field. */
static bool take_result(struct line *line, struct run *run)
{
    run->result = line_number(line, "result");
    run->has_result = line_has(line, "result");
    return line_has_if(line, "result",
                       run->workload->own->flags & WORKLOAD_RESULT &&
                           run->outcome == ENDED);
}

/* How many recorders and windows of all processors there were at the same time. */
static bool take_attendance(struct line *line, struct run *run)
{
    struct log *log = line->log;
    const bool several = log->machine.processor_count >= 2;

    run->armed = line_number(line, "armed");
    run->open = line_number(line, "open");
    if (!line_has_if(line, "armed", several))
        return false;
    if (!several)
        return run->outcome != GONE ||
               here(log, "ran: outcome=gone, but there is one processor");
    return (run->open >= (run->outcome != GONE) && run->open <= run->armed &&
            run->armed <= processors_of(log)) ||
           log_error(
               log, log->line,
               "ran: got armed=%llu open=%llu, want open= from 1 to armed=, and that at "
               "most the %zu processors",
               (unsigned long long)run->armed, (unsigned long long)run->open,
               processors_of(log));
}

/* Entries of AMD's LBR stack that hold no record; with the records they fit into it. */
static bool take_wrong_path(struct line *line, struct run *run)
{
    const struct cpu_part *cpu = run->cpu;
    const uint64_t count = line_number(line, "wrong_path");

    run->wrong_path = count;
    return !line_has(line, "wrong_path") ||
           (run->method->ring_lbr && cpu->row && cpu->row->lbr.to_valid && count > 0 &&
            count <= run->capacity && run->records <= run->capacity - count) ||
           log_error(
               line->log, line->log->line,
               "ran: got wrong_path=%llu, want it only for an LBR stack whose entries "
               "say that they are valid, and with records= at most its %llu entries",
               (unsigned long long)count, (unsigned long long)run->capacity);
}

/* Only of processors that have the event. */
static bool take_inserts(struct line *line, struct run *run)
{
    const struct cpu_part *cpu = run->cpu;
    const struct span inserts = line_text(line, "inserts");

    if (!line_has(line, "inserts")) /* a kernel that logs leaf 23H always logs these */
        return run->outcome == GONE || !run->method->ring_lbr ||
               !pmu_counts_inserts(&cpu->id) ||
               !cpuid_find(cpu->leaves, cpu->leaf_count, LEAF_PERFMON_EXT, 0) ||
               here(line->log, "ran: no inserts=, although leaf 0x23 has LBR inserts");
    if (!run->method->ring_lbr || !pmu_counts_inserts(&cpu->id))
        return log_error(line->log, line->log->line,
                         "ran: got inserts=%.*s, want it only of lbr where CPUID has the "
                         "event LBR inserts",
                         SPAN(inserts));
    if (span_is(inserts, "absent"))
        run->inserts_logged = INSERTS_ABSENT;
    else if (read_decimal(inserts, &run->inserts))
        run->inserts_logged = INSERTS_COUNTED;
    return run->inserts_logged ||
           log_error(line->log, line->log->line,
                     "ran: got inserts=%.*s, want inserts=N or absent", SPAN(inserts));
}

/* A field that is only there if it is not 0. */
static bool take_count(struct line *line, const char *key, uint64_t *out)
{
    *out = line_number(line, key);
    return !line_has(line, key) || *out > 0 ||
           log_error(line->log, line->log->line, "ran: %s=0: want at least 1", key);
}

/* `differed=0,17,4`: as many numbers as the run was made times, and one is not 0. */
static bool read_tries(struct span text, struct tries *tries)
{
    bool any = false, last = false;

    for (tries->count = 0; tries->count < RUN_TRIES_MAX && !last; tries->count++) {
        const char *comma = memchr(text.at, ',', text.length);
        struct span one = { text.at, comma ? (size_t)(comma - text.at) : text.length };

        if (!read_decimal(one, &tries->differed[tries->count]))
            return false;
        any = any || tries->differed[tries->count];
        last = !comma;
        text.at += one.length + !last;
        text.length -= one.length + !last;
    }
    return last && any;
}

static bool take_tries(struct line *line, struct run *run)
{
    const struct cpu_part *cpu = run->cpu;
    const struct span differed = line_text(line, "differed");

    if (!line_has(line, "differed"))
        return true;
    if (!span_is(cpu->left.smi_count, "absent"))
        return log_error(line->log, line->log->line,
                         "ran: got differed=%.*s, want it only where smi_count=absent",
                         SPAN(differed));
    return (read_tries(differed, &run->tries) && run->tries.count == run->repeated + 1) ||
           log_error(line->log, line->log->line,
                     "ran: differed=%.*s: want %llu numbers, as many as the run was made "
                     "times, and at least one of them not 0",
                     SPAN(differed), (unsigned long long)run->repeated + 1);
}

/* How often it was made before, and what broke into it all the same. */
static bool take_hits(struct line *line, struct run *run)
{
    const struct cpu_part *cpu = run->cpu;
    const bool counted =
        cpu->left.smi_count.length > 0 && !span_is(cpu->left.smi_count, "absent");

    return take_count(line, "repeated", &run->repeated) &&
           (run->repeated < RUN_TRIES_MAX ||
            log_error(line->log, line->log->line, "ran: repeated=%llu: want at most %d",
                      (unsigned long long)run->repeated, RUN_TRIES_MAX - 1)) &&
           take_tries(line, run) && take_count(line, "smis", &run->smis) &&
           take_count(line, "nmis", &run->nmis) &&
           (counted || !run->smis ||
            log_error(line->log, line->log->line,
                      "ran: smis=%llu, but no smi_count= before it says that SMIs are "
                      "counted",
                      (unsigned long long)run->smis));
}

static bool take_packets(struct log *log, struct run *run)
{
    if (!run->method->packets)
        return true;
    if (!run->lines && run->outcome != GONE)
        return here(log, "ran: no line packets before it");
    return !run->lines || packets_unpack(&log->memory, run->lines) ||
           log_error(log, run->lines->line, "packets: they cannot be unpacked");
}

bool parse_ran(struct line *line)
{
    struct log *log = line->log;
    struct run *run = &log->runs[log->run_count - 1];

    if (line_number(line, "n") != run->number)
        return log_error(log, log->line, "ran: got n=%.*s, want n=%zu",
                         SPAN(line_text(line, "n")), run->number);
    if (line_number(line, "records") != run->records)
        return log_error(
            log, log->line, "ran: records=%.*s, but the lines of the run make %llu",
            SPAN(line_text(line, "records")), (unsigned long long)run->records);
    run->outcome = (enum outcome)line_number(line, "outcome");
    run->events = line_number(line, "events");
    run->lost = line_number(line, "lost");
    run->ticks = line_number(line, "ticks");
    run->end_line = log->line;
    log->in_run = false;
    return take_wrong_path(line, run) && take_inserts(line, run) &&
           check_packed(log, run) && check_infos(log, run) && take_attendance(line, run) &&
           take_hits(line, run) && take_debug_status(line, run) &&
           take_interrupts(line, run) && take_result(line, run) && take_crash(line, run) &&
           take_packets(log, run);
}

static bool fits(const struct run *run)
{
    return run->repeats.asked > 1 && run->repeats.made >= 1 &&
           run->repeats.made <= run->repeats.asked && run->repeats.least > 0 &&
           run->repeats.least <= run->ticks && run->ticks <= run->repeats.most;
}

bool parse_cost(struct line *line)
{
    struct log *log = line->log;
    struct run *run = log->run_count ? &log->runs[log->run_count - 1] : NULL;

    if (!run || run->skipped || run->outcome != ENDED || run->repeats.line)
        return log_error(log, log->line, "cost: no run that has ended is before it");
    if (line_number(line, "n") != run->number)
        return log_error(log, log->line, "cost: got n=%.*s, want n=%zu",
                         SPAN(line_text(line, "n")), run->number);
    run->repeats.line = log->line;
    run->repeats.asked = line_number(line, "asked");
    run->repeats.made = line_number(line, "made");
    run->repeats.least = line_number(line, "least");
    run->repeats.most = line_number(line, "most");
    return fits(run) || log_error(log, log->line,
                                  "cost: want asked= from 2, made= at most that, least= "
                                  "from 1, and the ticks of its run from least= to most=");
}

bool parse_end(struct line *line)
{
    struct log *log = line->log;
    const uint64_t runs = line_number(line, "runs"), ran = line_number(line, "ran");
    const bool planned = !log->by_command || log->plan.line; /* not every command has one */
    uint64_t skipped = 0, records = 0;

    if (!(planned ? close_plan(log) : plan_was_made(log)))
        return false;
    log->nmis = line_number(line, "nmis");
    for (size_t i = 0; i < log->run_count; i++) {
        skipped += log->runs[i].skipped;
        records += log->runs[i].method->packets ? 0 : log->runs[i].records;
    }
    log->ended = true;
    if (planned && !plan_fulfilled(log))
        return false;
    if (runs != log->run_count || ran != log->run_count - skipped ||
        line_number(line, "skipped") != skipped || line_number(line, "records") != records)
        return log_error(
            log, log->line,
            "end: got runs=%llu ran=%llu skipped=%llu records=%llu, want runs=%zu "
            "ran=%zu skipped=%zu records=%llu",
            (unsigned long long)runs, (unsigned long long)ran,
            (unsigned long long)line_number(line, "skipped"),
            (unsigned long long)line_number(line, "records"), log->run_count,
            log->run_count - skipped, skipped, (unsigned long long)records);
    return true;
}
