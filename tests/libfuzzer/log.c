// LINK: tests/libfuzzer/mutate.c
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
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "portable.h"
#include "tools/base/heap.h"
#include "tools/log/read.h"
#include "tools/log/records.h"
#include "tools/report/report.h"
#include "tools/verbs/verb_cat.c" /* canonical() */

#define TRAILER_MAX 24

/* The records of a run of a good log, as they mean the same at any address. */
struct known {
    const struct method_facts *method;
    const struct workload *workload;
    const struct model *row;
    uint32_t signature; /* leaf 1's EAX: a line "model" may name any row */
    uint32_t filter;
    struct branch *records;
    size_t count;
};
static struct known *known;
static size_t known_count, known_capacity;

static unsigned long long inputs, whole, passing, failing; /* the last two: runs */

static size_t count_lines(const uint8_t *data, size_t size)
{
    size_t count = 1;

    for (size_t i = 0; i < size; i++)
        count += data[i] == '\n';
    return count;
}

/* The lines with their trailers, in memory for log_take(). */
static char *sealed(const char *data, size_t size, size_t *length)
{
    size_t capacity = size + count_lines((const uint8_t *)data, size) * TRAILER_MAX + 1;
    char *out = calloc(capacity, 1); /* cppcheck does not see that it is written */
    struct log_chain chain = { 0, 0 };

    *length = 0;
    while (size > 0) {
        const char *end = memchr(data, '\n', size);
        size_t body = end ? (size_t)(end - data) : size;
        struct text text;

        memcpy(out + *length, data, body);
        text = (struct text){ out + *length, body, capacity - *length, false };
        log_seal(&chain, &text);
        MUST(!text.overflow);
        text.at[text.length] = '\n';
        *length += text.length + 1;
        data += body + (end ? 1 : 0);
        size -= body + (end ? 1 : 0);
    }
    return out;
}

static void take(struct log *log, const uint8_t *data, size_t size)
{
    size_t length;
    char *bytes = sealed((const char *)data, size, &length);

    log_take(log, "fuzzed", bytes, length);
    judge(log, &(struct judge_options){ false });
}

/* What is learned from the good logs. */

static void learn_run(const struct log *log, const struct run *run)
{
    struct log_map map = map_of(log, run->workload);
    struct known *new;
    const struct run_records records = run_records(log, run);

    known = grow(known, &known_capacity, known_count, sizeof(*known));
    new = &known[known_count++];
    *new = (struct known){ .method = run->method,
                           .workload = run->workload->own,
                           .row = log->machine.cpu.row,
                           .signature = log->machine.cpu.id.signature,
                           .filter = run->filter,
                           .records = calloc(run->records + 1, sizeof(struct branch)) };
    for (uint64_t i = 0; i < records.count; i++)
        MUST(portable_from(&map, &records.at[i], &new->records[new->count++]));
}

static void learn(const char *path)
{
    static uint8_t bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    struct log log;
    size_t size;

    MUST(file);
    size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    mutate_from(bytes, size);
    take(&log, bytes, size);
    for (size_t i = 0; i < log.run_count; i++)
        if (log.runs[i].verdict == PASS && log.runs[i].records &&
            !log.runs[i].workload->is_bundled) /* that one goes with its log */
            learn_run(&log, &log.runs[i]);
    log_free(&log);
}

static void sum_up(void)
{
    fprintf(stderr, "# of %llu logs %llu are whole; %llu runs pass, %llu fail\n", inputs,
            whole, passing, failing);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *seeds = getenv("SEEDS");
    DIR *folder = opendir(seeds ? seeds : "");
    struct dirent *entry;
    char path[1000];

    (void)argc;
    (void)argv;
    if (!folder) {
        fputs("SEEDS: want the folder of good logs\n", stderr);
        exit(2);
    }
    while ((entry = readdir(folder))) {
        snprintf(path, sizeof(path), "%s/%s", seeds, entry->d_name);
        if (entry->d_name[0] != '.')
            learn(path);
    }
    closedir(folder);
    MUST(known_count > 100);
    MUST(freopen("/dev/null", "w", stdout));
    atexit(sum_up);
    return 0;
}

/* What must hold of any log. */

