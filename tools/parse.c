/*
 * What each line means.  docs/log.md is the grammar; every line that it does not
 * allow ends the reading with a sentence.
 */
#include "tools.h"

#include <string.h>

#define CODE_LINE_MAX 64u /* bytes of code on one line */
#define TIMES_MAX     (1ull << 32)

const char *const facility_names[FACILITY_COUNT] = { "step", "btf", "lbr", "bts" };

size_t own_workload_count(void)
{
    return (size_t)(__stop_workloads - __start_workloads);
}

const struct workload *own_workload(struct span name)
{
    for (const struct workload *w = __start_workloads; w < __stop_workloads; w++)
        if (span_is(name, w->name))
            return w;
    return NULL;
}

static struct placed *placed_named(struct log *log, struct span name)
{
    for (size_t i = 0; i < log->workload_count; i++)
        if (span_is(name, log->workloads[i].own->name))
            return &log->workloads[i];
    return NULL;
}

static const struct method_view *method_named(struct span name)
{
    for (size_t i = 0; i < method_view_count; i++)
        if (span_is(name, method_views[i].name))
            return &method_views[i];
    return NULL;
}

static bool here(struct log *log, const char *sentence)
{
    return trouble(log, log->line, "%s", sentence);
}

/* For a line that must stand once: *first becomes its line. */
static bool once(struct line *line, size_t *first)
{
    if (*first)
        return trouble(line->log, line->log->line,
                       "a second \"%.*s\"; the first is in line %zu", SPAN(line->word),
                       *first);
    *first = line->log->line;
    return true;
}

/* The machine. */

static bool parse_opening(struct line *line)
{
    struct log *log = line->log;
    struct value v[2];

    if (log->opened)
        return here(log, "a second opening line");
    log->opened = true;
    if (!line_fields(line, "log=d", v))
        return false;
    if (v[0].number != LOG_VERSION)
        return trouble(log, log->line,
                       "a log of version %.*s, this program reads version %d",
                       SPAN(v[0].text), LOG_VERSION);
    if (!line_fields(line, "build=w", v + 1))
        return false;
    log->build = v[1].text;
    return true;
}

static bool parse_firmware(struct line *line)
{
    struct value v[2];

    if (!once(line, &line->log->firmware_line) ||
        !line_fields(line, "vendor=q revision=x", v))
        return false;
    line->log->vendor = v[0].text;
    line->log->revision = v[1].text;
    return true;
}

static bool parse_cpu(struct line *line)
{
    struct log *log = line->log;
    struct value v[8];

    if (!once(line, &log->cpu_line) ||
        !line_fields(line,
                     "vendor=w family=x model=x stepping=x signature=x microcode=x "
                     "hypervisor=q brand=q",
                     v))
        return false;
    if (v[0].text.length >= sizeof(log->id.vendor))
        return trouble(log, log->line, "cpu: vendor of %zu letters, want at most %zu",
                       v[0].text.length, sizeof(log->id.vendor) - 1);
    memcpy(log->id.vendor, v[0].text.at, v[0].text.length);
    log->id.family = (uint32_t)v[1].number;
    log->id.model = (uint32_t)v[2].number;
    log->id.stepping = (uint32_t)v[3].number;
    log->microcode = v[5].text;
    log->hypervisor = v[6].text;
    log->brand = v[7].text;
    return true;
}

#define PERF_CAPABILITIES_LBR_FMT 0x3f /* SDM vol. 4, IA32_PERF_CAPABILITIES */

static bool parse_features(struct line *line)
{
    struct cpu_id *id = &line->log->id;
    struct value v[9];

    if (!once(line, &line->log->features_line) ||
        !line_fields(line,
                     "ds=b dtes64=b ds_cpl=b pdcm=b arch_lbr=b arch_lbr_depths=x "
                     "perf_capabilities=a perfmon=d misc_enable=a",
                     v))
        return false;
    id->ds = v[0].number;
    id->dtes64 = v[1].number;
    id->ds_cpl = v[2].number;
    id->pdcm = v[3].number;
    id->arch_lbr = v[4].number;
    id->arch_lbr_depths = (uint8_t)v[5].number;
    id->lbr_format = (uint8_t)(v[6].number & PERF_CAPABILITIES_LBR_FMT);
    return v[5].number <= UINT8_MAX ||
           trouble(line->log, line->log->line,
                   "features: arch_lbr_depths=%.*s, want 8 bits", SPAN(v[5].text));
}

