/*
 * The report's part about what is not as expected: a block for each cause, as a compiler
 * prints its errors.  A block begins with the place in the log.  Below it are the
 * instruction, the records that differ, and which methods recorded the same or something
 * else.
 */
#include "report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cause_code.h"
#include "heap.h"
#include "judge.h"
#include "log_run.h"
#include "terminal.h"
#include "words.h"

#define BLOCKS_WHOLE 6 /* further causes have one line each */
#define RUNS_NAMED   6 /* of one cause */
#define INDENT       4

/* Prints a line. */
__attribute__((format(printf, 2, 3))) static void paint(const char *colour,
                                                        const char *format, ...)
{
    const bool coloured = colour && terminal_takes_colour();
    va_list list;

    if (coloured)
        printf("\033[%sm", colour);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    puts(coloured ? "\033[0m" : "");
}

/* "bts-pmi", or "bts wt filter=jcc processors 1, 2" where that differs. */
static const char *name_of(const struct run *run, const struct run *first,
                           const char *processors)
{
    const bool same = run->workload == first->workload;

    return scratch_text("%s%s%s%s%s", run->method->name, same ? "" : " ",
                        same ? "" : run->workload->own->name,
                        run->filter == first->filter ? "" : filter_suffix(run), processors);
}

/* Begins with "LOG:LINE: ", as editors read it. */
static void print_place(const struct log *log, size_t line, bool bold, const char *sentence)
{
    const bool colour = bold && terminal_takes_colour();

    if (colour)
        fputs("\033[1m", stdout);
    terminal_wrap(0, INDENT, scratch_text("%s:%zu: %s", log->name, line, sentence));
    puts(colour ? "\033[0m" : "");
}

static void print_first(const struct log *log, const struct cause *cause, bool bold)
{
    const struct run *run = cause->runs[0];
    char who[512];
    struct text text = text_into(who, sizeof(who));

    processors_like(log, (size_t)(run - log->runs), &text);
    print_place(log, run->where, bold,
                scratch_text("%s%s %s %s%s: %s%s", row_name(run->cpu), who,
                             run->method->name, run->workload->own->name,
                             filter_suffix(run),
                             run->verdict == MEASURED ? "measured: " : "", run->why));
}

static void print_code(const struct log *log, const struct cause *cause)
{
    struct cause_code code;

    cause_code_of(&code, log, cause);
    for (size_t i = 0; i < code.count; i++)
        paint(code.insns[i].is_it ? "1" : "2", "  %s %-7s %-10s %s",
              code.insns[i].is_it ? ">" : " ",
              scratch_text("+0x%" PRIx64, code.insns[i].offset),
              code.insns[i].label ? code.insns[i].label : "", code.insns[i].text);
}

static void print_record(char sign, uint64_t number, const char *text, const char *remark)
{
    paint(sign == ' '   ? NULL
          : sign == '-' ? "32"
                        : "31",
          "  %c %6" PRIu64 "  %-*s%s", sign, number, *remark ? 28 : 0, text, remark);
}

static bool is_record(const char *text)
{
    return strcmp(text, CONTEXT_NONE) != 0;
}

/* A stop of `btf` has no FROM, and is like a record with its TO. */
static bool same_record(const char *got, const char *want)
{
    const char *to = strstr(want, "-> ");

    return strcmp(got, want) == 0 ||
           (strncmp(got, "? ", 2) == 0 && to && strcmp(got + 2, to) == 0);
}

/* The records up to the difference, and the next one, which shows where it ends. */
static void print_records(const struct context *c)
{
    uint64_t got_number = c->got - c->here, want_number = c->want - c->here;
    const size_t end = c->here + c->differs;

    for (size_t i = 0; i <= end && i < c->count; i++) {
        const char *got = c->rows[i].got, *want = c->rows[i].want;
        const bool differs = i >= c->here && i < end;

        got_number += is_record(got);
        want_number += is_record(want);
        if (!differs && same_record(got, want)) {
            print_record(' ', got_number, got, "");
            continue;
        }
        if (i == end) /* what differs there as well is another difference */
            break;
        if (is_record(want))
            print_record('-', want_number, want,
                         !differs         ? ""
                         : is_record(got) ? "  expected"
                                          : "  not recorded");
        if (is_record(got))
            print_record('+', got_number, got,
                         !differs          ? ""
                         : is_record(want) ? "  recorded"
                                           : "  not expected");
    }
}

