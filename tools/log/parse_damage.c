/*
 * A log of which lines are lost.
 *
 * What a run rests on is before it: the lines of the head, which all runs share, the line
 * `round`, and its own lines.  So after lost lines of the head no run is judged.  Later the
 * reading goes on at the next line `run`, `skip` or `round`, whose number says how many
 * runs are lost; these are in error.
 *
 * The commands of a monitor decide what runs follow, and one may be among the lost lines:
 * such a log is read up to the damage.
 */
#include "parse.h"

#include "log_run.h"

/* Lines of which not even the number was seen.  In a larger hole the machine may have
 * started again. */
#define UNSEEN_MAX 32

static bool stop(struct log *log, const char *why)
{
    log->damage.stopped = why;
    return false;
}

bool damage_begins(struct log *log, size_t line, uint64_t unseen, bool restarted)
{
    struct damage *damage = &log->damage;

    damage->newest = line;
    if (!damage->line) {
        damage->line = line;
        damage->before = log->run_count - log->in_run;
    }
    if (log->by_command || (!log->plan.line && log->run_count))
        return stop(log, "the runs that follow depend on commands, which may be lost");
    if (!log->plan.line || !close_plan(log))
        return stop(log, "the head of the log is damaged, on which all runs rest");
    if (restarted || unseen > UNSEEN_MAX)
        return stop(log, "too many lines are lost: the machine may have been started again "
                         "meanwhile");
    if (log->in_run)
        damage_run(log);
    damage->resuming = true;
    return true;
}

/* The runs before this one, in the order of the plan, are lost. */
static bool lose_runs(struct log *log, uint64_t before)
{
    if (before < log->run_count || before > log->plan.runs)
        return false;
    while (log->run_count < before) {
        struct run *run = next_run(log);

        run->processor = (log->run_count - 1) % processors_of(log);
        run->cpu = cpu_of(log, run->processor);
        run->line = log->damage.newest;
        run->round_line =
            processors_of(log) > 1 ? (log->run_count - 1) / processors_of(log) + 1 : 0;
        damage_run(log);
    }
    return true;
}

static bool number_in(struct log *log, struct span body, uint64_t *out)
{
    const struct log_field n = { .key = "n", .type = LOG_DECIMAL, .size = sizeof(*out) };
    struct line line;
    struct span value;

    return line_begin(&line, log, body) && line_field(&line, &n, out, &value);
}

bool damage_resumes(struct log *log, struct span body)
{
    const bool several = log->machine.processor_count >= 2;
    struct damage *damage = &log->damage;
    uint64_t number = 0;
    enum log_line word;
    struct line line;

    if (!damage->resuming)
        return true;
    if (!line_begin(&line, log, body))
        return false;
    word = log_word(line.word.at, line.word.length);
    if (word == WORD_END) {
        log->ended = true;
        damage->resuming = !lose_runs(log, log->plan.runs);
        return false;
    }
    if (word != (several ? WORD_ROUND : WORD_RUN) && (several || word != WORD_SKIP))
        return word == WORD_PANIC;
    if (!number_in(log, body, &number) || number == 0 ||
        !lose_runs(log, (number - 1) * processors_of(log))) {
        stop(log, "the numbers of the runs that follow do not fit those before");
        return false;
    }
    if (several) {
        log->round_lines = number - 1;
        log->slot_run =
            log->run_count >= processors_of(log) ? log->run_count - processors_of(log) : 0;
    }
    damage->resuming = false;
    return true;
}
