/*
 * A log of any lines with right trailers: read, judged and reported.
 *
 * An input is lines without trailers; they are sealed here, since whatever changes a
 * sealed line ends at its checksum.  More is asked than that nothing crashes: a run that
 * passes must have the records that the good log with the same model, method and
 * workload has, where good logs are those of the folder SEEDS, which tests/logs made
 * without a line of this program's C.  And a log without an error must be found the same
 * where something surrounds its lines; the input as such must only break nothing.
 */
#include "tools/judge/judge.h"

#include <dirent.h>

#include "fuzz.h"
#include "portable.h"
#include "tools/base/heap.h"
#include "tools/log/read.h"
#include "tools/log/records.h"
#include "tools/report/report.h"
#include "tools/verbs/verb_cat.c" /* canonical() */

#define GOODS_MAX 1000
#define LINES_MAX 1000
#define LINE_MAX  240
#define BYTES_MAX (1 << 16)

static struct good {
    struct log log;
    struct span text;
} goods[GOODS_MAX];
static size_t good_count;

static unsigned long long inputs, whole, passing, failing; /* the last two: runs */

/* The lines as the kernel would write them, or, with `kept`, as tools keep them. */
static char *sealed(struct span text, bool kept, size_t *length)
{
    static const char *const before[] = { "12:00:01 ", "", "\033[1m", "> " },
                             *const after[] = { "\n", "\r\r\n", "\033[0m\n\n", " |\r" };
    struct log_chain chain = { 0, 0 };
    char *out = NULL, line[BYTES_MAX + 32];
    FILE *file = open_memstream(&out, length);

    while (text.length > 0) {
        const char *end = memchr(text.at, '\n', text.length);
        size_t body = end ? (size_t)(end - text.at) : text.length;
        struct text sealing = { memcpy(line, text.at, body), body, sizeof(line), false };

        log_seal(&chain, &sealing);
        MUST(!sealing.overflow);
        fprintf(file, "%s", kept ? before[inputs % 4] : "");
        fwrite(line, 1, sealing.length, file);
        fprintf(file, "%s", kept ? after[inputs % 4] : "\n");
        text.at += body + (end ? 1 : 0);
        text.length -= body + (end ? 1 : 0);
    }
    fclose(file);
    return out;
}

static void take(struct log *log, char *bytes, size_t length)
{
    log_take(log, "fuzzed", bytes, length);
    judge(log, &(struct judge_options){ false });
}

static void take_sealed(struct log *log, struct span text, bool kept)
{
    size_t length;
    char *bytes = sealed(text, kept, &length);

    take(log, bytes, length);
}

static void sum_up(void)
{
    fprintf(stderr, "# of %llu logs %llu are whole; %llu runs pass, %llu fail\n", inputs,
            whole, passing, failing);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static struct dirent **names;
    const int count = scandir(getenv("SEEDS"), &names, NULL, alphasort);
    char path[1000], *bytes;

    (void)argc;
    (void)argv;
    for (int i = 0; i < count; i++) {
        FILE *file;

        snprintf(path, sizeof(path), "%s/%s", getenv("SEEDS"), names[i]->d_name);
        if (names[i]->d_name[0] == '.' || !(file = fopen(path, "rb")))
            continue;
        MUST(good_count < GOODS_MAX && (bytes = malloc(BYTES_MAX)));
        goods[good_count].text = (struct span){ bytes, fread(bytes, 1, BYTES_MAX, file) };
        fclose(file);
        take_sealed(&goods[good_count].log, goods[good_count].text, false);
        good_count++;
    }
    MUST(good_count > 50);
    MUST(freopen("/dev/null", "w", stdout));
    atexit(sum_up);
    return 0;
}

/* What must hold of any log. */

/* How many iterations REP makes is not logged, so stops that repeat count as one. */
static size_t next_record(const struct run *run, struct run_records of, size_t at)
{
    while (++at < of.count && run->method->every_insn && of.at[at].to == of.at[at - 1].to)
        ;
    return at;
}

/* A processor may fuse a branch in one run and not in another. */
static void has_the_records_of(const struct log *log, const struct run *run,
                               const struct log *good_log, const struct run *good_run)
{
    struct log_map map = map_of(log, run->workload),
                   good_map = map_of(good_log, good_run->workload);
    const struct run_records got = run_records(log, run),
                             good = run_records(good_log, good_run);
    size_t at = 0;
    struct branch one, other;

    if (run->method->ring_buffer && run->capacity < good.count)
        at = good.count - run->records; /* the newest */
    for (size_t i = 0; i < got.count; i = next_record(run, got, i)) {
        MUST(at < good.count);
        MUST(portable_from(&map, &got.at[i], &one) &&
             portable_from(&good_map, &good.at[at], &other));
        MUST(one.to == other.to);
        MUST(one.from == other.from || run->fused || good_run->fused);
        at = next_record(run, good, at);
    }
    MUST(at == good.count);
}

