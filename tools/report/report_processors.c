/*
 * The report's part about several processors: which there are, and which runs are alike.
 */
#include "report.h"

#include <stdio.h>
#include <string.h>

#include "log_run.h"

static bool processors_alike(const struct run *a, const struct run *b)
{
    return a->round_line && b->round_line && a->method == b->method &&
           a->workload == b->workload && a->filter == b->filter && a->round == b->round &&
           a->verdict == b->verdict && a->why && b->why && strcmp(a->why, b->why) == 0;
}

static bool has_like(const struct log *log, size_t run, size_t processor)
{
    for (size_t i = 0; i < log->run_count; i++)
        if (log->runs[i].processor == processor &&
            processors_alike(&log->runs[i], &log->runs[run]))
            return true;
    return false;
}

/* " 1 to 3", or " 7" */
static void put_range(struct text *out, size_t first, size_t last)
{
    text_string(out, " ");
    text_decimal(out, first);
    if (last > first) {
        text_string(out, last == first + 1 ? ", " : " to ");
        text_decimal(out, last);
    }
}

bool processors_like(const struct log *log, size_t run, struct text *out)
{
    const char *before = "";
    size_t all = processors_of(log), like = 0;

    text_string(out, "");
    if (!log->runs[run].round_line)
        return true;
    for (size_t i = 0; i < run; i++)
        if (processors_alike(&log->runs[i], &log->runs[run]))
            return false;
    for (size_t i = 0; i < all; i++)
        like += has_like(log, run, i);
    text_string(out, like == 1 ? " processor" : " processors");
    for (size_t first = 0, last; first < all; first = last + 1) {
        for (last = first; last < all && has_like(log, run, last); last++) {
        }
        if (last == first)
            continue;
        text_string(out, before);
        put_range(out, first, last - 1);
        before = ",";
    }
    return true;
}

static void print_kind(const struct log *log, size_t number)
{
    const struct cpu_part *cpu = cpu_of(log, number);

    printf("              from processor %zu on others: %.*s, signature 0x%x, microcode "
           "0x%llx, model %s\n",
           number, SPAN(cpu->named.brand), cpu->id.signature,
           (unsigned long long)cpu->named.microcode, row_name(cpu));
}

/*
 * Prints the number of rounds, those in which all windows were open at once, and the most
 * windows that ever were.
 */
static void print_at_once(const struct log *log)
{
    size_t rounds = 0, all_open = 0;
    uint64_t most = 0;

    for (size_t i = 0; i < log->run_count; i += processors_of(log)) {
        uint64_t open = 0;

        for (size_t j = i;
             j < log->run_count && log->runs[j].round_line == log->runs[i].round_line; j++)
            open = log->runs[j].ran.open > open ? log->runs[j].ran.open : open;
        rounds++;
        all_open += open > 0 && open == runs_made_in_round(log, i);
        most = open > most ? open : most;
    }
    if (rounds)
        printf(
            "              at once: %llu windows open at the same instant at most, those "
            "of all in %zu of %zu rounds\n",
            (unsigned long long)most, all_open, rounds);
}

void print_processors(const struct log *log)
{
    if (!log->machine.several.line)
        return;
    printf("\n  processors  %llu of %llu that were found, %s%s\n",
           (unsigned long long)log->machine.several.started,
           (unsigned long long)log->machine.several.found,
           span_is(log->machine.several.way, "mp-services")
               ? "started by the firmware's MP Services"
           : span_is(log->machine.several.way, "init-sipi") ? "started by INIT and SIPI"
                                                            : "none was started",
           log->machine.processor_count < 2 ? ""
           : log->machine.several.different ? "; each makes another run"
                                            : "; all make the same run at once");
    for (size_t i = 1; i < log->machine.processor_count; i++)
        if (log->machine.processors[i].said.like == i)
            print_kind(log, i);
    if (log->machine.processor_count > 1)
        print_at_once(log);
}