static bool parse_model(struct line *line)
{
    struct log *log = line->log;
    struct value v[2];
    size_t depth;

    if (!once(line, &log->model_line) || !line_fields(line, "name=w lbr_depth=d", v))
        return false;
    if (!log->cpu_line || !log->features_line)
        return here(log, "model: want it after cpu and features");
    log->row = model_find(&log->id);
    depth = log->row ? model_lbr_depth(log->row, &log->id) : 0;
    log->lbr_depth = depth;
    if (span_is(v[0].text, log->row ? log->row->name : "unknown") && v[1].number == depth)
        return true;
    return trouble(
        log, log->line,
        "model: got name=%.*s lbr_depth=%.*s, want name=%s lbr_depth=%zu: that is "
        "the row of family 0x%x model 0x%x",
        SPAN(v[0].text), SPAN(v[1].text), log->row ? log->row->name : "unknown", depth,
        log->id.family, log->id.model);
}

static bool parse_image(struct line *line)
{
    struct log *log = line->log;
    struct value v[2];

    if (!once(line, &log->image_line) || !line_fields(line, "base=x size=x", v))
        return false;
    log->image_at = v[0].number;
    log->image_size = v[1].number;
    return log->image_at + log->image_size >= log->image_at ||
           here(log, "image: it does not fit the address space");
}

#define CALL_LENGTH_MAX 15 /* of any instruction */

static bool parse_caller(struct line *line)
{
    struct log *log = line->log;
    struct value v[2];

    if (!once(line, &log->caller_line) || !line_fields(line, "call=x return=x", v))
        return false;
    log->call = v[0].number;
    log->back = v[1].number;
    return log->back - log->call - 1 < CALL_LENGTH_MAX ||
           here(log, "caller: want return= the instruction after call=");
}

static bool parse_facility(struct line *line)
{
    static const char *const outcomes[] = { "works", "deviates", "dead", "faults",
                                            "absent" };
    struct value v[3];
    size_t facility = 0, outcome = 0;

    if (!line_fields(line, "name=w outcome=w evidence=q", v))
        return false;
    while (facility < FACILITY_COUNT && !span_is(v[0].text, facility_names[facility]))
        facility++;
    while (outcome < COUNT_OF(outcomes) && !span_is(v[1].text, outcomes[outcome]))
        outcome++;
    if (facility == FACILITY_COUNT)
        return trouble(line->log, line->log->line,
                       "facility: got name=%.*s, want step, btf, lbr or bts",
                       SPAN(v[0].text));
    if (outcome == COUNT_OF(outcomes))
        return trouble(line->log, line->log->line,
                       "facility: got outcome=%.*s, want works, deviates, dead, faults or "
                       "absent",
                       SPAN(v[1].text));
    if (!once(line, &line->log->facilities[facility].line))
        return false;
    line->log->facilities[facility].outcome = v[1].text;
    line->log->facilities[facility].evidence = v[2].text;
    return true;
}

/* The workloads, held against this program's own. */

static bool other_sources(struct log *log, struct span name, const char *what)
{
    return trouble(log, log->line,
                   "workload %.*s: %s: the image was built from other sources than this "
                   "program",
                   SPAN(name), what);
}

