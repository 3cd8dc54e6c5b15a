// LINK: workloads everybranch
/*
 * Good logs, damaged at random: none may pass.  With the trailers mended a change may
 * be true by chance, but must not make the program read or write where it should not;
 * that shows in the sanitized build.
 *
 *      damage [ROUNDS [SEED]]
 */
#include "tools/judge/judge.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "test.h"
#include "common/base/count_of.h"
#include "tools/base/heap.h"
#include "tools/log/read.h"

#define ROUNDS 1000 /* damages that change something, and as many forgeries */
#define FOLDER "tests/logs"

static unsigned long long rounds = ROUNDS, seed = 1;
static const char *program;

struct bytes {
    char *at;
    size_t length;
};

static struct bytes copy(const char *at, size_t length, size_t more)
{
    struct bytes out = { malloc(length + more + 1), length };

    memcpy(out.at, at, length);
    return out;
}

/* Logs to start from: those of real runs that stand in the folder. */
static struct bytes goods[16];
static size_t good_count;

static void read_good(const char *name)
{
    char path[300];
    struct log log;

    snprintf(path, sizeof(path), FOLDER "/%s", name);
    log_read(&log, path);
    judge(&log, &(struct judge_options){ false });
    if (good_count < COUNT_OF(goods) && log_verdict(&log) == PASS)
        goods[good_count++] = copy(log.bytes, log.length, 0);
    log_free(&log);
}

static void read_goods(void)
{
    DIR *folder = opendir(FOLDER);
    struct dirent *entry;

    while (folder && (entry = readdir(folder))) {
        size_t length = strlen(entry->d_name);

        if (length > 4 && strcmp(entry->d_name + length - 4, ".log") == 0)
            read_good(entry->d_name);
    }
    if (folder)
        closedir(folder);
}

static enum verdict judged(struct bytes bytes)
{
    struct log log;
    enum verdict verdict;

    log_take(&log, "damaged", bytes.at, bytes.length);
    judge(&log, &(struct judge_options){ false });
    verdict = log_verdict(&log);
    log_free(&log);
    return verdict;
}

/* Lines. */

struct lines {
    struct bytes at[4096];
    size_t count;
};

static void split(struct lines *lines, struct bytes bytes)
{
    size_t begin = 0;

    lines->count = 0;
    for (size_t i = 0; i < bytes.length; i++)
        if (bytes.at[i] == '\n' && lines->count < COUNT_OF(lines->at)) {
            lines->at[lines->count++] = (struct bytes){ bytes.at + begin, i + 1 - begin };
            begin = i + 1;
        }
}

static struct bytes join(const struct lines *lines)
{
    struct bytes out = { NULL, 0 };

    for (size_t i = 0; i < lines->count; i++)
        out.length += lines->at[i].length;
    out.at = malloc(out.length + 1);
    out.length = 0;
    for (size_t i = 0; i < lines->count; i++) {
        memcpy(out.at + out.length, lines->at[i].at, lines->at[i].length);
        out.length += lines->at[i].length;
    }
    return out;
}

static void remove_line(struct lines *lines, size_t i)
{
    memmove(&lines->at[i], &lines->at[i + 1], (--lines->count - i) * sizeof(lines->at[0]));
}

static void insert_line(struct lines *lines, size_t i, struct bytes line)
{
    if (lines->count == COUNT_OF(lines->at))
        return;
    memmove(&lines->at[i + 1], &lines->at[i], (lines->count++ - i) * sizeof(lines->at[0]));
    lines->at[i] = line;
}

/* Damages.  Each gives other bytes than it was given, or the same by bad luck. */

static unsigned long long state;

static size_t pick(size_t below)
{
    return (size_t)(test_random(&state) % below);
}

static struct bytes flip(struct bytes good)
{
    struct bytes out = copy(good.at, good.length, 0);

    out.at[pick(out.length)] ^= (char)(1 << pick(8));
    return out;
}

static struct bytes replace(struct bytes good)
{
    struct bytes out = copy(good.at, good.length, 0);

    out.at[pick(out.length)] = (char)pick(256);
    return out;
}

static struct bytes cut_out(struct bytes good)
{
    struct bytes out = copy(good.at, good.length, 0);
    size_t at = pick(out.length), count = 1 + pick(3);

    count = count < out.length - at ? count : out.length - at;
    memmove(out.at + at, out.at + at + count, out.length - at - count);
    out.length -= count;
    return out;
}

static struct bytes insert(struct bytes good)
{
    struct bytes out = copy(good.at, good.length, 1);
    size_t at = pick(out.length);

    memmove(out.at + at + 1, out.at + at, out.length - at);
    out.at[at] = (char)pick(256);
    out.length++;
    return out;
}

static struct bytes cut_off(struct bytes good)
{
    return copy(good.at, pick(good.length - 1), 0);
}

static struct bytes with_lines(struct bytes good, void (*change)(struct lines *))
{
    static struct lines lines;

    split(&lines, good);
    change(&lines);
    return join(&lines);
}

static void lose(struct lines *lines)
{
    remove_line(lines, pick(lines->count));
}

static void repeat(struct lines *lines)
{
    size_t to = pick(lines->count), from = pick(lines->count);

    insert_line(lines, to, lines->at[from]);
}

static void exchange(struct lines *lines)
{
    size_t i = pick(lines->count), j = pick(lines->count);
    struct bytes line = lines->at[i];

    lines->at[i] = lines->at[j];
    lines->at[j] = line;
}

static void lose_several(struct lines *lines)
{
    size_t first = pick(lines->count), count = 1 + pick(20);

    while (count-- > 0 && first < lines->count)
        remove_line(lines, first);
}

