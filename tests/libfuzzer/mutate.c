/*
 * Changes to the lines of a log.
 *
 * What libFuzzer does to bytes it does here to one line; lines are also lost, doubled and
 * exchanged.  A log whose counts do not hold is not judged, so mostly they are made to
 * hold again.
 */
#include "fuzz.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LINES_MAX  1000
#define BYTES_MAX  (1 << 16)
#define LINE_MAX   240
#define SEEDS_MAX  1000
#define TIMES_MAX  3 /* digits: what takes long to unfold finds nothing more */
#define PACKED_MAX 4

struct line {
    char at[LINE_MAX + 1]; /* NUL-terminated: a line holds no NUL, or is cut there */
};
static struct line lines[LINES_MAX], others[LINES_MAX];

static uint32_t state;

static uint32_t pick(uint32_t below)
{
    state = state * 1664525u + 1013904223u; /* "Numerical Recipes", ranqd1 */
    return (uint32_t)((uint64_t)state * below >> 32);
}

static size_t split(const uint8_t *data, size_t size, struct line *out)
{
    size_t count = 0;

    while (size > 0 && count < LINES_MAX) {
        const uint8_t *end = memchr(data, '\n', size);
        size_t length = end ? (size_t)(end - data) : size;
        size_t kept = length < LINE_MAX ? length : LINE_MAX;

        memcpy(out[count].at, data, kept);
        out[count++].at[kept] = '\0';
        data += length + (end ? 1 : 0);
        size -= length + (end ? 1 : 0);
    }
    return count;
}

static size_t join(const struct line *from, size_t count, uint8_t *out, size_t capacity)
{
    size_t size = 0;

    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(from[i].at);

        if (size + length + 1 > capacity)
            break;
        memcpy(out + size, from[i].at, length);
        out[size + length] = '\n';
        size += length + 1;
    }
    return size;
}

/* Changes. */

static void change_bytes(struct line *line)
{
    size_t length = LLVMFuzzerMutate((uint8_t *)line->at, strlen(line->at), LINE_MAX);

    line->at[length] = '\0';
}

/* A number of the line becomes another one. */
static void change_number(struct line *line)
{
    static const char *const numbers[] = { "0",
                                           "1",
                                           "2",
                                           "3",
                                           "5",
                                           "16",
                                           "64",
                                           "255",
                                           "4294967296",
                                           "18446744073709551615",
                                           "0x0",
                                           "0x7fffffffffffffff",
                                           "0xffffffffffffffff" };
    struct line old = *line;
    size_t digits[LINE_MAX], count = 0, at, length;

    for (size_t i = 0; old.at[i]; i++)
        if (strchr("0123456789", old.at[i]) && (i == 0 || strchr("= x", old.at[i - 1])))
            digits[count++] = i;
    if (count == 0)
        return;
    at = digits[pick((uint32_t)count)];
    length = strspn(old.at + at, "0123456789abcdefx");
    snprintf(line->at, sizeof(line->at), "%.*s%s%s", (int)at, old.at,
             numbers[pick(sizeof(numbers) / sizeof(numbers[0]))], old.at + at + length);
}

/* Where the n-th word begins; the end of a line that has fewer. */
static size_t word_at(const struct line *line, uint32_t n)
{
    size_t at = 0;

    while (n-- > 0 && line->at[at]) {
        at += strcspn(line->at + at, " ");
        at += line->at[at] == ' ';
    }
    return at;
}

/* A word becomes that of another line. */
static void change_word(struct line *line, const struct line *from)
{
    struct line old = *line;
    uint32_t words = 1, n;
    size_t at, other;

    for (const char *c = old.at; *c; c++)
        words += *c == ' ';
    n = pick(words);
    at = word_at(&old, n);
    other = word_at(from, n);
    snprintf(line->at, sizeof(line->at), "%.*s%.*s%s", (int)at, old.at,
             (int)strcspn(from->at + other, " "), from->at + other,
             old.at + at + strcspn(old.at + at, " "));
}

static bool starts(const struct line *line, const char *word)
{
    return strncmp(line->at, word, strlen(word)) == 0;
}

static bool has_record(const struct line *line)
{
    return starts(line, "branch ") || starts(line, "stop ") || starts(line, "again ");
}

/* A line; mostly one with a record, if that is asked for. */
static size_t pick_line(size_t count, bool record)
{
    size_t one = pick((uint32_t)count);

    for (int tries = 0; record && tries < 10 && !has_record(&lines[one]); tries++)
        one = pick((uint32_t)count);
    return one;
}

