/*
 * Several processors: who they are, and the rounds in which all of them run.
 *
 * One that is like none before it has lines of its own, in the words that tell of the
 * first one: while they are read, what the log says of the first one stands aside.
 */
#include "parse.h"

#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "processors.h"

static bool is_way(struct span way)
{
    return span_is(way, "mp-services") || span_is(way, "init-sipi") || span_is(way, "none");
}

bool parse_processors(struct line *line)
{
    struct log *log = line->log;
    struct value v[5];

    if (!once(line, &log->processors_line) ||
        !line_fields(line, "way=w found=d wanted=d started=d together=w", v))
        return false;
    log->way = v[0].text;
    log->processors_found = v[1].number;
    log->processors_wanted = v[2].number;
    log->processors_started = v[3].number;
    log->different = span_is(v[4].text, "different");
    if (!is_way(v[0].text))
        return log_error(log, log->line,
                         "processors: got way=%.*s, want mp-services, init-sipi or none",
                         SPAN(v[0].text));
    if (!log->different && !span_is(v[4].text, "same"))
        return log_error(log, log->line,
                         "processors: got together=%.*s, want same or different",
                         SPAN(v[4].text));
    if (span_is(log->way, "none") && log->processors_started > 1)
        return log_error(log, log->line,
                         "processors: got started=%.*s, want 1: way=none starts no others",
                         SPAN(v[3].text));
    if (log->by_command)
        return here(log, "processors: commands run on one");
    return (v[3].number >= 1 && v[3].number <= v[2].number && v[2].number <= v[1].number) ||
           here(log,
                "processors: want started= from 1 to wanted=, and that at most found=");
}

static void back_to_first(struct log *log)
{
    log->cpu = log->first;
    log->first.leaves = NULL;
    log->processor_read = 0;
}

/* Whether what was told of one that is like none before is all of it. */
bool processor_read(struct log *log)
{
    if (!log->processor_read)
        return true;
    if (!log->cpu.line || !log->cpu.features_line || !log->cpu.model_line)
        return log_error(
            log, log->line,
            "processor %zu: like none before, but no lines \"cpu\", \"features\" "
            "and \"model\" of its own",
            log->processor_read);
    for (size_t i = 0; i < FACILITY_COUNT; i++)
        if (log->first.facilities[i].line && !log->cpu.facilities[i].line)
            return log_error(log, log->line, "processor %zu: no line \"facility name=%s\"",
                             log->processor_read, facility_names[i]);
    log->processors[log->processor_read].part = log->cpu;
    back_to_first(log);
    return true;
}

void processor_unread(struct log *log)
{
    if (!log->processor_read)
        return;
    free(log->cpu.leaves);
    back_to_first(log);
}

/* What follows tells of it. */
static bool begin_own(struct log *log, size_t number)
{
    log->first = log->cpu;
    log->cpu = (struct cpu_part){ .row = NULL };
    log->processor_read = number;
    return true;
}

static bool is_first_of_its_kind(const struct log *log, size_t n)
{
    return n < log->processor_count && log->processors[n].like == n;
}

static bool own_apic(struct log *log, struct value apic)
{
    for (size_t i = 0; i < log->processor_count; i++)
        if (log->processors[i].apic == apic.number)
            return log_error(log, log->line,
                             "processor: apic=%.*s is that of processor %zu, in line %zu",
                             SPAN(apic.text), i, log->processors[i].line);
    if (log->processor_count > 1 &&
        apic.number < log->processors[log->processor_count - 1].apic)
        return log_error(
            log, log->line,
            "processor: apic=%.*s, want the others by their numbers, and line %zu "
            "has a higher one",
            SPAN(apic.text), log->processors[log->processor_count - 1].line);
    return true;
}