static const struct known *known_run(const struct log *log, const struct run *run)
{
    for (size_t i = 0; i < known_count; i++)
        if (known[i].method == run->method && known[i].workload == run->workload->own &&
            known[i].row == log->machine.cpu.row &&
            known[i].signature == log->machine.cpu.id.signature &&
            known[i].filter == run->filter)
            return &known[i];
    return NULL;
}

/* How often REP goes round stands nowhere, so stops that repeat count as one. */
static size_t next_known(const struct known *good, bool once, size_t at)
{
    while (++at < good->count && once && good->records[at].to == good->records[at - 1].to)
        ;
    return at;
}

static void is_known(const struct log *log, const struct run *run)
{
    struct log_map map = map_of(log, run->workload);
    const struct known *good = known_run(log, run);
    bool once = run->method->every_insn;
    const struct run_records got = run_records(log, run);
    struct branch want;
    size_t at = 0;

    if (!good || run->method->counter_driven)
        return; /* where its interrupts come decides which records there are */
    if (run->method->ring_buffer && run->capacity < good->count)
        at = good->count - run->records; /* the newest */
    for (uint64_t i = 0; i < got.count; i++) {
        if (once && i > 0 && got.at[i].to == got.at[i - 1].to)
            continue;
        MUST(at < good->count);
        portable_to(&map, &good->records[at], &want);
        MUST(got.at[i].from == want.from && got.at[i].to == want.to);
        at = next_known(good, once, at);
    }
    MUST(at == good->count);
}

static void has_its_records(const struct log *log, const struct run *run)
{
    uint64_t count = run_records(log, run).count;

    MUST(count <= RUN_RECORDS_MAX && (count == run->records || log->log_error));
    MUST(run->skipped || run->verdict == ERROR || count == run->records);
}

static void run_is_sane(const struct log *log, const struct run *run)
{
    MUST(run->verdict <= ERROR);
    MUST(run->line > 0 && run->line <= run->end_line && run->end_line <= log->line);
    if (run->verdict != PASS)
        MUST(run->why && run->where >= run->line && run->where <= run->end_line);
    MUST(!run->skipped || (run->records == 0 && run->reason.length > 0));
    has_its_records(log, run);
    passing += run->verdict == PASS;
    failing += run->verdict == FAIL;
    if (run->verdict == PASS)
        is_known(log, run);
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

static void log_is_sane(const struct log *log, size_t lines)
{
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

static void all_ways_to_say_it(struct log *log)
{
    report(log, &(struct report_options){ .bytes = true });
    tap(log, 1);
    junit(stdout, log, 1);
    if (!log->log_error)
        canonical(log, inputs % 2);
}

/* The sealed lines as tools keep them. */
static char *kept(const char *bytes, size_t length, size_t form, size_t *out)
{
    static const char *const before[] = { "12:00:01 ", "", "\033[1m", "> " },
                             *const after[] = { "\n", "\r\r\n", "\033[0m\n\n", " |\r" };
    char *text = NULL;
    FILE *file = open_memstream(&text, out);

    for (size_t at = 0; at < length;) {
        const char *end = memchr(bytes + at, '\n', length - at);

        fprintf(file, "%s%.*s%s", before[form], (int)(end - bytes - (ptrdiff_t)at),
                bytes + at, after[form]);
        at = (size_t)(end - bytes) + 1;
    }
    fclose(file);
    return text;
}

static void found_the_same(const struct log *log, const uint8_t *data, size_t size)
{
    size_t length;
    char *bytes = sealed((const char *)data, size, &length);
    size_t kept_length;
    char *text = kept(bytes, length, inputs % 4, &kept_length);
    struct log again;

    log_take(&again, "kept", text, kept_length);
    judge(&again, &(struct judge_options){ false });
    MUST(!again.log_error && again.run_count == log->run_count &&
         log_verdict(&again) == log_verdict(log));
    log_free(&again);
    free(bytes);
}

static void breaks_nothing(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size + 1);
    struct log log;

    MUST(bytes);
    memcpy(bytes, data, size);
    log_take(&log, "raw", bytes, size);
    judge(&log, &(struct judge_options){ false });
    log_free(&log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct log log;

    take(&log, data, size);
    inputs++;
    whole += !log.log_error;
    log_is_sane(&log, count_lines(data, size));
    all_ways_to_say_it(&log);
    if (!log.log_error)
        found_the_same(&log, data, size);
    if (inputs % 8 == 0)
        breaks_nothing(data, size);
    log_free(&log);
    return 0;
}