static bool parse_workload(struct line *line)
{
    struct log *log = line->log;
    const struct workload *own;
    struct placed *known;
    struct value v[5];

    if (!line_fields(line, "name=w at=x size=x stubs=d about=q", v))
        return false;
    known = placed_named(log, v[0].text);
    if (known)
        return trouble(log, log->line,
                       "workload %.*s: a second one; the first is in line %zu",
                       SPAN(v[0].text), known->line);
    own = own_workload(v[0].text);
    if (!own)
        return other_sources(log, v[0].text, "not known here");
    if (v[2].number != own->size)
        return other_sources(log, v[0].text, "its code has another size");
    if (v[3].number != own->stub_count)
        return other_sources(log, v[0].text, "it has another number of stubs");
    if (!span_is(v[4].text, own->about))
        return other_sources(log, v[0].text, "it is about something else");
    log->workloads = more_room(log->workloads, &log->workload_room, log->workload_count,
                               sizeof(*log->workloads));
    log->workloads[log->workload_count++] =
        (struct placed){ .own = own, .at = v[1].number, .line = log->line };
    return v[1].number + own->size > v[1].number ||
           here(log, "workload: it does not fit the address space");
}

static struct placed *parse_of(struct line *line)
{
    struct placed *placed;
    struct value v;

    if (!line_fields(line, "of=w", &v))
        return NULL;
    placed = placed_named(line->log, v.text);
    if (!placed)
        trouble(line->log, line->log->line, "%.*s: no workload %.*s before this line",
                SPAN(line->word), SPAN(v.text));
    return placed;
}

static bool parse_label(struct line *line, struct placed *placed, struct span word)
{
    const char *equals = memchr(word.at, '=', word.length);
    struct span name = { word.at, equals ? (size_t)(equals - word.at) : word.length };
    struct span number = { equals ? equals + 1 : word.at,
                           equals ? word.length - name.length - 1 : 0 };
    uint64_t offset;

    if (!equals || !read_hex(number, &offset))
        return trouble(line->log, line->log->line, "labels: got %.*s, want .NAME=0xN",
                       SPAN(word));
    if (label_offset(placed->own, name) != (int64_t)offset)
        return trouble(line->log, line->log->line,
                       "workload %s: %.*s is not there: the image was built from other "
                       "sources than this program",
                       placed->own->name, SPAN(word));
    placed->labels++;
    return true;
}

static bool parse_labels(struct line *line)
{
    struct placed *placed = parse_of(line);
    struct span word;

    if (!placed)
        return false;
    do
        if (!line_word(line, "a label", &word) || !parse_label(line, placed, word))
            return false;
    while (line->rest.length > 0);
    return true;
}

static bool hex_byte(const char *digits, uint8_t *out)
{
    char text[] = { '0', 'x', '1', digits[0], digits[1] };
    uint64_t number;

    if (!read_hex((struct span){ text, sizeof(text) }, &number))
        return false;
    *out = (uint8_t)number;
    return true;
}

static bool parse_code(struct line *line)
{
    struct placed *placed = parse_of(line);
    struct log *log = line->log;
    struct value v[2];
    uint8_t byte;

    if (!placed || !line_fields(line, "at=x bytes=w", v))
        return false;
    if (v[0].number != placed->code)
        return trouble(log, log->line, "code of %s: got at=%.*s, want at=0x%zx",
                       placed->own->name, SPAN(v[0].text), placed->code);
    if (v[1].text.length % 2 || v[1].text.length > 2 * CODE_LINE_MAX ||
        v[1].text.length / 2 > placed->own->size - placed->code)
        return trouble(log, log->line,
                       "code of %s: %zu digits, want pairs for at most %u bytes",
                       placed->own->name, v[1].text.length, CODE_LINE_MAX);
    for (size_t i = 0; i < v[1].text.length; i += 2, placed->code++) {
        if (!hex_byte(v[1].text.at + i, &byte))
            return trouble(log, log->line, "code of %s: \"%.2s\", want two hex digits",
                           placed->own->name, v[1].text.at + i);
        if (byte != placed->own->code[placed->code])
            return trouble(
                log, log->line,
                "workload %s: its code differs at +0x%zx: the image was built from "
                "other sources than this program",
                placed->own->name, placed->code);
    }
    return true;
}

/* The plan. */

