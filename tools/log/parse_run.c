/*
 * The runs, in the order of the plan, with their records; and the closing count.
 */
#include "parse.h"

#include <string.h>

#include "heap.h"
#include "processors.h"

#define BUFFER_RECORDS_MAX (1ull << 27)

static bool right_filter(struct line *line, uint32_t filter)
{
    struct value v;

    return line_fields(line, "filter=w", &v) &&
           (span_is(v.text, filter_words(filter)) ||
            log_error(line->log, line->log->line,
                      "%.*s: got filter=%.*s, want by the plan %s", SPAN(line->word),
                      SPAN(v.text), filter_words(filter)));
}

/* The run that comes next by the plan, if the line names that one. */
static struct run *planned_run(struct line *line)
{
    struct log *log = line->log;
    size_t n = log->run_count, in_plan = n - log->plan_first;
    const struct method_facts *method;
    const struct loaded *loaded;
    uint32_t filter;
    struct value v[3];
    size_t m, w, f;

    if (!close_plan(log) || !line_fields(line, "n=d method=w workload=w", v))
        return NULL;
    if (in_plan >= log->plan_runs) {
        log_error(log, log->line, "%.*s: the plan has only %llu runs", SPAN(line->word),
                  (unsigned long long)log->plan_runs);
        return NULL;
    }
    run_of_processors(log, in_plan, &m, &w, &f);
    method = log->methods[m];
    loaded = log->planned[w];
    filter = log->filter_count ? log->filters[f] : 0;
    log->rounds += in_plan % plan_once(log) == 0;
    if (v[0].number != n + 1 || !span_is(v[1].text, method->name) ||
        !span_is(v[2].text, loaded->own->name)) {
        log_error(log, log->line,
                  "%.*s: got n=%.*s method=%.*s workload=%.*s, want by the plan n=%zu "
                  "method=%s workload=%s",
                  SPAN(line->word), SPAN(v[0].text), SPAN(v[1].text), SPAN(v[2].text),
                  n + 1, method->name, loaded->own->name);
        return NULL;
    }
    if (log->filter_count && !right_filter(line, filter))
        return NULL;
    log->runs = grow(log->runs, &log->run_capacity, n, sizeof(*log->runs));
    log->runs[log->run_count++] = (struct run){ .method = method,
                                                .workload = loaded,
                                                .filter = filter,
                                                .filtered = log->filter_count > 0,
                                                .number = n + 1,
                                                .line = log->line,
                                                .round = log->rounds };
    return parse_run_processor(line, &log->runs[n]) ? &log->runs[n] : NULL;
}

static bool read_delivery(struct line *line, struct drained *drained)
{
    struct value v;

    if (!line_fields(line, "delivery=w", &v))
        return false;
    drained->nmi = span_is(v.text, "nmi");
    return drained->nmi || span_is(v.text, "fixed") ||
           log_error(line->log, line->log->line,
                     "run: got delivery=%.*s, want fixed or nmi", SPAN(v.text));
}

/* `freeze=1`: only lbr-stream freezes the stack. */
static bool read_freeze(struct line *line, const struct method_facts *method,
                        struct drained *drained)
{
    struct value v;

    if (!line_next_is(line, "freeze"))
        return true;
    if (!line_fields(line, "freeze=d", &v))
        return false;
    drained->freezes = true;
    return (v.number == 1 && method->overlaps) ||
           log_error(line->log, line->log->line,
                     "run: got freeze=%.*s, want freeze=1, and only of lbr-stream",
                     SPAN(v.text));
}