static bool is_like(const struct log *log, const struct run *run,
                    const struct log *good_log, const struct run *good)
{
    const struct cpu_part *cpu = &log->machine.cpu, *good_cpu = &good_log->machine.cpu;

    return good->verdict == PASS && good->records && !good->workload->is_bundled &&
           good->method == run->method && good->workload->own == run->workload->own &&
           good_cpu->row == cpu->row && good_cpu->id.signature == cpu->id.signature &&
           good->filter == run->filter;
}

static void passes_rightly(const struct log *log, const struct run *run)
{
    if (run->method->counter_driven)
        return; /* which records there are depends on where its interrupts come */
    for (struct good *good = goods; good < goods + good_count; good++)
        for (size_t i = 0; i < good->log.run_count; i++)
            if (is_like(log, run, &good->log, &good->log.runs[i])) {
                has_the_records_of(log, run, &good->log, &good->log.runs[i]);
                return;
            }
}

static void run_is_sane(const struct log *log, const struct run *run)
{
    const uint64_t count = run_records(log, run).count;

    MUST(run->verdict <= ERROR);
    MUST(run->line > 0 && run->line <= run->end_line && run->end_line <= log->line);
    if (run->verdict != PASS)
        MUST(run->why && run->where >= run->line && run->where <= run->end_line);
    MUST(!run->skipped || (run->records == 0 && run->reason.length > 0));
    MUST(count <= RUN_RECORDS_MAX && (count == run->records || log->log_error));
    MUST(run->skipped || run->verdict == ERROR || count == run->records);
    passing += run->verdict == PASS;
    failing += run->verdict == FAIL;
    if (run->verdict == PASS)
        passes_rightly(log, run);
}

/* Of a session only the last command's plan is left; runs before it had theirs. */
static bool plan_is_fulfilled(const struct log *log)
{
    size_t once = log->plan.method_count * log->plan.workload_count * filters_of(log) *
                  processors_of(log);
    size_t runs = log->run_count - log->plan.first;

    if (!log->by_command)
        return runs == once && log->plan.first == 0;
    return log->plan.line ? runs == log->plan.runs && runs && runs % once == 0 : runs == 0;
}

static void log_is_sane(const struct log *log, struct span text)
{
    size_t lines = 1;

    for (size_t i = 0; i < text.length; i++)
        lines += text.at[i] == '\n';
    MUST(log->log_error || (log->ended && log->error_line == 0));
    MUST(log->error_line <= lines && log->line <= lines);
    MUST(!log->log_error || log_verdict(log) == ERROR);
    MUST(log->log_error || plan_is_fulfilled(log));
    MUST(!log->logged_count || log->by_command);
    MUST(log->findings.pairs_disagree <= log->findings.pairs_compared);
    for (size_t i = 0; i < log->run_count; i++)
        if (log->runs[i].end_line && !(log->log_error && i + 1 == log->run_count))
            run_is_sane(log, &log->runs[i]);
}