/* Lines of another log, where they stand there. */
static void splice(struct lines *lines)
{
    static struct lines other;
    size_t first, count;

    split(&other, goods[pick(good_count)]);
    first = pick(lines->count < other.count ? lines->count : other.count);
    count = 1 + pick(30);
    for (size_t i = first; i < first + count && i < lines->count && i < other.count; i++)
        lines->at[i] = other.at[i];
}

static struct bytes damaged(struct bytes good)
{
    static void (*const of_lines[])(struct lines *) = { lose, repeat, exchange,
                                                        lose_several, splice };
    static struct bytes (*const of_bytes[])(struct bytes) = { flip, replace, cut_out,
                                                              insert, cut_off };
    size_t sort = pick(COUNT_OF(of_lines) + COUNT_OF(of_bytes));

    return sort < COUNT_OF(of_lines) ? with_lines(good, of_lines[sort])
                                     : of_bytes[sort - COUNT_OF(of_lines)](good);
}

/*
 * What counts of a log: not the CR at the end of a line, nothing before its opening,
 * nothing after its last line.  A damage that leaves this alone is none.
 */
static struct bytes essence(struct bytes bytes)
{
    static struct lines lines;
    struct bytes out = copy(bytes.at, bytes.length, 1);
    size_t count = 0, first = 0, last;

    out.at[out.length++] = '\n'; /* where the file ends a line does */
    for (size_t i = 0; i < out.length; i++)
        if (!(out.at[i] == '\r' && i + 1 < out.length && out.at[i + 1] == '\n'))
            out.at[count++] = out.at[i];
    out.length = count;
    split(&lines, out);
    while (first < lines.count && strncmp(lines.at[first].at, "everybranch log=", 16) != 0)
        first++;
    for (last = first; last < lines.count && strncmp(lines.at[last].at, "end ", 4) != 0;)
        last++;
    if (last == lines.count || first == lines.count)
        return out;
    count = (size_t)(lines.at[last].at + lines.at[last].length - lines.at[first].at);
    memmove(out.at, lines.at[first].at, count);
    out.length = count;
    return out;
}

static bool same_essence(struct bytes a, struct bytes b)
{
    struct bytes left = essence(a), right = essence(b);
    bool same = left.length == right.length && memcmp(left.at, right.at, left.length) == 0;

    free(left.at);
    free(right.at);
    return same;
}

/* Beside the program, which every build has to itself. */
static void show(struct bytes bytes)
{
    char *name = format_text("%s.log", program);
    FILE *file = fopen(name, "wb");

    if (file && fwrite(bytes.at, 1, bytes.length, file) == bytes.length &&
        fclose(file) == 0)
        printf("    the log is in %s\n", name);
    else
        printf("    the log cannot be written to %s\n", name);
    free(name);
}

TEST(there_are_good_logs_to_damage)
{
    for (size_t i = 0; i < good_count; i++)
        CHECK(judged(copy(goods[i].at, goods[i].length, 0)) == PASS);
}

TEST(no_damaged_log_passes)
{
    unsigned long long harmless = 0;

    state = seed;
    for (unsigned long long done = 0; done < rounds && harmless < rounds;) {
        struct bytes good = goods[pick(good_count)], bad = damaged(good);

        if (same_essence(good, bad)) {
            harmless++;
            free(bad.at);
            continue;
        }
        struct bytes kept = copy(bad.at, bad.length, 0);
        enum verdict verdict = judged(bad);
        bool first = !test_failed;

        CHECK(verdict == ERROR);
        if (verdict != ERROR && first)
            show(kept);
        free(kept.at);
        done++;
    }
    printf("# seed %llu: %llu damages, and %llu that change nothing\n", seed, rounds,
           harmless);
    CHECK(harmless < rounds / 5);
}

/* A body with its trailer cut off, as far as there is one. */
static size_t body_length(struct bytes line)
{
    for (size_t i = line.length; i > 1; i--)
        if (line.at[i - 1] == '~' && line.at[i - 2] == ' ')
            return i - 2;
    return line.length && line.at[line.length - 1] == '\n' ? line.length - 1 : line.length;
}

/* The same log with its trailers made anew. */
static struct bytes mended(struct bytes bad)
{
    static struct lines lines;
    struct bytes out;
    struct log_chain chain = { 0, 0 };
    size_t length = 0;

    split(&lines, bad);
    out.at = malloc(bad.length + 64 * lines.count + 1);
    for (size_t i = 0; i < lines.count; i++) {
        size_t body = body_length(lines.at[i]);
        struct text text = { out.at + length, body, body + 40, false };

        memcpy(out.at + length, lines.at[i].at, body);
        log_seal(&chain, &text);
        length += text.length;
        out.at[length++] = '\n';
    }
    out.length = length;
    return out;
}

TEST(no_forged_log_breaks_the_program)
{
    unsigned long long verdicts[VERDICTS] = { 0 };

    state = seed + 1;
    for (unsigned long long i = 0; i < rounds; i++) {
        struct bytes bad = damaged(goods[pick(good_count)]), forged = mended(bad);

        verdicts[judged(forged)]++;
        free(bad.at);
    }
    printf("# %llu forgeries: %llu pass, %llu fail, %llu errors\n", rounds, verdicts[PASS],
           verdicts[FAIL], verdicts[ERROR]);
    CHECK(verdicts[ERROR] > rounds / 4);
}

void test_setup(void)
{
    program = test_arguments[0];
    if (test_arguments[1])
        rounds = strtoull(test_arguments[1], NULL, 10);
    if (test_arguments[1] && test_arguments[2])
        seed = strtoull(test_arguments[2], NULL, 10);
    read_goods();
    if (good_count < 2) {
        printf("not ok logs_to_damage - %s has fewer than 2 that pass\n", FOLDER);
        exit(1);
    }
}
