/*
 * Reads the lines of a log by their rows (common/log/lines.h).  A line that these do
 * not allow stops the reading with an error message.
 */
#include "parse.h"

#include <string.h>

#include "heap.h"

static bool parse_note(struct line *line)
{
    struct log *log = line->log;

    log->notes = arena_grow(&log->memory, log->notes, &log->note_capacity, log->note_count,
                            sizeof(*log->notes));
    log->notes[log->note_count++] = line->says.text.text;
    return true;
}

/* How often the machine was taken over again, for a test of that; the last line counts. */
static bool parse_cycles(struct line *line)
{
    struct log *log = line->log;
    struct cycles_line *now = &line->says.cycles, *before = &log->machine.cycles;

    if (now->done < before->done || now->checked < before->checked)
        return here(log, "cycles: fewer than in the line before");
    now->line = log->line;
    *before = *now;
    return (now->alive <= now->checked && now->checked <= now->done) ||
           here(log, "cycles: want alive= at most checked=, and checked= at most done=");
}

/* The kernel's last words: why, and registers that are a person's to read. */
static bool parse_panic(struct line *line)
{
    return log_error(line->log, line->log->line, "the kernel gave up: %.*s%s%.*s",
                     SPAN(line->says.panic.why), line->rest.length ? ", " : "",
                     SPAN(line->rest));
}

/* What the fields of a line mean, and the rules that hold between lines. */
static bool (*const parsers[LOG_WORDS])(struct line *) = {
    [WORD_BRANCH] = parse_branch,
    [WORD_STOP] = parse_stop,
    [WORD_AGAIN] = parse_again,
    [WORD_DATA] = parse_data,
    [WORD_PACKED] = parse_packed,
    [WORD_PACKETS] = parse_packets,
    [WORD_INFO] = parse_info,
    [WORD_EVERYBRANCH] = parse_opening,
    [WORD_LINUX] = parse_linux,
    [WORD_FEATURES] = parse_features,
    [WORD_CPUID] = parse_cpuid,
    [WORD_MODEL] = parse_model,
    [WORD_IMAGE] = parse_image,
    [WORD_CALLER] = parse_caller,
    [WORD_SERIAL] = parse_serial,
    [WORD_AVOID] = parse_avoid,
    [WORD_FACILITY] = parse_facility,
    [WORD_PROCESSORS] = parse_processors,
    [WORD_PROCESSOR] = parse_processor,
    [WORD_BUNDLE] = parse_bundle,
    [WORD_BYTES] = parse_bytes,
    [WORD_REJECTED] = parse_rejected,
    [WORD_WORKLOAD] = parse_workload,
    [WORD_LABELS] = parse_labels,
    [WORD_CODE] = parse_code,
    [WORD_PLAN] = parse_plan,
    [WORD_TRY] = parse_try,
    [WORD_COMMAND] = parse_command,
    [WORD_ANSWER] = parse_answer,
    [WORD_MSR] = parse_msr,
    [WORD_ROUND] = parse_round,
    [WORD_LOST] = parse_lost,
    [WORD_RUN] = parse_run,
    [WORD_SKIP] = parse_skip,
    [WORD_RAN] = parse_ran,
    [WORD_COST] = parse_cost,
    [WORD_CYCLES] = parse_cycles,
    [WORD_NOTE] = parse_note,
    [WORD_PANIC] = parse_panic,
    [WORD_END] = parse_end,
};

/*
 * A line that stands once is kept as it is, before it is parsed: in the log, or in the part
 * of the processor that is being read.
 */
#define KEPT(part, member)                                                \
    {                                                                     \
        offsetof(struct part, member), sizeof(((struct part *)0)->member) \
    }
static const struct kept {
    size_t at, size; /* of the struct; size 0: the line is not kept */
} in_log[LOG_WORDS] = {
    [WORD_LINUX] = KEPT(log, machine.os),
    [WORD_FIRMWARE] = KEPT(log, machine.firmware),
    [WORD_BIOS] = KEPT(log, machine.bios),
    [WORD_SYSTEM] = KEPT(log, machine.system),
    [WORD_IMAGE] = KEPT(log, machine.image),
    [WORD_CALLER] = KEPT(log, machine.caller),
    [WORD_APIC] = KEPT(log, machine.apic),
    [WORD_LEFT] = KEPT(log, machine.cpu.left),
    [WORD_SERIAL] = KEPT(log, machine.serial),
    [WORD_PROCESSORS] = KEPT(log, machine.several),
}, in_cpu_part[LOG_WORDS] = {
    [WORD_CPU] = KEPT(cpu_part, named),
    [WORD_FEATURES] = KEPT(cpu_part, features),
    [WORD_MODEL] = KEPT(cpu_part, model),
};

/* All structs that are kept begin with the number of their line. */
static bool keep(struct line *line, struct kept kept, void *part)
{
    char *where = (char *)part + kept.at;

    if (!kept.size)
        return true;
    if (!once(line, (size_t *)where))
        return false;
    memcpy(where + sizeof(size_t), (char *)&line->says + sizeof(size_t),
           kept.size - sizeof(size_t));
    return true;
}

static bool in_section(struct line *line, enum log_section section)
{
    struct log *log = line->log;

    if (section == LOG_IN_RUN && !log->in_run)
        return log_error(log, log->line, "%.*s: it is outside a run", SPAN(line->word));
    if (section != LOG_IN_RUN && section != LOG_ANYWHERE && log->in_run)
        return log_error(log, log->line, "%.*s: run %zu has not ended", SPAN(line->word),
                         log->runs[log->run_count - 1].number);
    if ((section == LOG_BEFORE_PLAN || section == LOG_OF_CPU) && log->plan.line)
        return log_error(log, log->line, "%.*s: it comes after the plan", SPAN(line->word));
    return section == LOG_OF_CPU || section == LOG_ANYWHERE || processor_read(log);
}

bool parse_line(struct log *log, struct span body, size_t wire_bytes)
{
    struct line line;
    enum log_line word;

    log->wire_bytes += wire_bytes;
    if (!line_begin(&line, log, body))
        return false;
    word = log_word(line.word.at, line.word.length);
    if (word == LOG_WORDS)
        return log_error(log, log->line, "\"%.*s\" is no word of the log", SPAN(line.word));
    if (word == WORD_EVERYBRANCH && !is_our_version(&line))
        return false;
    if (!in_section(&line, log_words[word].section) || !line_parse(&line, word) ||
        !keep(&line, in_log[word], log) ||
        !keep(&line, in_cpu_part[word], cpu_being_read(log)) ||
        (parsers[word] && !parsers[word](&line)) || !line_end(&line))
        return false;
    if (log_words[word].section == LOG_IN_RUN || word == WORD_RUN || word == WORD_SKIP)
        log->runs[log->run_count - 1].bytes += wire_bytes;
    return true;
}

/* After the last line. */
bool parse_finished(struct log *log)
{
    if (log->ended)
        return true;
    if (log->in_run) {
        const struct run *run = &log->runs[log->run_count - 1];

        return log_error(
            log, log->line, "the log ends early in run %zu (%s %s%s): no line \"end\"",
            run->number, run->method->name, run->workload->own->name, filter_suffix(run));
    }
    if (log->trying.line && log->trying.line == log->line)
        return broken_off_in_try(log);
    return log_error(log, log->line, "the log ends early: no line \"end\"");
}