static void is_reported(struct log *log)
{
    report_log(log, &(struct report_options){ .bytes = true });
    tap(log, 1);
    junit(stdout, log, 1);
    if (!log->log_error)
        canonical(log, inputs % 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = { (const char *)data, size };
    struct log log, kept, raw;

    if (size > BYTES_MAX)
        return 0;
    take_sealed(&log, text, false);
    inputs++;
    whole += !log.log_error;
    log_is_sane(&log, text);
    is_reported(&log);
    if (!log.log_error) {
        take_sealed(&kept, text, true);
        MUST(!kept.log_error && kept.run_count == log.run_count);
        MUST(log_verdict(&kept) == log_verdict(&log));
        log_free(&kept);
    }
    if (inputs % 8 == 0) {
        take(&raw, memcpy(zeroed(size + 1, 1), data, size), size);
        log_free(&raw);
    }
    log_free(&log);
    return 0;
}

/*
 * Changes to the lines of a log.  What libFuzzer does to bytes it does here to one line;
 * lines are also lost, doubled, exchanged and taken from other logs.  A log whose counts
 * do not hold is not judged, so mostly they are made to hold again.
 */

static char *lines[LINES_MAX], *others[LINES_MAX];
static struct arena memory; /* of the lines */
static uint32_t state;

static uint32_t pick(size_t below)
{
    state = state * 1664525u + 1013904223u; /* "Numerical Recipes", ranqd1 */
    return (uint32_t)((uint64_t)state * below >> 32);
}

static size_t split(struct span text, char **out)
{
    char *at = arena_keep(&memory, zeroed(text.length + 1, 1));
    size_t count = 0;

    memcpy(at, text.at, text.length);
    while (count < LINES_MAX && (out[count] = strsep(&at, "\n")))
        count += out[count][0] != '\0';
    return count;
}

static char *with_other_bytes(const char *line)
{
    char *out = arena_keep(&memory, zeroed(LINE_MAX + 1, 1));

    snprintf(out, LINE_MAX, "%s", line);
    out[LLVMFuzzerMutate((uint8_t *)out, strlen(out), LINE_MAX)] = '\0';
    return out;
}

static const char *word_of(const char *line, uint32_t n)
{
    while (n-- > 0 && line[strcspn(line, " ")])
        line += strcspn(line, " ") + 1;
    return line;
}

/* One of its words becomes that of the other line. */
static char *with_a_word_of(const char *line, const char *other)
{
    uint32_t n = pick(8);
    const char *was = word_of(line, n), *is = word_of(other, n);

    return arena_keep(&memory,
                      format_text("%.*s%.*s%s", (int)(was - line), line,
                                  (int)strcspn(is, " "), is, was + strcspn(was, " ")));
}

static bool has_record(const char *line)
{
    return text_begins(line, "branch ") || text_begins(line, "stop ") ||
           text_begins(line, "again ");
}

/* A line; mostly one with a record. */
static size_t pick_line(size_t count)
{
    bool record = pick(4) > 0;
    size_t one = pick(count);

    for (int tries = 0; record && tries < 10 && !has_record(lines[one]); tries++)
        one = pick(count);
    return one;
}

static size_t change(size_t count, size_t other_count)
{
    size_t one = pick_line(count), two = pick_line(count);
    char *was = lines[one];

    switch (pick(10)) {
    case 0: /* lost */
        memmove(&lines[one], &lines[one + 1], (count - one - 1) * sizeof(was));
        return count - 1;
    case 1: /* doubled, somewhere */
        if (count == LINES_MAX)
            return count;
        memmove(&lines[two + 1], &lines[two], (count - two) * sizeof(was));
        lines[two] = was;
        return count + 1;
    case 2:
        lines[one] = lines[two];
        lines[two] = was;
        return count;
    case 3: /* another log's, where they stand there */
        for (size_t end = one + 1 + pick(30); one < end && one < count; one++)
            if (one < other_count)
                lines[one] = others[one];
        return count;
    case 4:
    case 5:
    case 6:
        lines[one] = with_a_word_of(was, lines[two]);
        return count;
    default:
        lines[one] = with_other_bytes(was);
        return count;
    }
}

/* The number after a key, cut to so many digits; 1: the line has no such key. */
static unsigned long long number(char *line, const char *key, size_t digits)
{
    char *at = strstr(line, key);
    size_t length;

    if (!at)
        return 1;
    at += strlen(key);
    length = strspn(at, "0123456789");
    if (length > digits) /* what takes long to unfold finds nothing more */
        memmove(at + digits, at + length, strlen(at + length) + 1);
    return strtoull(at, NULL, 10);
}

static unsigned long long records_of(char *line)
{
    if (text_begins(line, "branch ") || text_begins(line, "stop "))
        return number(line, " x", 3);
    if (text_begins(line, "again "))
        return number(line, "again ", 2) * number(line, " x", 3);
    return text_begins(line, "packed ") ? number(line, " records=", 4) : 0;
}

static char *with_number(char *line, const char *key, unsigned long long value)
{
    const char *at = strstr(line, key);

    if (!at)
        return line;
    at += strlen(key);
    return arena_keep(&memory, format_text("%.*s%llu%s", (int)(at - line), line, value,
                                           at + strspn(at, "0123456789")));
}

static void mend(size_t count, bool counts)
{
    unsigned long long records = 0, all = 0;

    for (char **line = lines; line < lines + count; line++) {
        if (text_begins(*line, "run "))
            records = 0;
        records += records_of(*line); /* and cuts them, whatever is to be mended */
        if (counts && text_begins(*line, "ran ")) {
            if (number(*line, " events=", LINE_MAX) == number(*line, " records=", LINE_MAX))
                *line = with_number(*line, " events=", records);
            *line = with_number(*line, " records=", records);
            all += records;
        }
        if (counts && text_begins(*line, "end "))
            *line = with_number(*line, " records=", all);
    }
}

/* Half of the time it begins with a good log: what was changed often is mostly no log. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    size_t count, other_count;

    state = seed;
    count = split(pick(2) ? goods[pick(good_count)].text
                          : (struct span){ (const char *)data, size },
                  lines);
    other_count = split(goods[pick(good_count)].text, others);
    for (uint32_t changes = 1 + pick(3); changes > 0 && count > 0; changes--)
        count = change(count, other_count);
    mend(count, pick(4) > 0);
    size = 0;
    for (size_t i = 0; i < count && size + strlen(lines[i]) + 2 <= capacity; i++)
        size += (size_t)sprintf((char *)data + size, "%s\n", lines[i]);
    arena_release(&memory);
    return size;
}
