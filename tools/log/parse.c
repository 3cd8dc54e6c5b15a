/*
 * What each line means.  docs/log.md is the grammar; every line that it does not
 * allow ends the reading with a sentence.
 */
#include "parse.h"

#include "count_of.h"
#include "heap.h"

static bool parse_note(struct line *line)
{
    struct log *log = line->log;
    struct value v;

    if (!line_fields(line, "text=q", &v))
        return false;
    log->notes = grow(log->notes, &log->note_capacity, log->note_count, sizeof(v.text));
    log->notes[log->note_count++] = v.text;
    return true;
}

/* How often the machine was borrowed again, for a test of that; the last line counts. */
static bool parse_cycles(struct line *line)
{
    struct log *log = line->log;
    struct value v[3];

    if (!line_fields(line, "done=d checked=d alive=d", v))
        return false;
    if (v[0].number < log->cycles.done || v[1].number < log->cycles.checked)
        return here(log, "cycles: fewer than in the line before");
    log->cycles = (struct cycles){ v[0].number, v[1].number, v[2].number, log->line };
    return (v[2].number <= v[1].number && v[1].number <= v[0].number) ||
           here(log, "cycles: want alive= at most checked=, and that at most done=");
}

/* The kernel's last words: why, and registers that are a person's to read. */
static bool parse_panic(struct line *line)
{
    struct value v;

    return line_fields(line, "why=q", &v) &&
           log_error(line->log, line->log->line, "the kernel gave up: %.*s%s%.*s",
                     SPAN(v.text), line->rest.length ? ", " : "", SPAN(line->rest));
}

/* Which words may stand where; OF_CPU: before the plan, and told of each processor. */
enum place { OF_CPU, BEFORE_PLAN, PLAN, BETWEEN_RUNS, IN_RUN, ANYWHERE };

static const struct {
    const char *word;
    enum place place;
    bool (*parse)(struct line *);
} words[] = {
    { "branch", IN_RUN, parse_branch }, /* most lines are these, so they stand first */
    { "stop", IN_RUN, parse_stop },
    { "again", IN_RUN, parse_again },
    { "data", IN_RUN, parse_data },
    { "everybranch", ANYWHERE, parse_opening },
    { "firmware", BEFORE_PLAN, parse_firmware },
    { "bios", BEFORE_PLAN, parse_bios },
    { "system", BEFORE_PLAN, parse_system },
    { "avoid", BEFORE_PLAN, parse_avoid },
    { "serial", BEFORE_PLAN, parse_serial },
    { "cpu", OF_CPU, parse_cpu },
    { "features", OF_CPU, parse_features },
    { "cpuid", OF_CPU, parse_cpuid },
    { "model", OF_CPU, parse_model },
    { "image", BEFORE_PLAN, parse_image },
    { "caller", BEFORE_PLAN, parse_caller },
    { "left", BEFORE_PLAN, parse_left },
    { "apic", BEFORE_PLAN, parse_apic },
    { "facility", OF_CPU, parse_facility },
    { "processors", BEFORE_PLAN, parse_processors },
    { "processor", BEFORE_PLAN, parse_processor },
    { "bundle", BEFORE_PLAN, parse_bundle },
    { "bytes", BEFORE_PLAN, parse_bytes },
    { "rejected", BEFORE_PLAN, parse_rejected },
    { "workload", BEFORE_PLAN, parse_workload },
    { "labels", BEFORE_PLAN, parse_labels },
    { "code", BEFORE_PLAN, parse_code },
    { "command", BETWEEN_RUNS, parse_command },
    { "answer", BETWEEN_RUNS, parse_answer },
    { "msr", BETWEEN_RUNS, parse_msr },
    { "plan", PLAN, parse_plan },
    { "note", ANYWHERE, parse_note },
    { "panic", ANYWHERE, parse_panic },
    { "try", BETWEEN_RUNS, parse_try },
    { "round", BETWEEN_RUNS, parse_round },
    { "lost", BETWEEN_RUNS, parse_lost },
    { "run", BETWEEN_RUNS, parse_run },
    { "skip", BETWEEN_RUNS, parse_skip },
    { "info", IN_RUN, parse_info },
    { "packed", IN_RUN, parse_packed },
    { "ran", IN_RUN, parse_ran },
    { "cost", BETWEEN_RUNS, parse_cost },
    { "cycles", BETWEEN_RUNS, parse_cycles },
    { "end", BETWEEN_RUNS, parse_end },
};

static bool in_place(struct line *line, enum place place)
{
    struct log *log = line->log;

    if (place == IN_RUN && !log->in_run)
        return log_error(log, log->line, "%.*s: it stands in no run", SPAN(line->word));
    if (place != IN_RUN && place != ANYWHERE && log->in_run)
        return log_error(log, log->line, "%.*s: run %zu has not ended", SPAN(line->word),
                         log->runs[log->run_count - 1].number);
    if ((place == BEFORE_PLAN || place == OF_CPU) && log->plan_line)
        return log_error(log, log->line, "%.*s: it stands behind the plan",
                         SPAN(line->word));
    return place == OF_CPU || place == ANYWHERE || processor_read(log);
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
        return log_error(log, log->line, "\"%.*s\" is no word of the log", SPAN(line.word));
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

        return log_error(
            log, log->line, "the log breaks off in run %zu (%s %s%s): no line \"end\"",
            run->number, run->method->name, run->workload->own->name, filter_suffix(run));
    }
    if (log->trying_line && log->trying_line == log->line)
        return broken_off_in_try(log);
    return log_error(log, log->line, "the log breaks off: no line \"end\"");
}
