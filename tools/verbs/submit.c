/*
 * `submit`: of a log, what may be shown to everybody, as a log with fresh seals, so that
 * it can itself be checked, compared and submitted.
 *
 * What is not on the list of what is kept is taken out: a line that a later kernel adds
 * is not made public before somebody has thought about it.
 */
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "heap.h"
#include "json.h"
#include "judge.h"
#include "log_lines.h"
#include "output.h"
#include "read.h"

#define WORDS_MAX 64 /* kinds of lines that are counted; the rest is one */

static const struct {
    const char *word, *about;
    const char *texts;   /* of what is in quotes only this, between spaces; NULL: all */
    const char *without; /* a line with this is taken out all the same, or NULL       */
} kept[] = {
    { .word = "everybranch", .about = "version and build" },
    { .word = "firmware", .about = "who made the firmware, its revision" },
    { .word = "bios", .about = "its version, Secure Boot", .texts = " version " },
    { .word = "system",
      .about = "the product, its board",
      .texts = " product board_product " },
    { .word = "cpu", .about = "microcode and brand" },
    { .word = "features", .about = "two MSRs that say what the trace hardware has" },
    { .word = "cpuid", .about = "leaves of CPUID, never that of a serial number" },
    { .word = "model", .about = "the row of the model table" },
    { .word = "apic", .about = "in which mode the local APIC was" },
    { .word = "image", .about = "where the program lay" },
    { .word = "caller", .about = "where its window lay" },
    { .word = "left", .about = "what the firmware left on, and how many SMIs there were" },
    { .word = "facility", .about = "what was found by trying" },
    { .word = "avoid", .about = "what an earlier boot died of" },
    { .word = "processors", .about = "how many processors took part" },
    { .word = "processor", .about = "each of them, its number and its APIC's" },
    { .word = "bundle",
      .about = "WORKLOADS OF YOUR OWN, without their files' names",
      .texts = "" },
    { .word = "bytes", .about = "...their code, labels and expectations" },
    { .word = "workload", .about = "the workloads" },
    { .word = "labels", .about = "their labels" },
    { .word = "code", .about = "their bytes" },
    { .word = "command", .about = "the commands that were typed" },
    { .word = "msr",
      .about = "what registers of the trace hardware held",
      .without = " name=unknown " }, /* its value may tell one machine from all others */
    { .word = "plan", .about = "what runs were planned" },
    { .word = "round", .about = "which runs were made at once" },
    { .word = "lost", .about = "processors that did not come back" },
    { .word = "run", .about = "runs" },
    { .word = "skip", .about = "runs that could not be made, and why" },
    { .word = "branch", .about = "records" },
    { .word = "stop", .about = "stops" },
    { .word = "again", .about = "repeated records" },
    { .word = "packed", .about = "packed records" },
    { .word = "data", .about = "their bytes" },
    { .word = "ran", .about = "how runs ended, counts, ticks" },
    { .word = "cost", .about = "how often a run was made, and the ticks that took" },
    { .word = "cycles", .about = "how often the machine was borrowed" },
    { .word = "end", .about = "sums" },
};

struct submission {
    const struct log *log;
    struct log_chain chain;
    char *bytes;
    size_t length, capacity, lines;
    struct {
        struct span word;
        size_t lines;
    } out[WORDS_MAX]; /* taken out, by their word */
    size_t out_count, out_others;
    size_t kept_lines[COUNT_OF(kept)];
    size_t outside; /* lines before and behind the log */
};

static size_t kept_as(struct span word)
{
    size_t i = 0;

    while (i < COUNT_OF(kept) && !span_is(word, kept[i].word))
        i++;
    return i;
}

static bool has(struct span body, const char *part)
{
    return part && memmem(body.at, body.length, part, strlen(part));
}

static void count_out(struct submission *s, struct span word)
{
    for (size_t i = 0; i < s->out_count; i++)
        if (s->out[i].word.length == word.length &&
            memcmp(s->out[i].word.at, word.at, word.length) == 0) {
            s->out[i].lines++;
            return;
        }
    if (s->out_count == WORDS_MAX) {
        s->out_others++;
        return;
    }
    s->out[s->out_count].word = word;
    s->out[s->out_count++].lines = 1;
}

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

static void put(struct text *line, const char *from, const char *to)
{
    for (char c[2] = { 0 }; from < to; from++) {
        c[0] = *from;
        text_string(line, c);
    }
}

/* Whether the key that ends here, before its =", is one of those. */
static bool listed(const char *texts, const char *body, const char *end)
{
    const char *begin = end;
    char key[LOG_LINE_MAX + 3];

    while (begin > body && begin[-1] != ' ')
        begin--;
    snprintf(key, sizeof(key), " %.*s ", (int)(end - begin), begin);
    return strstr(texts, key) != NULL;
}

