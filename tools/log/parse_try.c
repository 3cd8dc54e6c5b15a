/*
 * What was about to be done when the log was saved, and what an earlier boot died of.
 */
#include "parse.h"

#include <string.h>

#include "count_of.h"
#include "heap.h"

static bool filter_can_be(struct line *line, struct span words)
{
    uint32_t filter;

    return !words.length ||
           (filter_read(words.at, words.length, &filter) &&
            span_is(words, filter_words(filter))) ||
           log_error(line->log, line->log->line,
                     "%.*s: got filter=%.*s, want words of a filter in their order with + "
                     "between",
                     SPAN(line->word), SPAN(words));
}

static unsigned words_of(const struct subject *s)
{
    return s->bench + s->runs + s->end + s->idle;
}

bool parse_try(struct line *line)
{
    struct log *log = line->log;
    struct try_line *trying = &line->says.try;
    const struct subject *s = &trying->subject;

    trying->line = log->line;
    log->trying = *trying;
    if (!!s->facility.at + !!s->method.at + !!s->round.is + !!s->msr.is + !!s->take.at +
            words_of(s) !=
        1)
        return log_error(log, log->line,
                         "got \"%.*s\", want one of facility=, method=, round=, msr=, "
                         "take=, bench, runs, end and idle",
                         SPAN(line_whole(line)));
    return filter_can_be(line, s->filter);
}

bool parse_avoid(struct line *line)
{
    struct log *log = line->log;
    struct avoid_line *avoid = &line->says.avoid;
    const struct subject *s = &avoid->subject;

    avoid->line = log->line;
    log->avoided = arena_grow(&log->memory, log->avoided, &log->avoided_capacity,
                              log->avoided_count, sizeof(*log->avoided));
    log->avoided[log->avoided_count++] = *avoid;
    if (!!s->facility.at + !!s->method.at + words_of(s) != 1)
        return here(log, "avoid: want a facility, a method, a run or bench");
    return filter_can_be(line, s->filter);
}

const struct avoid_line *avoided_facility(const struct log *log, const char *name)
{
    for (size_t i = 0; i < log->avoided_count; i++)
        if (span_is(log->avoided[i].subject.facility, name))
            return &log->avoided[i];
    return NULL;
}

const struct avoid_line *avoided_run(const struct log *log, const struct run *run)
{
    for (size_t i = 0; i < log->avoided_count; i++) {
        const struct subject *s = &log->avoided[i].subject;

        if (span_is(s->method, run->method->name) &&
            (!s->workload.length || span_is(s->workload, run->workload->own->name)) &&
            (!s->filter.length || span_is(s->filter, filter_words(run->filter))))
            return &log->avoided[i];
    }
    return NULL;
}

/* Nobody can tell a death from a hand on the switch. */
#define DIED ": the machine died of that, or was switched off"

static bool broken_off_in_taking(struct log *log)
{
    static const char *const steps[][2] = {
        { "tables", "the page tables and control registers were to be exchanged" },
        { "segments", "the GDT, the IDT, TR and the debug registers were to be exchanged" },
        { "interrupts", "the interrupt controllers were to be masked" },
        { "processor", "the processor was to be identified" },
    };

    for (size_t i = 0; i < COUNT_OF(steps); i++)
        if (span_is(log->trying.subject.take, steps[i][0]))
            return log_error(log, log->line,
                             "the log ends early where the machine was to be taken over "
                             "and handed back for the first time, when %s" DIED,
                             steps[i][1]);
    return false; /* the grammar has no other */
}

/* The log ends with a line `try`, which names all that was done after it. */
bool broken_off_in_try(struct log *log)
{
    const struct subject *s = &log->trying.subject;

    if (s->facility.length)
        return log_error(log, log->line,
                         "the log ends early where the facility %.*s was to be probed" DIED,
                         SPAN(s->facility));
    if (s->workload.length)
        return log_error(log, log->line,
                         "the log ends early where %.*s was to be run by %.*s%s%.*s" DIED,
                         SPAN(s->workload), SPAN(s->method),
                         s->filter.length ? " with filter=" : "", SPAN(s->filter));
    if (s->round.is)
        return log_error(
            log, log->line,
            "the log ends early where all processors were to make round %llu at "
            "once: the machine died in one of its runs, or was switched off; its "
            "next boot makes them one by one",
            (unsigned long long)s->round.value);
    if (s->method.length)
        return log_error(
            log, log->line,
            "the log ends early where the first run by %.*s was to be made" DIED,
            SPAN(s->method));
    if (s->msr.is)
        return log_error(log, log->line,
                         "the log ends early where the MSR 0x%llx was to be accessed" DIED,
                         (unsigned long long)s->msr.value);
    if (s->take.length)
        return broken_off_in_taking(log);
    if (s->idle)
        return log_error(log, log->line,
                         "the log ends early where the monitor waited for a command: the "
                         "machine was switched off, or what came then was not saved");
    if (s->bench)
        return log_error(log, log->line,
                         "the log ends early where the handlers were to be measured" DIED);
    if (s->end)
        return log_error(log, log->line,
                         "the log ends early after the last run, where the machine was to "
                         "be handed back: it died there, or was switched off");
    return log_error(log, log->line,
                     "the log ends early somewhere in the runs after run %zu, which were "
                     "not saved one by one: the machine died in one of them, or was "
                     "switched off; its next boot saves the log before each",
                     log->run_count);
}