static bool machine_known(struct log *log)
{
    const struct {
        size_t line;
        const char *word;
    } wanted[] = {
        { log->firmware_line, "firmware" }, { log->cpu_line, "cpu" },
        { log->features_line, "features" }, { log->model_line, "model" },
        { log->image_line, "image" },       { log->caller_line, "caller" },
    };

    for (size_t i = 0; i < COUNT_OF(wanted); i++)
        if (!wanted[i].line)
            return trouble(log, log->line, "plan: no line \"%s\" before it",
                           wanted[i].word);
    for (size_t i = 0; i < FACILITY_COUNT; i++)
        if (!log->facilities[i].line)
            return trouble(log, log->line, "plan: no line \"facility name=%s\" before it",
                           facility_names[i]);
    return true;
}

static bool workload_complete(struct log *log, const struct placed *placed)
{
    if (placed->code != placed->own->size)
        return trouble(log, log->line, "plan: of %s there are %zu bytes of code, want %u",
                       placed->own->name, placed->code, placed->own->size);
    if (placed->labels != label_count(placed->own))
        return trouble(log, log->line, "plan: of %s there are %zu labels, want %zu",
                       placed->own->name, placed->labels, label_count(placed->own));
    return true;
}

static bool plan_method(struct log *log, struct span name)
{
    const struct method_view *method = method_named(name);

    if (!method)
        return trouble(log, log->line,
                       "plan: the method %.*s is not known here: the image was built from "
                       "other sources than this program",
                       SPAN(name));
    for (size_t i = 0; i < log->method_count; i++)
        if (log->methods[i] == method)
            return trouble(log, log->line, "plan: the method %.*s stands twice",
                           SPAN(name));
    if (log->method_count == PLAN_MAX)
        return trouble(log, log->line, "plan: more than %d methods", PLAN_MAX);
    log->methods[log->method_count++] = method;
    return true;
}

static bool plan_workload(struct log *log, struct span name)
{
    const struct placed *placed = placed_named(log, name);

    if (!placed)
        return trouble(log, log->line, "plan: no line \"workload name=%.*s\" before it",
                       SPAN(name));
    for (size_t i = 0; i < log->planned_count; i++)
        if (log->planned[i] == placed)
            return trouble(log, log->line, "plan: the workload %.*s stands twice",
                           SPAN(name));
    if (log->planned_count == PLAN_MAX)
        return trouble(log, log->line, "plan: more than %d workloads", PLAN_MAX);
    log->planned[log->planned_count++] = placed;
    return workload_complete(log, placed);
}

/* Names with commas between. */
static bool plan_list(struct log *log, struct span list,
                      bool (*take)(struct log *, struct span))
{
    while (true) {
        const char *comma = memchr(list.at, ',', list.length);
        struct span name = { list.at, comma ? (size_t)(comma - list.at) : list.length };

        if (!take(log, name))
            return false;
        if (!comma)
            return true;
        list.at = comma + 1;
        list.length -= name.length + 1;
    }
}

static bool parse_plan(struct line *line)
{
    struct log *log = line->log;
    bool first = log->plan_line == 0;
    struct value v;

    if (log->plan_closed)
        return here(log, "a plan behind the first run");
    if (first && !machine_known(log))
        return false;
    if (first || line_next_is(line, "methods"))
        if (!line_fields(line, "methods=w", &v) || !plan_list(log, v.text, plan_method))
            return false;
    if (first || line->rest.length > 0)
        if (!line_fields(line, "workloads=w", &v) || !plan_list(log, v.text, plan_workload))
            return false;
    if (!first)
        return true;
    log->plan_line = log->line;
    if (!line_fields(line, "runs=d", &v))
        return false;
    log->plan_runs = v.number;
    return true;
}

