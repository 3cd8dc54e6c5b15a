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

bool parse_processors(struct line *line)
{
    struct log *log = line->log;

    log->way = line_text(line, "way");
    log->processors_found = line_number(line, "found");
    log->processors_wanted = line_number(line, "wanted");
    log->processors_started = line_number(line, "started");
    log->different = span_is(line_text(line, "together"), "different");
    if (!once(line, &log->processors_line))
        return false;
    if (span_is(log->way, "none") && log->processors_started > 1)
        return log_error(log, log->line,
                         "processors: got started=%llu, want 1: way=none starts no others",
                         (unsigned long long)log->processors_started);
    if (log->by_command)
        return here(log, "processors: commands run on one");
    return (log->processors_started >= 1 &&
            log->processors_started <= log->processors_wanted &&
            log->processors_wanted <= log->processors_found) ||
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

static bool own_apic(struct log *log, uint64_t apic)
{
    for (size_t i = 0; i < log->processor_count; i++)
        if (log->processors[i].apic == apic)
            return log_error(log, log->line,
                             "processor: apic=0x%llx is that of processor %zu, in line %zu",
                             (unsigned long long)apic, i, log->processors[i].line);
    if (log->processor_count > 1 && apic < log->processors[log->processor_count - 1].apic)
        return log_error(
            log, log->line,
            "processor: apic=0x%llx, want the others by their numbers, and line %zu "
            "has a higher one",
            (unsigned long long)apic, log->processors[log->processor_count - 1].line);
    return true;
}

bool parse_processor(struct line *line)
{
    struct log *log = line->log;
    const uint64_t n = line_number(line, "n"), like = line_number(line, "like");
    const size_t number = log->processor_count;

    if (!log->processors_line)
        return here(log, "processor: want it behind processors");
    if (number >= log->processors_started)
        return log_error(log, log->line,
                         "processor: got n=%llu, want no more of them: %llu were started",
                         (unsigned long long)n,
                         (unsigned long long)log->processors_started);
    if (n != number)
        return log_error(log, log->line, "processor: got n=%llu, want n=%zu, one by one",
                         (unsigned long long)n, number);
    if (like > number || (like < number && !is_first_of_its_kind(log, like)))
        return log_error(
            log, log->line,
            "processor: got like=%llu, want itself or the first of a kind before",
            (unsigned long long)like);
    if (!own_apic(log, line_number(line, "apic")))
        return false;
    log->processors =
        grow(log->processors, &log->processor_capacity, number, sizeof(*log->processors));
    log->processors[log->processor_count++] =
        (struct processor){ .line = log->line,
                            .like = like,
                            .apic = line_number(line, "apic"),
                            .left = left_of(line) };
    return like != number || number == 0 || begin_own(log, number);
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
    const uint64_t n = line_number(line, "n"), count = line_number(line, "processors");
    const size_t all = processors_of(log);

    if (log->processor_count < 2)
        return here(log, "round: there is one processor");
    if (!close_plan(log))
        return false;
    if (n != log->turns + 1 || count != all)
        return log_error(
            log, log->line, "round: got n=%llu processors=%llu, want n=%zu processors=%zu",
            (unsigned long long)n, (unsigned long long)count, log->turns + 1, all);
    if (log->turns && log->run_count - log->slot_run != all)
        return log_error(log, log->line, "round: the one before has %zu runs, want %zu",
                         log->run_count - log->slot_run, all);
    log->turns++;
    log->slot_run = log->run_count;
    return true;
}

bool take_processor(struct line *line, struct run *run)
{
    struct log *log = line->log;
    const bool several = log->processor_count >= 2;

    if (!line_has_if(line, "processor", several))
        return false;
    if (!several)
        return true;
    run->turn = log->turns;
    run->processor = log->run_count - 1 - log->slot_run;
    if (!log->turns || run->processor >= processors_of(log))
        return log_error(log, log->line, "%.*s: no line \"round\" before it",
                         SPAN(line->word));
    return line_number(line, "processor") == run->processor ||
           log_error(log, log->line, "%.*s: got processor=%.*s, want %zu", SPAN(line->word),
                     SPAN(line_text(line, "processor")), run->processor);
}

bool parse_lost(struct line *line)
{
    struct log *log = line->log;
    const uint64_t number = line_number(line, "processor");
    struct processor *processor;

    if (number == 0 || number >= log->processor_count)
        return log_error(log, log->line,
                         "lost: got processor=%llu, want one of the others, of %zu",
                         (unsigned long long)number, log->processor_count);
    processor = &log->processors[number];
    if (!once(line, &processor->lost_line))
        return false;
    processor->lost_why = line_text(line, "why");
    if (!log->lost_line)
        log->lost_line = log->line;
    return true;
}