/* The line, its texts emptied but for those that are kept. */
static void keep(struct submission *s, struct span body, const char *texts)
{
    char buffer[LOG_LINE_MAX + 1];
    struct text line = text_into(buffer, sizeof(buffer));
    const char *at = body.at, *end = body.at + body.length, *open, *close;

    while (texts && (open = memchr(at, '"', (size_t)(end - at)))) {
        close = memchr(open + 1, '"', (size_t)(end - open - 1));
        if (!close)
            break;
        put(&line, at, listed(texts, body.at, open - 1) ? close : open + 1);
        put(&line, close, close + 1);
        at = close + 1;
    }
    put(&line, at, end);
    seal(s, &line);
}

static void take(struct submission *s, struct span body)
{
    const char *space = memchr(body.at, ' ', body.length);
    struct span word = { body.at, space ? (size_t)(space - body.at) : body.length };
    size_t as = kept_as(word);

    if (as == COUNT_OF(kept) || has(body, kept[as].without)) {
        count_out(s, word);
        return;
    }
    s->kept_lines[as]++;
    keep(s, body, kept[as].texts);
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

/* Model, microcode, what it ran on unless bare metal, and the checksum of the last line. */
static char *name_of(const struct submission *s)
{
    const struct log *log = s->log;
    char *model = log->cpu.row ? format_text("%s", log->cpu.row->name)
                               : format_text("unknown-%02x_%02x", log->cpu.id.family,
                                             log->cpu.id.model);
    const char *on = log->cpu.platform           ? log->cpu.platform->name
                     : log->cpu.id.hypervisor[0] ? "guest"
                                                 : "metal";
    bool metal = strcmp(on, "metal") == 0;
    char *name = format_text("%s-%.*s%s%s-%08x.log", model,
                             (int)log->cpu.microcode.length - 2, log->cpu.microcode.at + 2,
                             metal ? "" : "-", metal ? "" : on, s->chain.crc);

    free(model);
    return name;
}

/* Whether the same is found in it as in the log that it was made of. */
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
           again.complaint_count == s->log->complaint_count &&
           log_verdict(&again) == log_verdict(s->log);
    log_free(&again);
    return same;
}

static void print_kept(const struct submission *s)
{
    puts("\n  kept");
    for (size_t i = 0; i < COUNT_OF(kept); i++)
        if (s->kept_lines[i])
            printf("  %8zu  %-12s %s\n", s->kept_lines[i], kept[i].word, kept[i].about);
    puts("\n  taken out");
    for (size_t i = 0; i < s->out_count; i++)
        printf("  %8zu  %.*s\n", s->out[i].lines, SPAN(s->out[i].word));
    if (s->out_others)
        printf("  %8zu  of further words\n", s->out_others);
    printf("  %8zu  before and behind the log\n", s->outside);
}

static void json_lines(struct json *json, struct span word, size_t lines)
{
    json_object(json, NULL);
    json_span(json, "word", word);
    json_count(json, "lines", lines);
    json_close(json);
}

static void json_submission(const struct submission *s, const char *name)
{
    struct json json;

    json_begin(&json, stdout, "submit");
    json_text(&json, "log", s->log->name);
    json_text(&json, "file", name);
    json_count(&json, "lines", s->lines);
    json_count(&json, "bytes", s->length);
    json_array(&json, "kept");
    for (size_t i = 0; i < COUNT_OF(kept); i++)
        if (s->kept_lines[i])
            json_lines(&json, (struct span){ kept[i].word, strlen(kept[i].word) },
                       s->kept_lines[i]);
    json_close(&json);
    json_array(&json, "taken_out");
    for (size_t i = 0; i < s->out_count; i++)
        json_lines(&json, s->out[i].word, s->out[i].lines);
    json_close(&json);
    json_count(&json, "outside", s->outside);
    json_end(&json, EXIT_AS_EXPECTED);
}

static void print_submission(const struct submission *s, const char *name)
{
    printf("%s: %zu lines, %zu bytes; `everybranch check` finds in it what it finds in "
           "%s\n",
           name, s->lines, s->length, s->log->name);
    print_kept(s);
    puts("\nIt is text: read it before you send it.  corpus/README.md says where to.");
}

static int submit(const struct given *given, const struct log *log)
{
    const char *file = given_value(given, "output");
    struct submission s = { .log = log };
    char *name;
    int code = EXIT_UNUSABLE;

    take_all(&s);
    name = file ? format_text("%s", file) : name_of(&s);
    if (!says_the_same(&s)) {
        fprintf(stderr,
                "everybranch: %s: what is left of it would not be judged as it is: nothing "
                "is written\n",
                log->name);
    } else if (output_new(name, s.bytes, s.length)) {
        if (given->json)
            json_submission(&s, name);
        else
            print_submission(&s, name);
        code = EXIT_AS_EXPECTED;
    }
    free(name);
    free(s.bytes);
    return code;
}

int verb_submit(const struct given *given)
{
    struct log log;
    int code = log_usable(&log, given->operands[0]) ? submit(given, &log) : EXIT_UNUSABLE;

    log_free(&log);
    return code;
}
