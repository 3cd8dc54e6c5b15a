/*
 * Reads the lines of a log by its grammar (common/log/log_grammar.h).  A line that it does
 * not allow stops the reading with an error message.
 */
#include "parse.h"

#include "heap.h"

static bool parse_note(struct line *line)
{
    struct log *log = line->log;

    log->notes = arena_grow(&log->memory, log->notes, &log->note_capacity, log->note_count,
                            sizeof(*log->notes));
    log->notes[log->note_count++] = line_text(line, "text");
    return true;
}

/* How often the machine was borrowed again, for a test of that; the last line counts. */
static bool parse_cycles(struct line *line)
{
    struct log *log = line->log;
    const struct cycles now = { line_number(line, "done"), line_number(line, "checked"),
                                line_number(line, "alive"), log->line };

    if (now.done < log->machine.cycles.done || now.checked < log->machine.cycles.checked)
        return here(log, "cycles: fewer than in the line before");
    log->machine.cycles = now;
    return (now.alive <= now.checked && now.checked <= now.done) ||
           here(log, "cycles: want alive= at most checked=, and that at most done=");
}

/* The kernel's last words: why, and registers that are a person's to read. */
static bool parse_panic(struct line *line)
{
    return log_error(line->log, line->log->line, "the kernel gave up: %.*s%s%.*s",
                     SPAN(line_text(line, "why")), line->rest.length ? ", " : "",
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
    [WORD_FIRMWARE] = parse_firmware,
    [WORD_BIOS] = parse_bios,
    [WORD_SYSTEM] = parse_system,
    [WORD_CPU] = parse_cpu,
    [WORD_FEATURES] = parse_features,
    [WORD_CPUID] = parse_cpuid,
    [WORD_MODEL] = parse_model,
    [WORD_IMAGE] = parse_image,
    [WORD_CALLER] = parse_caller,
    [WORD_APIC] = parse_apic,
    [WORD_LEFT] = parse_left,
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
    struct value values[LINE_FIELDS_MAX];
    struct line line;
    enum log_line word;

    if (!line_begin(&line, log, body))
        return false;
    word = log_word(line.word.at, line.word.length);
    if (word == LOG_WORDS)
        return log_error(log, log->line, "\"%.*s\" is no word of the log", SPAN(line.word));
    if (word == WORD_EVERYBRANCH && !is_our_version(&line))
        return false;
    if (!in_section(&line, log_words[word].section) ||
        !line_parse(&line, log_fields(word), values) || !parsers[word](&line) ||
        !line_end(&line))
        return false;
    if (log_words[word].section == LOG_IN_RUN || word == WORD_RUN || word == WORD_SKIP)
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
