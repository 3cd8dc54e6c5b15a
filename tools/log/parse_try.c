/*
 * What was about to be done when the log was saved, and what an earlier boot died of.
 */
#include "parse.h"

#include <string.h>

#include "count_of.h"
#include "heap.h"

/* One run by a method, with the filter that it has. */
static bool parse_subject_run(struct line *line, struct subject *out)
{
    struct value v;
    uint32_t filter;

    if (!line_fields(line, "workload=w", &v))
        return false;
    out->workload = v.text;
    if (!line_next_is(line, "filter"))
        return true;
    if (!line_fields(line, "filter=w", &v))
        return false;
    out->filter = v.text;
    return (filter_read(v.text.at, v.text.length, &filter) &&
            span_is(v.text, filter_words(filter))) ||
           log_error(line->log, line->log->line,
                     "%.*s: got filter=%.*s, want words of a filter in their order with + "
                     "between",
                     SPAN(line->word), SPAN(v.text));
}

/* facility=NAME, method=NAME, method=NAME workload=NAME [filter=WORDS], round=N, msr=0xN,
 * or one of the words. */
static bool parse_subject(struct line *line, struct subject *out)
{
    static const char *const words[] = { "bench", "runs", "end", "idle" };
    struct value v;
    struct span word;

    *out = (struct subject){ .facility = { "", 0 } };
    if (line_next_is(line, "facility")) {
        size_t i = 0;

        if (!line_fields(line, "facility=w", &v))
            return false;
        out->facility = v.text;
        while (i < FACILITY_COUNT && !span_is(v.text, facility_names[i]))
            i++;
        return i < FACILITY_COUNT || log_error(line->log, line->log->line,
                                               "%.*s: got facility=%.*s, want step, btf, "
                                               "lbr, bts, tr, pmi, ler, freeze or brs",
                                               SPAN(line->word), SPAN(v.text));
    }
    if (line_next_is(line, "method")) {
        if (!line_fields(line, "method=w", &v))
            return false;
        out->method = v.text;
        if (!line_next_is(line, "workload"))
            return true;
        return parse_subject_run(line, out);
    }
    if (line_next_is(line, "round")) {
        if (!line_fields(line, "round=d", &v))
            return false;
        out->round = v.text;
        return true;
    }
    if (line_next_is(line, "msr")) {
        if (!line_fields(line, "msr=x", &v))
            return false;
        out->msr = v.text;
        return true;
    }
    if (!line_word(line, "what", &word))
        return false;
    out->word = word;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (span_is(word, words[i]))
            return true;
    return log_error(
        line->log, line->log->line,
        "%.*s: got %.*s, want facility=, method=, round=, msr=, bench, runs, end or idle",
        SPAN(line->word), SPAN(word));
}

bool parse_try(struct line *line)
{
    line->log->trying_line = line->log->line;
    return parse_subject(line, &line->log->trying);
}

bool parse_avoid(struct line *line)
{
    struct log *log = line->log;
    struct avoided one;
    struct value v;

    if (!parse_subject(line, &one.subject) || !line_fields(line, "log=w", &v))
        return false;
    one.log = v.text;
    one.line = log->line;
    log->avoided = grow(log->avoided, &log->avoided_capacity, log->avoided_count,
                        sizeof(*log->avoided));
    log->avoided[log->avoided_count++] = one;
    return (one.subject.facility.length || one.subject.method.length ||
            span_is(one.subject.word, "bench")) ||
           here(log, "avoid: want a facility, a method, a run or bench");
}

const struct avoided *avoided_facility(const struct log *log, const char *name)
{
    for (size_t i = 0; i < log->avoided_count; i++)
        if (span_is(log->avoided[i].subject.facility, name))
            return &log->avoided[i];
    return NULL;
}

const struct avoided *avoided_run(const struct log *log, const struct run *run)
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

/* The log ends with a line `try`, which names all that was done behind it. */
bool broken_off_in_try(struct log *log)
{
    const struct subject *s = &log->trying;

    if (s->facility.length)
        return log_error(log, log->line,
                         "the log breaks off where the facility %.*s was to be probed" DIED,
                         SPAN(s->facility));
    if (s->workload.length)
        return log_error(log, log->line,
                         "the log breaks off where %.*s was to be run by %.*s%s%.*s" DIED,
                         SPAN(s->workload), SPAN(s->method),
                         s->filter.length ? " with filter=" : "", SPAN(s->filter));
    if (s->round.length)
        return log_error(
            log, log->line,
            "the log breaks off where all processors were to make round %.*s at "
            "once: the machine died in one of its runs, or was switched off; its "
            "next boot makes them one by one",
            SPAN(s->round));
    if (s->method.length)
        return log_error(
            log, log->line,
            "the log breaks off where the first run by %.*s was to be made" DIED,
            SPAN(s->method));
    if (s->msr.length)
        return log_error(log, log->line,
                         "the log breaks off where the MSR %.*s was to be accessed" DIED,
                         SPAN(s->msr));
    if (span_is(s->word, "idle"))
        return log_error(log, log->line,
                         "the log breaks off where the monitor waited for a command: the "
                         "machine was switched off, or what came then was not saved");
    if (span_is(s->word, "bench"))
        return log_error(log, log->line,
                         "the log breaks off where the handlers were to be measured" DIED);
    if (span_is(s->word, "end"))
        return log_error(log, log->line,
                         "the log breaks off behind the last run, where the machine was to "
                         "be given back: it died there, or was switched off");
    return log_error(log, log->line,
                     "the log breaks off somewhere in the runs behind run %zu, which were "
                     "not saved one by one: the machine died in one of them, or was "
                     "switched off; its next boot saves the log before each",
                     log->run_count);
}
