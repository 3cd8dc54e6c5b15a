/*
 * Several processors: who they are, and the rounds in which all of them run.
 *
 * One that is like none before it has the same lines of its own as the first one.
 */
#include "parse.h"

#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "log_run.h"

bool parse_processors(struct line *line)
{
    struct log *log = line->log;

    log->machine.way = line_text(line, "way");
    log->machine.processors_found = line_number(line, "found");
    log->machine.processors_wanted = line_number(line, "wanted");
    log->machine.processors_started = line_number(line, "started");
    log->machine.different = span_is(line_text(line, "together"), "different");
    if (!once(line, &log->machine.processors_line))
        return false;
    if (span_is(log->machine.way, "none") && log->machine.processors_started > 1)
        return log_error(log, log->line,
                         "processors: got started=%llu, want 1: way=none starts no others",
                         (unsigned long long)log->machine.processors_started);
    if (log->by_command)
        return here(log, "processors: commands run on one");
    return (log->machine.processors_started >= 1 &&
            log->machine.processors_started <= log->machine.processors_wanted &&
            log->machine.processors_wanted <= log->machine.processors_found) ||
           here(log,
                "processors: want started= from 1 to wanted=, and that at most found=");
}

/* True once all lines that describe a new kind of processor have been read. */
bool processor_read(struct log *log)
{
    const size_t number = log->machine.processor_read;
    const struct cpu_part *cpu = cpu_being_read(log);

    if (!number)
        return true;
    if (!cpu->line || !cpu->features_line || !cpu->model_line)
        return log_error(
            log, log->line,
            "processor %zu: like none before, but no lines \"cpu\", \"features\" "
            "and \"model\" of its own",
            number);
    for (size_t i = 0; i < FACILITY_COUNT; i++)
        if (log->machine.cpu.facilities[i].line && !cpu->facilities[i].line)
            return log_error(log, log->line, "processor %zu: no line \"facility name=%s\"",
                             number, facility_names[i]);
    log->machine.processor_read = 0;
    return true;
}

static bool is_first_of_its_kind(const struct log *log, size_t n)
{
    return n < log->machine.processor_count && log->machine.processors[n].like == n;
}

static bool own_apic(struct log *log, uint64_t apic)
{
    for (size_t i = 0; i < log->machine.processor_count; i++)
        if (log->machine.processors[i].apic == apic)
            return log_error(log, log->line,
                             "processor: apic=0x%llx is that of processor %zu, in line %zu",
                             (unsigned long long)apic, i, log->machine.processors[i].line);
    if (log->machine.processor_count > 1 &&
        apic < log->machine.processors[log->machine.processor_count - 1].apic)
        return log_error(
            log, log->line,
            "processor: apic=0x%llx, want the others by their numbers, and line %zu "
            "has a higher one",
            (unsigned long long)apic,
            log->machine.processors[log->machine.processor_count - 1].line);
    return true;
}

bool parse_processor(struct line *line)
{
    struct log *log = line->log;
    const uint64_t n = line_number(line, "n"), like = line_number(line, "like");
    const size_t number = log->machine.processor_count;
    struct cpu_part *part;

    if (!log->machine.processors_line)
        return here(log, "processor: want it after processors");
    if (number >= log->machine.processors_started)
        return log_error(log, log->line,
                         "processor: got n=%llu, want no more of them: %llu were started",
                         (unsigned long long)n,
                         (unsigned long long)log->machine.processors_started);
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
    log->machine.processors =
        arena_grow(&log->memory, log->machine.processors, &log->machine.processor_capacity,
                   number, sizeof(*log->machine.processors));
    log->machine.processors[log->machine.processor_count++] =
        (struct processor){ .line = log->line,
                            .like = like,
                            .apic = line_number(line, "apic"),
                            .part = { .number = number, .left = left_of(line) } };
    part = &log->machine.processors[number].part;
    part->left_line = part->left.debugctl.length ? log->line : 0;
    if (like == number)
        log->machine.processor_read = number;
    return true;
}

void run_of_processors(const struct log *log, size_t in_plan, size_t *method,
                       size_t *workload, size_t *filter)
{
    size_t all = processors_of(log), round = in_plan / all, number = in_plan % all;
    size_t away = log->machine.different ? number : 0;
    size_t across = log->plan.method_count * filters_of(log); /* runs of one workload */
    size_t run = (round % across + away) % across;

    *method = run % log->plan.method_count;
    *filter = run / log->plan.method_count;
    *workload = (round / across + away) % log->plan.workload_count;
}

bool parse_round(struct line *line)
{
    struct log *log = line->log;
    const uint64_t n = line_number(line, "n"), count = line_number(line, "processors");
    const size_t all = processors_of(log);

    if (log->machine.processor_count < 2)
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
    const bool several = log->machine.processor_count >= 2;

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

    if (number == 0 || number >= log->machine.processor_count)
        return log_error(log, log->line,
                         "lost: got processor=%llu, want one of the others, of %zu",
                         (unsigned long long)number, log->machine.processor_count);
    processor = &log->machine.processors[number];
    if (!once(line, &processor->lost_line))
        return false;
    processor->lost_why = line_text(line, "why");
    if (!log->machine.lost_line)
        log->machine.lost_line = log->line;
    return true;
}
