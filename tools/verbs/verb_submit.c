/*
 * `submit`: copies what may be published of a log, sealed again, so that the copy can be
 * checked, compared and submitted like any other log.
 *
 * The log's grammar (common/) says which lines are published.  Lines of which it does not
 * say so are taken out.
 */
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_code.h"
#include "heap.h"
#include "judge.h"
#include "line.h"
#include "bytes.h"
#include "output.h"
#include "read.h"

struct submission {
    struct log *log;
    struct log_chain chain;
    char *bytes;
    size_t length, capacity, lines;
    size_t kept_lines[LOG_WORDS], out_lines[LOG_WORDS]; /* kept, and taken out */
    size_t outside;                                     /* before and after the log */
};

static void append(struct submission *s, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        s->bytes = grow(s->bytes, &s->capacity, s->length, 1);
        s->bytes[s->length++] = bytes[i];
    }
}

static void seal(struct submission *s, struct text *line)
{
    log_seal(&s->chain, line);
    append(s, line->at, line->length);
    append(s, "\n", 1);
    s->lines++;
}

/* An MSR without a name in this program may identify the machine. */
static bool may_identify(enum log_line word, const struct line *line)
{
    return word == WORD_MSR && span_is(line_text(line, "name"), "unknown");
}

/* Keeps the line, but empties the texts that the grammar marks. */
static void take(struct submission *s, struct span body)
{
    char buffer[LOG_LINE_MAX + 1];
    struct text text = text_into(buffer, sizeof(buffer));
    struct line line;
    enum log_line word;

    line_begin(&line, s->log, body);
    word = log_word(line.word.at, line.word.length);
    line_parse(&line, word);
    if (!log_words[word].published || may_identify(word, &line)) {
        s->out_lines[word]++;
        return;
    }
    s->kept_lines[word]++;
    line_put(&line, '!', &text);
    seal(s, &text);
}

static void take_all(struct submission *s)
{
    struct log_lines lines = { .log = s->log };
    struct span body;
    size_t all = 0, inside = 0;

    for (; log_next(&lines, &body); inside++)
        take(s, body);
    for (size_t i = 0; i < s->log->length; i++)
        all += s->log->bytes[i] == '\n';
    all += s->log->length > 0 && s->log->bytes[s->log->length - 1] != '\n';
    s->outside = all - inside;
}

/*
 * Makes a name from the model, the microcode, the platform unless it is bare metal, and
 * the checksum of the last line.
 */
static const char *name_of(const struct submission *s)
{
    const struct log *log = s->log;
    const char *model = log->machine.cpu.row
                            ? log->machine.cpu.row->name
                            : scratch_text("unknown-%02x_%02x", log->machine.cpu.id.family,
                                           log->machine.cpu.id.model);
    const char *on = log->machine.cpu.platform           ? log->machine.cpu.platform->name
                     : log->machine.cpu.id.hypervisor[0] ? "guest"
                                                         : "metal";
    const bool metal = strcmp(on, "metal") == 0;

    return scratch_text("%s-%llx%s%s-%08x.log", model,
                        (unsigned long long)log->machine.cpu.named.microcode,
                        metal ? "" : "-", metal ? "" : on, s->chain.crc);
}

/* True if the copy is judged as the log is. */
static bool says_the_same(const struct submission *s)
{
    const struct judge_options plain = { .no_skip = false };
    struct log again;
    char *bytes = s->bytes ? malloc(s->length) : NULL;
    bool same;

    if (!bytes)
        return false;
    memcpy(bytes, s->bytes, s->length);
    log_take(&again, s->log->name, bytes, s->length);
    judge(&again, &plain);
    same = !again.log_error && again.run_count == s->log->run_count &&
           again.findings.complaint_count == s->log->findings.complaint_count &&
           log_verdict(&again) == log_verdict(s->log);
    log_free(&again);
    return same;
}

static void print_kept(const struct submission *s)
{
    puts("\n  kept");
    for (size_t i = 0; i < LOG_WORDS; i++)
        if (s->kept_lines[i])
            printf("  %8zu  %-12s %s\n", s->kept_lines[i], log_words[i].word,
                   log_words[i].published);
    puts("\n  taken out");
    for (size_t i = 0; i < LOG_WORDS; i++)
        if (s->out_lines[i])
            printf("  %8zu  %s\n", s->out_lines[i], log_words[i].word);
    printf("  %8zu  before and after the log\n", s->outside);
}

static void print_submission(const struct submission *s, const char *name)
{
    printf("%s: %zu lines, %zu bytes; `everybranch check` finds in it what it finds in "
           "%s\n",
           name, s->lines, s->length, s->log->name);
    print_kept(s);
    puts("\nIt is text: read it before you send it.  corpus/README.md says where to.");
}

static int submit(const struct given *given, struct log *log)
{
    const char *file = given_value(given, "output");
    struct submission s = { .log = log };
    const char *name;
    int code = EXIT_UNUSABLE;

    take_all(&s);
    name = file ? file : name_of(&s);
    if (!says_the_same(&s)) {
        fprintf(stderr,
                "everybranch: %s: the copy would not be judged as the log is, so nothing "
                "was written\n",
                log->name);
    } else if (output_new(name, s.bytes, s.length)) {
        print_submission(&s, name);
        code = EXIT_AS_EXPECTED;
    }
    free(s.bytes);
    return code;
}

static int verb_submit(const struct given *given)
{
    struct log log;
    int code = log_usable(&log, given->operands[0]) ? submit(given, &log) : EXIT_UNUSABLE;

    log_free(&log);
    return code;
}

VERB(submit) = {
    .name = "submit",
    .operands = "LOG",
    .about = "write a copy of a log without what should not be public",
    .more = "The copy is sealed again, so that it can be checked and compared like any "
            "other log.",
    .examples = "submit everybranch.log\nsubmit everybranch.log -o corpus/mine.log",
    .run = verb_submit,
    .least = 1,
    .most = 1,
    .options = { BOOT_OPTION,
                 OUTPUT_OPTION("write to FILE, not to a name made from the contents") },
};
