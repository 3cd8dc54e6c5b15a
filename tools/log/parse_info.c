/*
 * What last-branch records say beside FROM and TO: the words that a run has, in its line
 * `run`, and after its records a line `info` for each of them.
 */
#include "parse.h"

#include <string.h>

#include "heap.h"

#define CYCLES_MAX UINT16_MAX

/* "mispredicted+cycles": in the order of the table, each at most once. */
static bool read_words(struct span text, uint32_t *out)
{
    *out = 0;
    for (enum info_word i = 0; i < INFO_WORDS && text.length > 0; i++) {
        size_t length = strlen(info_names[i]);

        if (text.length < length || memcmp(text.at, info_names[i], length) != 0)
            continue;
        *out |= INFO_HAS(i);
        text.at += length;
        text.length -= length;
        if (text.length < 2 || text.at[0] != '+')
            break;
        text.at++;
        text.length--;
    }
    return *out && text.length == 0;
}

bool take_info_words(struct line *line, struct run *run)
{
    const struct span words = line->says.run.info;

    if (!words.at)
        return true;
    if (!read_words(words, &run->info))
        return log_error(line->log, line->log->line,
                         "run: got info=%.*s, want some of mispredicted, cycles, type, "
                         "in_tsx, abort and speculative in this order with + between",
                         SPAN(words));
    return ((run->method->ring_lbr || run->method->last_event) &&
            run->capacity <= INFO_RECORDS_MAX) ||
           log_error(line->log, line->log->line,
                     "run: info= belongs to lbr and ler, with at most %d records",
                     INFO_RECORDS_MAX);
}

static bool read_value(enum info_word word, struct span text, uint32_t *out)
{
    uint64_t most = word == INFO_CYCLES ? CYCLES_MAX : 1, number;

    if (word == INFO_TYPE) {
        for (*out = 0; *out < INFO_TYPES; ++*out)
            if (span_is(text, info_types[*out]))
                return true;
        return false;
    }
    *out = INFO_UNKNOWN;
    if (word == INFO_CYCLES && span_is(text, "?"))
        return true;
    if (!read_decimal(text, &number) || number > most)
        return false;
    *out = (uint32_t)number;
    return true;
}

static bool read_word(struct line *line, enum info_word word, struct info *out)
{
    static const char *const wishes[INFO_WORDS] = {
        [INFO_CYCLES] = "a number up to 65535, or ?",
        [INFO_TYPE] = "jcc, ijmp, jmp, icall, call, ret, other or reserved",
    };
    const struct log_field field = { .key = info_names[word], .type = LOG_WORD };
    struct span value, said;

    return line_field(line, &field, &said, &value) &&
           (read_value(word, value, &out->values[word]) ||
            log_error(line->log, line->log->line, "info: got %s=%.*s, want %s",
                      info_names[word], SPAN(value),
                      wishes[word] ? wishes[word] : "0 or 1"));
}

bool parse_info(struct line *line)
{
    struct log *log = line->log;
    struct run *run = &log->runs[log->run_count - 1];
    struct logged_info logged = { .line = log->line };
    uint64_t times;

    if (!run->info)
        return here(log, "info: the line of its run has no info=");
    for (enum info_word i = 0; i < INFO_WORDS; i++)
        if (run->info & INFO_HAS(i) && !read_word(line, i, &logged.info))
            return false;
    if (!rest_times(line, &times))
        return false;
    if (times > INFO_RECORDS_MAX || run->info_count + times > run->records)
        return log_error(log, log->line, "info: of more than the %llu records of its run",
                         (unsigned long long)run->records);
    while (times-- > 0) {
        run->infos = arena_grow(&log->memory, run->infos, &run->info_capacity,
                                run->info_count, sizeof(logged));
        run->infos[run->info_count++] = logged;
    }
    return true;
}

bool check_infos(struct log *log, const struct run *run)
{
    return !run->info || run->info_count == run->records ||
           log_error(log, log->line, "ran: records=%llu, but its info lines are of %zu",
                     (unsigned long long)run->records, run->info_count);
}
