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
    const struct processors_line *several = &line->says.processors;

    if (span_is(several->way, "none") && several->started > 1)
        return log_error(log, log->line,
                         "processors: got started=%llu, want 1: way=none starts no others",
                         (unsigned long long)several->started);
    if (log->by_command)
        return here(log, "processors: commands run on one");
    return (several->started >= 1 && several->started <= several->wanted &&
            several->wanted <= several->found) ||
           here(log,
                "processors: want started= from 1 to wanted=, and wanted= at most found=");
}

/* True once all lines that describe a new kind of processor have been read. */
bool processor_read(struct log *log)
{
    const size_t number = log->machine.processor_read;
    const struct cpu_part *cpu = cpu_being_read(log);

    if (!number)
        return true;
    if (!cpu->named.line || !cpu->features.line || !cpu->model.line)
        return log_error(
            log, log->line,
            "processor %zu: like none before, but no lines \"cpu\", \"features\" "
            "and \"model\" of its own",
            number);
    if (cpu->id.has_hypervisor != log->machine.cpu.id.has_hypervisor ||
        strcmp(cpu->id.hypervisor, log->machine.cpu.id.hypervisor) != 0)
        return log_error(log, log->line,
                         "processor %zu: by CPUID it is not on the platform of processor 0",
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
    return n < log->machine.processor_count && log->machine.processors[n].said.like == n;
}

static bool own_apic(struct log *log, uint64_t apic)
{
    for (size_t i = 0; i < log->machine.processor_count; i++)
        if (log->machine.processors[i].said.apic == apic)
            return log_error(log, log->line,
                             "processor: apic=0x%llx is that of processor %zu, in line %zu",
                             (unsigned long long)apic, i,
                             log->machine.processors[i].said.line);
    if (log->machine.processor_count > 1 &&
        apic < log->machine.processors[log->machine.processor_count - 1].said.apic)
        return log_error(
            log, log->line,
            "processor: apic=0x%llx, want the others by their numbers, and line %zu "
            "has a higher one",
            (unsigned long long)apic,
            log->machine.processors[log->machine.processor_count - 1].said.line);
    return true;
}

bool parse_processor(struct line *line)
{
    struct log *log = line->log;
    struct processor_line *said = &line->says.processor;
    const uint64_t n = said->n, like = said->like;
    const size_t number = log->machine.processor_count;

    if (!log->machine.several.line)
        return here(log, "processor: want it after processors");
    if (number >= log->machine.several.started)
        return log_error(log, log->line,
                         "processor: got n=%llu, want no more of them: %llu were started",
                         (unsigned long long)n,
                         (unsigned long long)log->machine.several.started);
    if (n != number)
        return log_error(log, log->line, "processor: got n=%llu, want n=%zu, one by one",
                         (unsigned long long)n, number);
    if (like > number || (like < number && !is_first_of_its_kind(log, like)))
        return log_error(
            log, log->line,
            "processor: got like=%llu, want itself or the first of a kind before",
            (unsigned long long)like);
    if (!own_apic(log, said->apic))
        return false;
    log->machine.processors =
        arena_grow(&log->memory, log->machine.processors, &log->machine.processor_capacity,
                   number, sizeof(*log->machine.processors));
    said->line = log->line;
    said->left.line = said->left.debugctl.is ? log->line : 0;
    log->machine.processors[log->machine.processor_count++] =
        (struct processor){ .said = *said,
                            .part = { .number = number, .left = said->left } };
    if (like == number)
        log->machine.processor_read = number;
    return true;
}

void run_of_processors(const struct log *log, size_t in_plan, size_t *method,
                       size_t *workload, size_t *filter)
{
    size_t all = processors_of(log), round = in_plan / all, number = in_plan % all;
    size_t away = log->machine.several.different ? number : 0;
    size_t across = log->plan.method_count * filters_of(log); /* runs of one workload */
    size_t run = (round % across + away) % across;

    *method = run % log->plan.method_count;
    *filter = run / log->plan.method_count;
    *workload = (round / across + away) % log->plan.workload_count;
}

bool parse_round(struct line *line)
{
    struct log *log = line->log;
    const uint64_t n = line->says.round.n, count = line->says.round.processors;
    const size_t all = processors_of(log);

    if (log->machine.processor_count < 2)
        return here(log, "round: there is one processor");
    if (!close_plan(log))
        return false;
    if (n != log->round_lines + 1 || count != all)
        return log_error(
            log, log->line, "round: got n=%llu processors=%llu, want n=%zu processors=%zu",
            (unsigned long long)n, (unsigned long long)count, log->round_lines + 1, all);
    if (log->round_lines && log->run_count - log->slot_run != all)
        return log_error(log, log->line, "round: the one before has %zu runs, want %zu",
                         log->run_count - log->slot_run, all);
    log->round_lines++;
    log->slot_run = log->run_count;
    return true;
}

bool take_processor(struct line *line, struct log_number processor, struct run *run)
{
    struct log *log = line->log;
    const bool several = log->machine.processor_count >= 2;

    if (!line_has_if(line, "processor", several))
        return false;
    if (!several)
        return true;
    run->round_line = log->round_lines;
    run->processor = log->run_count - 1 - log->slot_run;
    if (!log->round_lines || run->processor >= processors_of(log))
        return log_error(log, log->line, "%.*s: no line \"round\" before it",
                         SPAN(line->word));
    return processor.value == run->processor ||
           log_error(log, log->line, "%.*s: got processor=%.*s, want %zu", SPAN(line->word),
                     SPAN(line_text(line, "processor")), run->processor);
}

bool parse_lost(struct line *line)
{
    struct log *log = line->log;
    const uint64_t number = line->says.lost.processor;
    struct processor *processor;

    if (number == 0 || number >= log->machine.processor_count)
        return log_error(log, log->line,
                         "lost: got processor=%llu, want one of the others, of %zu",
                         (unsigned long long)number, log->machine.processor_count);
    processor = &log->machine.processors[number];
    if (!once(line, &processor->lost.line))
        return false;
    processor->lost.why = line->says.lost.why;
    if (!log->machine.lost_line)
        log->machine.lost_line = log->line;
    return true;
}