static bool close_plan(struct log *log)
{
    if (log->plan_closed)
        return true;
    log->plan_closed = true;
    if (!log->plan_line)
        return here(log, "no plan before it");
    return log->plan_runs == log->method_count * log->planned_count ||
           trouble(log, log->plan_line,
                   "plan: runs=%llu, but %zu methods and %zu workloads make %zu",
                   (unsigned long long)log->plan_runs, log->method_count,
                   log->planned_count, log->method_count * log->planned_count);
}

/* The runs. */

/* The run that comes next by the plan, if the line names that one. */
static struct run *planned_run(struct line *line)
{
    struct log *log = line->log;
    size_t n = log->run_count;
    const struct method_view *method;
    const struct placed *placed;
    struct value v[3];

    if (!close_plan(log) || !line_fields(line, "n=d method=w workload=w", v))
        return NULL;
    if (n >= log->plan_runs) {
        trouble(log, log->line, "%.*s: the plan has only %llu runs", SPAN(line->word),
                (unsigned long long)log->plan_runs);
        return NULL;
    }
    method = log->methods[n % log->method_count];
    placed = log->planned[n / log->method_count];
    if (v[0].number != n + 1 || !span_is(v[1].text, method->name) ||
        !span_is(v[2].text, placed->own->name)) {
        trouble(log, log->line,
                "%.*s: got n=%.*s method=%.*s workload=%.*s, want by the plan n=%zu "
                "method=%s workload=%s",
                SPAN(line->word), SPAN(v[0].text), SPAN(v[1].text), SPAN(v[2].text), n + 1,
                method->name, placed->own->name);
        return NULL;
    }
    log->runs = more_room(log->runs, &log->run_room, n, sizeof(*log->runs));
    log->runs[log->run_count++] = (struct run){
        .method = method, .workload = placed, .number = n + 1, .line = log->line
    };
    return &log->runs[n];
}

static bool parse_run(struct line *line)
{
    struct run *run = planned_run(line);
    struct value v;

    if (!run || !line_fields(line, "room=d", &v))
        return false;
    run->room = v.number;
    line->log->in_run = true;
    return true;
}

static bool parse_skip(struct line *line)
{
    struct run *run = planned_run(line);
    struct value v;

    if (!run || !line_fields(line, "reason=q", &v))
        return false;
    run->skipped = true;
    run->reason = v.text;
    run->end_line = line->log->line;
    return run->reason.length > 0 || here(line->log, "skip: want a reason");
}

/* "xN", N from `least`. */
static bool read_times(struct line *line, struct span word, uint64_t least, uint64_t *out)
{
    struct span number = { word.at + 1, word.length - 1 };

    return (word.at[0] == 'x' && read_decimal(number, out) && *out >= least &&
            *out <= TIMES_MAX) ||
           trouble(line->log, line->log->line,
                   "%.*s: got %.*s, want xN with N from %llu to 2^32", SPAN(line->word),
                   SPAN(word), (unsigned long long)least);
}

static bool add_item(struct line *line, struct item item)
{
    struct log *log = line->log;
    struct run *run = &log->runs[log->run_count - 1];
    uint64_t more = item.again ? item.again * item.times : item.times;

    item.line = log->line;
    run->items = more_room(run->items, &run->item_room, run->item_count, sizeof(item));
    run->items[run->item_count++] = item;
    run->records += more;
    return run->records <= RUN_RECORDS_MAX ||
           trouble(log, log->line,
                   "more than %llu records in one run, which no workload makes",
                   RUN_RECORDS_MAX);
}

static bool rest_times(struct line *line, uint64_t *out)
{
    struct span word;

    *out = 1;
    return line->rest.length == 0 ||
           (line_word(line, "xN", &word) && read_times(line, word, 2, out));
}

static bool parse_branch(struct line *line)
{
    struct run *run = &line->log->runs[line->log->run_count - 1];
    struct log_map map = map_of(line->log, run->workload);
    struct item item = { .again = 0 };

    if (run->method->stops)
        return trouble(line->log, line->log->line, "branch: the records of %s are stops",
                       run->method->name);
    return place_read(line, &map, LOG_FROM, "FROM", &item.branch.from) &&
           place_read(line, &map, LOG_TO, "TO", &item.branch.to) &&
           rest_times(line, &item.times) && add_item(line, item);
}