static size_t change(size_t count)
{
    bool record = pick(4) > 0;
    size_t one = pick_line(count, record), two = pick_line(count, record);
    struct line kept = lines[one];

    switch (pick(10)) {
    case 0: /* lost */
        memmove(&lines[one], &lines[one + 1], (count - one - 1) * sizeof(kept));
        return count - 1;
    case 1: /* doubled, somewhere */
        if (count == LINES_MAX)
            return count;
        memmove(&lines[two + 1], &lines[two], (count - two) * sizeof(kept));
        lines[two] = kept;
        return count + 1;
    case 2:
        lines[one] = lines[two];
        lines[two] = kept;
        return count;
    case 3:
    case 4:
        change_number(&lines[one]);
        return count;
    case 5:
    case 6:
    case 7:
        change_word(&lines[one], &lines[two]);
        return count;
    default:
        change_bytes(&lines[one]);
        return count;
    }
}

/* Good logs to begin with: what was changed often is mostly no log any more. */

static struct seed {
    uint8_t *bytes;
    size_t size;
} seeds[SEEDS_MAX];
static uint32_t seed_count;

void mutate_from(const uint8_t *bytes, size_t size)
{
    struct seed *seed = &seeds[seed_count];

    if (seed_count == SEEDS_MAX)
        return;
    *seed = (struct seed){ malloc(size), size };
    memcpy(seed->bytes, bytes, size);
    seed_count++;
}

/* Counts that hold. */

/* The number after the last such key, cut to so many digits. */
static unsigned long long number(struct line *line, const char *key, size_t digits)
{
    char *at = NULL;
    size_t length;

    for (char *next = line->at; (next = strstr(next, key)); next++)
        at = next + strlen(key);
    if (!at)
        return 1;
    length = strspn(at, "0123456789");
    if (length > digits)
        memmove(at + digits, at + length, strlen(at + length) + 1);
    return strtoull(at, NULL, 10);
}

static unsigned long long records_of(struct line *line)
{
    if (starts(line, "branch ") || starts(line, "stop "))
        return number(line, " x", TIMES_MAX);
    if (starts(line, "again "))
        return number(line, "again ", 2) * number(line, " x", TIMES_MAX);
    if (starts(line, "packed "))
        return number(line, "packed records=", PACKED_MAX);
    return 0;
}

static void set_number(struct line *line, const char *key, unsigned long long value)
{
    struct line old = *line;
    char *at = strstr(old.at, key);
    size_t before;

    if (!at)
        return;
    before = (size_t)(at - old.at) + strlen(key);
    snprintf(line->at, sizeof(line->at), "%.*s%llu%s", (int)before, old.at, value,
             old.at + before + strspn(old.at + before, "0123456789"));
}

/* What was an event for each record stays so. */
static void mend_ran(struct line *line, unsigned long long records)
{
    if (number(line, " events=", LINE_MAX) == number(line, " records=", LINE_MAX))
        set_number(line, " events=", records);
    set_number(line, " records=", records);
}

static void mend(size_t count, bool counts)
{
    unsigned long long records = 0, all = 0;

    for (size_t i = 0; i < count; i++) {
        if (starts(&lines[i], "run "))
            records = 0;
        records += records_of(&lines[i]); /* and cuts them, whatever is to be mended */
        if (counts && starts(&lines[i], "ran ")) {
            mend_ran(&lines[i], records);
            all += records;
        }
        if (counts && starts(&lines[i], "end "))
            set_number(&lines[i], " records=", all);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    const struct seed *good;
    size_t count;

    state = seed;
    good = pick(2) ? &seeds[pick(seed_count)] : &(struct seed){ data, size };
    count = split(good->bytes, good->size, lines);
    for (uint32_t changes = 1 + pick(3); changes > 0 && count > 0; changes--)
        count = change(count);
    mend(count, pick(4) > 0);
    return join(lines, count, data, capacity);
}

/* Lines of another log, where they stand there. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b,
                                 size_t b_size, uint8_t *out, size_t capacity,
                                 unsigned seed)
{
    size_t count = split(a, a_size, lines), other_count = split(b, b_size, others);
    size_t first, end;

    state = seed;
    if (count == 0 || other_count == 0)
        return 0;
    first = pick((uint32_t)count);
    end = first + 1 + pick(30);
    for (size_t i = first; i < end && i < count && i < other_count; i++)
        lines[i] = others[i];
    mend(count, pick(4) > 0);
    return join(lines, count, out, capacity);
}