static void print_list(const char *words, const char *list)
{
    terminal_wrap(0, 2 * INDENT, scratch_text("    %s%s", words, list));
    putchar('\n');
}

/* The list, which may be NULL, and one more name. */
static const char *appended(const char *list, const char *name)
{
    return list ? scratch_text("%s, %s", list, name) : name;
}

/* The runs of the cause except the first one and those that are like it. */
static void print_same(const struct log *log, const struct cause *cause)
{
    size_t others = 0;
    const char *list = NULL;

    for (size_t i = 1; i < cause->run_count; i++) {
        const struct run *run = cause->runs[i];
        char who[512];
        struct text text = text_into(who, sizeof(who));

        if (processors_like(log, (size_t)(run - log->runs), &text) && others++ < RUNS_NAMED)
            list =
                appended(list, scratch_text("%s (line %zu)",
                                            name_of(run, cause->runs[0], who), run->where));
    }
    if (others > RUNS_NAMED)
        list = appended(list, scratch_text("%zu more", others - RUNS_NAMED));
    if (list)
        print_list("the same: ", list);
}

static void print_right(const struct cause *cause)
{
    const char *list = NULL;

    for (size_t i = 0; i < cause->right_count; i++)
        list = appended(list, cause->right[i]->name);
    if (list)
        print_list("as expected by: ", list);
}

const char *expect_place(const struct loaded *loaded)
{
    static const char suffix[] = "_x2"; /* NAME_x2.asm includes NAME.asm: workload.inc */
    const struct workload *own = loaded->own;
    size_t length = strlen(own->name);

    if (!own->expect_line)
        return NULL;
    if (loaded->is_bundled) /* a bundle does not say which file it was made of */
        return scratch_text("line %u of the source of %s", own->expect_line, own->name);
    if (own->flags & WORKLOAD_X2APIC && length > strlen(suffix))
        length -= strlen(suffix);
    return scratch_text("%.*s.asm:%u", (int)length, own->name, own->expect_line);
}

static void print_question(const struct cause *cause)
{
    const struct method_facts *methods[METHODS_MAX];
    const char *place = expect_place(cause->runs[0]->workload);

    print_list("",
               scratch_text(
                   "all %zu methods that recorded it agree with each other: is %s%s wrong?",
                   cause_methods(cause, methods),
                   place ? "EXPECT at " : "the expected trace", place ? place : ""));
}

static void print_runs_of(const struct log *log, const struct cause *cause, bool whole)
{
    print_first(log, cause, whole && cause->verdict >= FAIL);
    if (whole && cause->runs[0]->context) {
        print_code(log, cause);
        print_records(cause->runs[0]->context);
    }
    print_same(log, cause);
    if (whole)
        print_right(cause);
    if (cause->is_unanimous)
        print_question(cause);
}

/* Prints how a method contradicts the first of several others, and the others' names. */
static void print_complaints(const struct log *log, const struct cause *cause)
{
    const struct complaint *first = cause->complaints[0];
    const char *others = NULL;

    print_place(log, first->line, true, first->what);
    for (size_t i = 1; i < cause->complaint_count; i++)
        others = appended(others, cause->complaints[i]->other);
    if (others)
        print_list("and so with ", others);
}

void print_log_error(const struct log *log)
{
    printf("%s: %s\n", scratch_take(where_text(log, log->error_line)), log->log_error);
}

/*
 * Blocks have empty lines around them; causes of one line have none between them.  A
 * measured difference is no failure, so it has one line.
 */
void print_causes(const struct log *log, const struct causes *causes)
{
    size_t blocks = 0;
    bool was_block = true;

    for (size_t i = 0; i < causes->count; i++) {
        const struct cause *cause = &causes->at[i];
        const bool is_block = cause->run_count && cause->verdict >= FAIL &&
                              cause->runs[0]->context && blocks++ < BLOCKS_WHOLE;

        if (is_block || was_block)
            putchar('\n');
        if (cause->run_count)
            print_runs_of(log, cause, is_block);
        else
            print_complaints(log, cause);
        was_block = is_block;
    }
    if (log->log_error) {
        putchar('\n');
        print_log_error(log);
    }
}