static bool parse_stop(struct line *line)
{
    struct run *run = &line->log->runs[line->log->run_count - 1];
    struct log_map map = map_of(line->log, run->workload);
    struct item item = { .branch = { .from = BRANCH_UNKNOWN } };
    struct span word = { "", 0 };

    if (!run->method->stops)
        return trouble(line->log, line->log->line, "stop: the records of %s are branches",
                       run->method->name);
    if (!place_read(line, &map, LOG_TO, "TO", &item.branch.to))
        return false;
    item.times = 1;
    if (line->rest.length > 0 && !line_word(line, "taken, not-taken or xN", &word))
        return false;
    if (span_is(word, "taken"))
        item.branch.info = STOP_TAKEN;
    else if (span_is(word, "not-taken"))
        item.branch.info = STOP_NOT_TAKEN;
    else if (word.length > 0 && !read_times(line, word, 2, &item.times))
        return false;
    if (item.branch.info && !rest_times(line, &item.times))
        return false;
    return add_item(line, item);
}

static bool parse_again(struct line *line)
{
    struct run *run = &line->log->runs[line->log->run_count - 1];
    struct item item = { .again = 0 };
    struct span word;
    uint64_t again;

    if (!line_word(line, "how many records", &word))
        return false;
    if (!read_decimal(word, &again) || again == 0 || again > FOLD_REACH ||
        again > run->records)
        return trouble(
            line->log, line->log->line,
            "again: got %.*s, want a number of records from 1 to %d, of %llu so far",
            SPAN(word), FOLD_REACH, (unsigned long long)run->records);
    item.again = (uint32_t)again;
    return line_word(line, "xN", &word) && read_times(line, word, 1, &item.times) &&
           add_item(line, item);
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

static bool parse_ran(struct line *line)
{
    static const char *const outcomes[] = { "ended", "crashed", "budget", "timeout" };
    struct log *log = line->log;
    struct run *run = &log->runs[log->run_count - 1];
    struct value v[6];

    if (!line_fields(line, "n=d outcome=w records=d events=d lost=d ticks=d", v))
        return false;
    if (v[0].number != run->number)
        return trouble(log, log->line, "ran: got n=%.*s, want n=%zu", SPAN(v[0].text),
                       run->number);
    while (run->outcome < COUNT_OF(outcomes) && !span_is(v[1].text, outcomes[run->outcome]))
        run->outcome++;
    if (run->outcome == COUNT_OF(outcomes))
        return trouble(log, log->line,
                       "ran: got outcome=%.*s, want ended, crashed, budget or timeout",
                       SPAN(v[1].text));
    if (v[2].number != run->records)
        return trouble(log, log->line,
                       "ran: records=%.*s, but the lines of the run make %llu",
                       SPAN(v[2].text), (unsigned long long)run->records);
    run->events = v[3].number;
    run->lost = v[4].number;
    run->ticks = v[5].number;
    run->end_line = log->line;
    log->in_run = false;
    return run->outcome != CRASHED || parse_crash(line, run);
}

static bool parse_note(struct line *line)
{
    struct value v;

    return line_fields(line, "text=q", &v);
}

/* The kernel's last words: why, and registers that are a person's to read. */
static bool parse_panic(struct line *line)
{
    struct value v;

    return line_fields(line, "why=q", &v) &&
           trouble(line->log, line->log->line, "the kernel gave up: %.*s%s%.*s",
                   SPAN(v.text), line->rest.length ? ", " : "", SPAN(line->rest));
}

static bool parse_end(struct line *line)
{
    struct log *log = line->log;
    struct value v[4];
    uint64_t skipped = 0, records = 0;

    if (!close_plan(log) || !line_fields(line, "runs=d ran=d skipped=d records=d", v))
        return false;
    for (size_t i = 0; i < log->run_count; i++) {
        skipped += log->runs[i].skipped;
        records += log->runs[i].records;
    }
    log->ended = true;
    if (log->run_count != log->plan_runs)
        return trouble(log, log->line, "end: %zu runs, but the plan has %llu",
                       log->run_count, (unsigned long long)log->plan_runs);
    if (v[0].number != log->run_count || v[1].number != log->run_count - skipped ||
        v[2].number != skipped || v[3].number != records)
        return trouble(
            log, log->line,
            "end: got runs=%.*s ran=%.*s skipped=%.*s records=%.*s, want runs=%zu "
            "ran=%zu skipped=%zu records=%llu",
            SPAN(v[0].text), SPAN(v[1].text), SPAN(v[2].text), SPAN(v[3].text),
            log->run_count, log->run_count - skipped, skipped, (unsigned long long)records);
    return true;
}

/* Which words may stand where. */
enum place { BEFORE_PLAN, PLAN, BETWEEN_RUNS, IN_RUN, ANYWHERE };

static const struct {
    const char *word;
    enum place place;
    bool (*parse)(struct line *);
} words[] = {
    { "everybranch", ANYWHERE, parse_opening },
    { "firmware", BEFORE_PLAN, parse_firmware },
    { "cpu", BEFORE_PLAN, parse_cpu },
    { "features", BEFORE_PLAN, parse_features },
    { "model", BEFORE_PLAN, parse_model },
    { "image", BEFORE_PLAN, parse_image },
    { "caller", BEFORE_PLAN, parse_caller },
    { "facility", BEFORE_PLAN, parse_facility },
    { "workload", BEFORE_PLAN, parse_workload },
    { "labels", BEFORE_PLAN, parse_labels },
    { "code", BEFORE_PLAN, parse_code },
    { "plan", PLAN, parse_plan },
    { "note", ANYWHERE, parse_note },
    { "panic", ANYWHERE, parse_panic },
    { "run", BETWEEN_RUNS, parse_run },
    { "skip", BETWEEN_RUNS, parse_skip },
    { "branch", IN_RUN, parse_branch },
    { "stop", IN_RUN, parse_stop },
    { "again", IN_RUN, parse_again },
    { "ran", IN_RUN, parse_ran },
    { "end", BETWEEN_RUNS, parse_end },
};

static bool in_place(struct line *line, enum place place)
{
    struct log *log = line->log;

    if (place == IN_RUN && !log->in_run)
        return trouble(log, log->line, "%.*s: it stands in no run", SPAN(line->word));
    if (place != IN_RUN && place != ANYWHERE && log->in_run)
        return trouble(log, log->line, "%.*s: run %zu has not ended", SPAN(line->word),
                       log->runs[log->run_count - 1].number);
    if (place == BEFORE_PLAN && log->plan_line)
        return trouble(log, log->line, "%.*s: it stands behind the plan", SPAN(line->word));
    return true;
}

bool parse_line(struct log *log, struct span body, size_t wire_bytes)
{
    struct line line;

    size_t i = 0;

    if (!line_begin(&line, log, body))
        return false;
    while (i < COUNT_OF(words) && !span_is(line.word, words[i].word))
        i++;
    if (i == COUNT_OF(words))
        return trouble(log, log->line, "\"%.*s\" is no word of the log", SPAN(line.word));
    if (!in_place(&line, words[i].place) || !words[i].parse(&line) || !line_end(&line))
        return false;
    if (words[i].place == IN_RUN || words[i].parse == parse_run ||
        words[i].parse == parse_skip)
        log->runs[log->run_count - 1].bytes += wire_bytes;
    return true;
}

/* Behind the last line that there is. */
bool parse_finished(struct log *log)
{
    if (log->ended)
        return true;
    if (log->in_run) {
        const struct run *run = &log->runs[log->run_count - 1];

        return trouble(log, log->line,
                       "the log breaks off in run %zu (%s %s): no line \"end\"",
                       run->number, run->method->name, run->workload->own->name);
    }
    return trouble(log, log->line, "the log breaks off: no line \"end\"");
}
