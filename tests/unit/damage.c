// LINK: workloads everybranch
/*
 * Logs that pass and logs that fail, damaged at random: each is in error then, or it is
 * what it was, line by line.  With the trailers mended a change may
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
#include "tools/log/bytes.h"
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

/* The lines of a log that was read, without what surrounded them. */
static struct bytes lines_of(const struct log *log)
{
    struct log_lines lines = { .log = log };
    struct bytes out = copy("", 0, log->length);
    struct span body;

    while (!log->log_error && log_next(&lines, &body)) {
        memcpy(out.at + out.length, body.at, body.length);
        out.length += body.length;
        out.at[out.length++] = '\n';
    }
    return out;
}

/* The bytes are the log's then; those of its lines are kept, if wanted. */
static enum verdict judged_with(struct bytes bytes, struct bytes *lines)
{
    struct log log;
    enum verdict verdict;

    log_take(&log, "damaged", bytes.at, bytes.length);
    judge(&log, &(struct judge_options){ false });
    verdict = log_verdict(&log);
    if (lines)
        *lines = lines_of(&log);
    log_free(&log);
    return verdict;
}

static enum verdict judged(struct bytes bytes)
{
    return judged_with(bytes, NULL);
}

/* Logs to start from: those of real runs in the folder, and each with one record gone and
 * sealed again, so that it fails. */
static struct good {
    struct bytes bytes, lines;
    enum verdict verdict;
    bool is_large; /* it takes a hundred times as long as any other */
} goods[40];
static size_t good_count;

static void add_good(struct bytes bytes, enum verdict want, bool is_large)
{
    struct good *good = &goods[good_count];

    if (good_count == COUNT_OF(goods))
        return;
    *good = (struct good){ .bytes = copy(bytes.at, bytes.length, 0), .is_large = is_large };
    good->verdict = judged_with(copy(bytes.at, bytes.length, 0), &good->lines);
    if (good->verdict == want) {
        good_count++;
        return;
    }
    free(good->bytes.at);
    free(good->lines.at);
}

static struct bytes failing(struct bytes);

static bool is_large(const char *name)
{
    return strcmp(name, "long.log") == 0 || strcmp(name, "pt.log") == 0;
}

static void read_good(const char *name)
{
    char path[300];
    struct log log;

    snprintf(path, sizeof(path), FOLDER "/%s", name);
    log_read(&log, path);
    if (!log.log_error) {
        struct bytes whole = copy(log.bytes, log.length, 0), bad = failing(whole);

        add_good(whole, PASS, is_large(name));
        add_good(bad, FAIL, is_large(name));
        free(whole.at);
        free(bad.at);
    }
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

/* One that is large comes twenty times less often than any other. */
static const struct good *pick_good(void)
{
    const struct good *good = &goods[pick(good_count)];

    return good->is_large && pick(20) ? pick_good() : good;
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

/* A piece of text that is no log's. */
static struct bytes insert_text(struct bytes good)
{
    static const char *const texts[] = { "\n",
                                         "\r\n",
                                         "\r",
                                         "\x1b[1;31m",
                                         "\x1b]0;a title\a",
                                         "[   12.345678] usb 1-1: new device\r\n",
                                         "\0\0",
                                         "\x13\x11",
                                         "> ",
                                         "branch .back .top\n",
                                         " ~145 ",
                                         "<BMC: fan 1>",
                                         "everybranch log=2 ",
                                         "\b" };
    const char *text = texts[pick(COUNT_OF(texts))];
    const size_t length = strlen(text) ? strlen(text) : 2, at = pick(good.length);
    struct bytes out = copy(good.at, good.length, length);

    memmove(out.at + at + length, out.at + at, out.length - at);
    memcpy(out.at + at, text, length);
    out.length += length;
    return out;
}

/* A part of the log twice. */
static struct bytes double_bytes(struct bytes good)
{
    const size_t at = pick(good.length), rest = good.length - at;
    const size_t count = 1 + pick(rest < 300 ? rest : 300);
    struct bytes out = copy(good.at, good.length, count);

    memmove(out.at + at + count, out.at + at, out.length - at);
    out.length += count;
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

    split(&other, pick_good()->bytes);
    first = pick(lines->count < other.count ? lines->count : other.count);
    count = 1 + pick(30);
    for (size_t i = first; i < first + count && i < lines->count && i < other.count; i++)
        lines->at[i] = other.at[i];
}

static struct bytes damaged(struct bytes good)
{
    static void (*const of_lines[])(struct lines *) = { lose, repeat, exchange,
                                                        lose_several, splice };
    static struct bytes (*const of_bytes[])(struct bytes) = {
        flip, replace, cut_out, insert, insert_text, double_bytes, cut_off
    };
    size_t sort = pick(COUNT_OF(of_lines) + COUNT_OF(of_bytes));

    return sort < COUNT_OF(of_lines) ? with_lines(good, of_lines[sort])
                                     : of_bytes[sort - COUNT_OF(of_lines)](good);
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
    size_t fail = 0;

    for (size_t i = 0; i < good_count; i++)
        fail += goods[i].verdict == FAIL;
    CHECK(fail > 0 && fail < good_count);
}

/*
 * A damage that leaves each line provable is none: then the log is what it was.  Two of the
 * good logs differ only in a few lines, so lines of one can turn the other into it.
 */
static bool is_right(enum verdict verdict, struct bytes lines)
{
    for (size_t i = 0; i < good_count; i++)
        if (verdict == goods[i].verdict && lines.length == goods[i].lines.length &&
            memcmp(lines.at, goods[i].lines.at, lines.length) == 0)
            return true;
    return verdict == ERROR;
}

TEST(a_damaged_log_is_in_error_or_what_it_was)
{
    unsigned long long harmless = 0;

    state = seed;
    for (unsigned long long done = 0; done < rounds; done++) {
        const struct good *good = pick_good();
        struct bytes bad = damaged(good->bytes), lines;
        struct bytes kept = copy(bad.at, bad.length, 0);
        enum verdict verdict = judged_with(bad, &lines);
        bool right = is_right(verdict, lines), first = !test_failed;

        CHECK(right);
        if (!right && first)
            show(kept);
        harmless += verdict != ERROR;
        free(kept.at);
        free(lines.at);
    }
    printf("# seed %llu: %llu damages, and %llu of them lose nothing\n", seed, rounds,
           harmless);
    CHECK(harmless > rounds / 20 && harmless < rounds / 2);
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

/* The same log, in which the first branch of a run leads elsewhere. */
static struct bytes failing(struct bytes good)
{
    static const char from[] = "\nbranch .back .top", to[] = "\nbranch .top .back";
    struct bytes changed = copy(good.at, good.length, 0), out;
    char *at = memmem(changed.at, changed.length, from, strlen(from));

    if (at)
        memcpy(at, to, strlen(to));
    out = mended(changed);
    free(changed.at);
    return out;
}

TEST(no_forged_log_breaks_the_program)
{
    unsigned long long verdicts[VERDICTS] = { 0 };

    state = seed + 1;
    for (unsigned long long i = 0; i < rounds; i++) {
        struct bytes bad = damaged(pick_good()->bytes), forged = mended(bad);

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