bool parse_processor(struct line *line)
{
    struct log *log = line->log;
    struct value v[3];
    struct left left = { .debugctl = { "", 0 } };
    size_t number = log->processor_count;

    if (!log->processors_line)
        return here(log, "processor: want it behind processors");
    if (!line_fields(line, "n=d apic=x like=d", v) ||
        (line_next_is(line, "debugctl") && !left_fields(line, &left)))
        return false;
    if (number >= log->processors_started)
        return log_error(log, log->line,
                         "processor: got n=%.*s, want no more of them: %llu were started",
                         SPAN(v[0].text), (unsigned long long)log->processors_started);
    if (v[0].number != number)
        return log_error(log, log->line, "processor: got n=%.*s, want n=%zu, one by one",
                         SPAN(v[0].text), number);
    if (v[2].number > number ||
        (v[2].number < number && !is_first_of_its_kind(log, v[2].number)))
        return log_error(
            log, log->line,
            "processor: got like=%.*s, want itself or the first of a kind before",
            SPAN(v[2].text));
    if (!own_apic(log, v[1]))
        return false;
    log->processors =
        grow(log->processors, &log->processor_capacity, number, sizeof(*log->processors));
    log->processors[log->processor_count++] = (struct processor){
        .line = log->line, .like = v[2].number, .apic = v[1].number, .left = left
    };
    return v[2].number != number || number == 0 || begin_own(log, number);
}

void run_of_processors(const struct log *log, size_t in_plan, size_t *method,
                       size_t *workload, size_t *filter)
{
    size_t all = processors_of(log), round = in_plan / all, number = in_plan % all;
    size_t away = log->different ? number : 0;
    size_t across = log->method_count * filters_of(log); /* runs of one workload */
    size_t run = (round % across + away) % across;

    *method = run % log->method_count;
    *filter = run / log->method_count;
    *workload = (round / across + away) % log->planned_count;
}

bool parse_round(struct line *line)
{
    struct log *log = line->log;
    size_t all = processors_of(log);
    struct value v[2];

    if (log->processor_count < 2)
        return here(log, "round: there is one processor");
    if (!close_plan(log) || !line_fields(line, "n=d processors=d", v))
        return false;
    if (v[0].number != log->turns + 1 || v[1].number != all)
        return log_error(log, log->line,
                         "round: got n=%.*s processors=%.*s, want n=%zu processors=%zu",
                         SPAN(v[0].text), SPAN(v[1].text), log->turns + 1, all);
    if (log->turns && log->run_count - log->slot_run != all)
        return log_error(log, log->line, "round: the one before has %zu runs, want %zu",
                         log->run_count - log->slot_run, all);
    log->turns++;
    log->slot_run = log->run_count;
    return true;
}

bool parse_run_processor(struct line *line, struct run *run)
{
    struct log *log = line->log;
    size_t all = processors_of(log);
    struct value v;

    if (log->processor_count < 2)
        return true;
    run->turn = log->turns;
    run->processor = log->run_count - 1 - log->slot_run;
    if (!log->turns || run->processor >= all)
        return log_error(log, log->line, "%.*s: no line \"round\" before it",
                         SPAN(line->word));
    if (!line_fields(line, "processor=d", &v))
        return false;
    return v.number == run->processor ||
           log_error(log, log->line, "%.*s: got processor=%.*s, want %zu", SPAN(line->word),
                     SPAN(v.text), run->processor);
}

bool parse_lost(struct line *line)
{
    struct log *log = line->log;
    struct value v[2];

    if (!line_fields(line, "processor=d why=q", v))
        return false;
    if (v[0].number == 0 || v[0].number >= log->processor_count)
        return log_error(log, log->line,
                         "lost: got processor=%.*s, want one of the others, of %zu",
                         SPAN(v[0].text), log->processor_count);
    struct processor *processor = &log->processors[v[0].number];
    if (!once(line, &processor->lost_line))
        return false;
    processor->lost_why = v[1].text;
    if (!log->lost_line)
        log->lost_line = log->line;
    return true;
}