/* Of a method that is interrupted: its buffer, and when and how that asks for it. */
static bool parse_buffer(struct line *line, struct drained *drained)
{
    struct value v[2];

    if (!line_fields(line, "buffer=d threshold=d", v))
        return false;
    drained->buffer = v[0].number;
    drained->threshold = v[1].number;
    if (drained->threshold == 0 || drained->threshold > drained->buffer ||
        drained->buffer > BUFFER_RECORDS_MAX)
        return log_error(
            line->log, line->log->line,
            "run: got buffer=%.*s threshold=%.*s, want a threshold from 1 to the "
            "records of the buffer, at most %llu",
            SPAN(v[0].text), SPAN(v[1].text), BUFFER_RECORDS_MAX);
    return read_delivery(line, drained);
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

/* ...or what a counter counts, and how often that asks for it. */
static bool parse_event(struct line *line, struct drained *drained)
{
    struct value v[2];

    if (!line_fields(line, "event=w period=d", v))
        return false;
    if (!read_event(v[0].text, &drained->event, &drained->umask))
        return log_error(line->log, line->log->line,
                         "run: got event=%.*s, want its numbers, as 0xc4/0x20",
                         SPAN(v[0].text));
    drained->period = v[1].number;
    if (drained->period == 0 || drained->period > PERIOD_MAX)
        return log_error(line->log, line->log->line,
                         "run: got period=%.*s, want one from 1 to %u", SPAN(v[1].text),
                         PERIOD_MAX);
    return read_delivery(line, drained);
}

/* What its interrupts left, and how late they came. */
static bool parse_interrupts(struct line *line, struct run *run)
{
    struct drained *drained = &run->drained;
    struct value v[5];

    if (run->method->counter_driven) {
        if (!line_fields(line, "counted=d", v))
            return false;
        drained->counted = v[0].number;
    }
    if (!line_fields(line, "entries=d returns=d", v))
        return false;
    drained->entries = v[0].number;
    drained->returns = v[1].number;
    drained->tells_late =
        !run->method->counter_driven || pmu_tells_late(counted_event(line->log, run));
    if (drained->tells_late) {
        if (!line_fields(line, "skid=d most=d", v))
            return false;
        drained->skid = v[0].number;
        drained->most = v[1].number;
    }
    if (!line_fields(line, "unmasked=d", v))
        return false;
    drained->unmasked = v[0].number;
    return true;
}

/* How many records the method keeps: as its buffer has room for, or as the model has. */
static bool parse_capacity(struct line *line, struct run *run)
{
    const struct log of = log_of_processor(line->log, run->processor);
    struct value v;

    run->capacity = run->method->ring_lbr ? of.cpu.lbr_depth : run->method->newest;
    if (!run->method->ring_buffer)
        return true;
    if (!line_fields(line, "buffer=d", &v))
        return false;
    run->capacity = v.number;
    return run->capacity > 0 || here(line->log, "run: buffer=0, want at least 1 record");
}

bool parse_run(struct line *line)
{
    struct run *run = planned_run(line);

    if (!run)
        return false;
    line->log->in_run = true;
    if (line_next_is(line, "info") && !parse_run_info(line, run))
        return false;
    if (!parse_capacity(line, run))
        return false;
    if (run->method->counter_driven)
        return parse_event(line, &run->drained) &&
               read_freeze(line, run->method, &run->drained);
    return !run->method->pmi_drained || parse_buffer(line, &run->drained);
}

bool parse_skip(struct line *line)
{
    struct run *run = planned_run(line);
    struct value v;

    size_t of = 0;

    if (!run || !line_fields(line, "why=w", &v))
        return false;
    run->skipped = true;
    run->reason = v.text;
    run->end_line = line->log->line;
    run->skip = skip_read(v.text.at, v.text.length, &of);
    if (of < v.text.length)
        run->skip_of = (struct span){ v.text.at + of, v.text.length - of };
    return run->skip ||
           log_error(line->log, line->log->line,
                     "skip: why=%.*s is no reason that this program knows", SPAN(v.text));
}

static bool parse_crash(struct line *line, struct run *run)
{
    struct log_map map = map_of(line->log, run->workload);
    struct value v;

    if (!line_fields(line, "vector=d", &v))
        return false;
    run->vector = v.number;
    if (!line_next_is(line, "at"))
        return line_fields(line, "at=w", &v);
    line->rest.at += strlen("at=");
    line->rest.length -= strlen("at=");
    return place_read(line, &map, LOG_TO, "at=END", &run->crashed_at);
}

/* What a program returned; other workloads have no such word. */
static bool parse_result(struct line *line, struct run *run)
{
    struct value v;

    if (!(run->workload->own->flags & WORKLOAD_RESULT))
        return true;
    if (!line_fields(line, "result=x", &v))
        return false;
    run->result = v.number;
    run->has_result = true;
    return true;
}

/* How many recorders and windows of all processors there were at the same time. */
static bool parse_attendance(struct line *line, struct run *run)
{
    struct log *log = line->log;
    uint64_t all = processors_of(log);
    struct value v[2];

    if (log->processor_count < 2)
        return run->outcome != GONE ||
               log_error(log, log->line, "ran: outcome=gone, but there is one processor");
    if (!line_fields(line, "armed=d open=d", v))
        return false;
    run->armed = v[0].number;
    run->open = v[1].number;
    return (run->open >= (run->outcome != GONE) && run->open <= run->armed &&
            run->armed <= all) ||
           log_error(
               log, log->line,
               "ran: got armed=%.*s open=%.*s, want open= from 1 to armed=, and that at "
               "most the %llu processors",
               SPAN(v[0].text), SPAN(v[1].text), (unsigned long long)all);
}

/* Entries of AMD's LBR stack that hold no record; with the records they fit into it. */
static bool parse_wrong_path(struct line *line, struct run *run)
{
    const struct log of = log_of_processor(line->log, run->processor);
    struct value v;

    if (!line_fields(line, "wrong_path=d", &v))
        return false;
    run->wrong_path = v.number;
    return (run->method->ring_lbr && of.cpu.row && of.cpu.row->lbr.to_valid &&
            v.number > 0 && v.number <= run->capacity &&
            run->records <= run->capacity - v.number) ||
           log_error(
               line->log, line->log->line,
               "ran: got wrong_path=%.*s, want it only for an LBR stack whose entries "
               "say that they are valid, and with records= at most room=%llu",
               SPAN(v.text), (unsigned long long)run->capacity);
}

/* Only of processors that have the event. */
static bool parse_inserts(struct line *line, struct run *run)
{
    const struct log of = log_of_processor(line->log, run->processor);
    const bool may = run->method->ring_lbr && pmu_counts_inserts(&of.cpu.id);
    struct value v;

    if (!line_next_is(line, "inserts"))
        return true;
    if (!line_fields(line, "inserts=w", &v))
        return false;
    if (!may)
        return log_error(line->log, line->log->line,
                         "ran: got inserts=%.*s, want it only of lbr where CPUID has the "
                         "event LBR inserts",
                         SPAN(v.text));
    if (span_is(v.text, "absent"))
        run->inserts_logged = INSERTS_ABSENT;
    else if (read_decimal(v.text, &run->inserts))
        run->inserts_logged = INSERTS_COUNTED;
    return run->inserts_logged ||
           log_error(line->log, line->log->line,
                     "ran: got inserts=%.*s, want inserts=N or absent", SPAN(v.text));
}

/* A word that is only there where something is to be counted. */
static bool count_if_any(struct line *line, const char *key, const char *form,
                         uint64_t *out)
{
    struct value v;

    if (!line_next_is(line, key))
        return true;
    if (!line_fields(line, form, &v))
        return false;
    *out = v.number;
    return v.number > 0 ||
           log_error(line->log, line->log->line, "ran: %s=0: want at least 1", key);
}

/* `differed=0,17,4`: as many numbers as the run was made times, and one is not 0. */
static bool read_tries(struct span text, struct tries *tries)
{
    bool any = false, last = false;

    for (tries->count = 0; tries->count < TRIES_MAX && !last; tries->count++) {
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

static bool parse_tries(struct line *line, struct run *run)
{
    const struct log of = log_of_processor(line->log, run->processor);
    struct value v;

    if (!line_next_is(line, "differed"))
        return true;
    if (!line_fields(line, "differed=w", &v))
        return false;
    if (!span_is(of.left.smi_count, "absent"))
        return log_error(line->log, line->log->line,
                         "ran: got differed=%.*s, want it only where smi_count=absent",
                         SPAN(v.text));
    return (read_tries(v.text, &run->tries) && run->tries.count == run->repeated + 1) ||
           log_error(line->log, line->log->line,
                     "ran: differed=%.*s: want %llu numbers, as many as the run was made "
                     "times, and at least one of them not 0",
                     SPAN(v.text), (unsigned long long)run->repeated + 1);
}

/* How often it was made before, and what broke into it all the same. */
static bool parse_hits(struct line *line, struct run *run)
{
    const struct log of = log_of_processor(line->log, run->processor);
    const bool counted =
        of.left.smi_count.length > 0 && !span_is(of.left.smi_count, "absent");

    return count_if_any(line, "repeated", "repeated=d", &run->repeated) &&
           (run->repeated < TRIES_MAX ||
            log_error(line->log, line->log->line, "ran: repeated=%llu: want at most %d",
                      (unsigned long long)run->repeated, TRIES_MAX - 1)) &&
           parse_tries(line, run) && count_if_any(line, "smis", "smis=d", &run->smis) &&
           count_if_any(line, "nmis", "nmis=d", &run->nmis) &&
           (counted || !run->smis ||
            log_error(line->log, line->log->line,
                      "ran: smis=%llu, but no smi_count= before it says that SMIs are "
                      "counted",
                      (unsigned long long)run->smis));
}

bool parse_ran(struct line *line)
{
    struct log *log = line->log;
    struct run *run = &log->runs[log->run_count - 1];
    struct value v[6];

    if (!line_fields(line, "n=d outcome=w records=d events=d lost=d ticks=d", v))
        return false;
    if (v[0].number != run->number)
        return log_error(log, log->line, "ran: got n=%.*s, want n=%zu", SPAN(v[0].text),
                         run->number);
    while (run->outcome < OUTCOMES && !span_is(v[1].text, outcome_names[run->outcome]))
        run->outcome++;
    if (run->outcome == OUTCOMES)
        return log_error(
            log, log->line,
            "ran: got outcome=%.*s, want ended, crashed, budget, timeout, livelock or gone",
            SPAN(v[1].text));
    if (v[2].number != run->records)
        return log_error(log, log->line,
                         "ran: records=%.*s, but the lines of the run make %llu",
                         SPAN(v[2].text), (unsigned long long)run->records);
    run->events = v[3].number;
    run->lost = v[4].number;
    run->ticks = v[5].number;
    run->end_line = log->line;
    log->in_run = false;
    if (line_next_is(line, "wrong_path") && !parse_wrong_path(line, run))
        return false;
    if (!parse_inserts(line, run))
        return false;
    return check_packed(log, run) && check_infos(log, run) && parse_attendance(line, run) &&
           parse_hits(line, run) && parse_debug_status(line, run) &&
           (!method_is_interrupted(run->method) || parse_interrupts(line, run)) &&
           (run->outcome != ENDED || parse_result(line, run)) &&
           (run->outcome != CRASHED || parse_crash(line, run));
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
    struct value v[5];

    if (!run || run->skipped || run->outcome != ENDED || run->repeats.line)
        return log_error(log, log->line, "cost: no run that has ended is before it");
    if (!line_fields(line, "n=d asked=d made=d least=d most=d", v))
        return false;
    if (v[0].number != run->number)
        return log_error(log, log->line, "cost: got n=%.*s, want n=%zu", SPAN(v[0].text),
                         run->number);
    run->repeats.line = log->line;
    run->repeats.asked = v[1].number;
    run->repeats.made = v[2].number;
    run->repeats.least = v[3].number;
    run->repeats.most = v[4].number;
    return fits(run) || log_error(log, log->line,
                                  "cost: want asked= from 2, made= at most that, least= "
                                  "from 1, and the ticks of its run from least= to most=");
}

bool parse_end(struct line *line)
{
    struct log *log = line->log;
    struct value v[4], nmis = { .number = 0 };
    uint64_t skipped = 0, records = 0;

    bool planned = !log->by_command || log->plan_line; /* not every command has a plan */

    if (!(planned ? close_plan(log) : plan_was_made(log)) ||
        !line_fields(line, "runs=d ran=d skipped=d records=d", v))
        return false;
    if (line_next_is(line, "nmis") && !line_fields(line, "nmis=d", &nmis))
        return false;
    log->nmis = nmis.number;
    for (size_t i = 0; i < log->run_count; i++) {
        skipped += log->runs[i].skipped;
        records += log->runs[i].records;
    }
    log->ended = true;
    if (planned && !plan_fulfilled(log))
        return false;
    if (v[0].number != log->run_count || v[1].number != log->run_count - skipped ||
        v[2].number != skipped || v[3].number != records)
        return log_error(
            log, log->line,
            "end: got runs=%.*s ran=%.*s skipped=%.*s records=%.*s, want runs=%zu "
            "ran=%zu skipped=%zu records=%llu",
            SPAN(v[0].text), SPAN(v[1].text), SPAN(v[2].text), SPAN(v[3].text),
            log->run_count, log->run_count - skipped, skipped, (unsigned long long)records);
    return true;
}
