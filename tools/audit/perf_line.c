/*
 * The branches are found by their shape, FROM/TO/M|P|-/..., so other fields may precede
 * them in any order.  Text that begins like a branch and is none is an error: a branch that
 * is passed over would look like one that the hardware lost.
 */
#include "perf_line.h"

#include <string.h>

#include "count_of.h"

#define CPUID_FIELD  "# cpuid : "
#define FIELDS_LEAST 4  /* of a branch, after its ends                        */
#define WIDTH        16 /* columns that perf gives an address: %16lx, no 0x   */

static const uint8_t hex_value[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
    ['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
    ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
    ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

const char *hex_digits(const char *at, const char *end, uint64_t *out)
{
    uint64_t value = 0;
    int digit;

    for (; at < end && (digit = hex_value[(uint8_t)*at]); at++)
        value = value << 4 | (uint64_t)(digit - 1);
    *out = value;
    return at;
}

static enum perf_line_kind wrong(struct perf_line *line, const char *at, const char *want)
{
    line->wrong_at = at;
    line->wrong = want;
    return PERF_WRONG;
}

static bool is_at(const char *at, const char *end, const char *text)
{
    size_t length = strlen(text);

    return (size_t)(end - at) >= length && memcmp(at, text, length) == 0;
}

/* Reads digits, perhaps after 0x; returns where they end. */
static const char *hex_number(const char *at, const char *end, uint64_t *out)
{
    return hex_digits(is_at(at, end, "0x") ? at + 2 : at, end, out);
}

static bool is_hex_token(const char *at, const char *end, uint64_t *out)
{
    return at < end && hex_number(at, end, out) == end && end[-1] != 'x';
}

/* A file's name after an address, field dso: "(/usr/lib/libc.so.6)". */
static const char *skip_file(const char *at, const char *end)
{
    int depth = 0;

    if (at == end || *at != '(')
        return at;
    for (; at < end; at++) {
        depth += *at == '(';
        depth -= *at == ')';
        if (depth == 0)
            return at + 1;
    }
    return at;
}

/* One end, an address: "0x4005b0", "0x4005b0(prog)".  NULL: it is none. */
static inline const char *read_address(const char *at, const char *end, uint64_t *out)
{
    const char *digits = at + 2, *after;

    if (end - at < 3 || at[0] != '0' || at[1] != 'x')
        return NULL;
    after = hex_digits(digits, end, out);
    if (after == digits || after - digits > 16)
        return NULL;
    return after < end && *after == '(' ? skip_file(after, end) : after;
}

/*
 * The address of a symbol.  perf prints no space between the field ip and the first one,
 * "401c5bmain", so where no name is like that the digits before it may be of an address.
 */
static uint64_t find_symbol(const struct perf_line *line, struct span name)
{
    uint64_t address, ignored;
    size_t digits =
        (size_t)(hex_digits(name.at, name.at + name.length, &ignored) - name.at);

    if (!line->symbols.find)
        return TRACED_UNNAMED;
    if (line->symbols.find(line->symbols.of, name, &address))
        return address;
    for (; line->count == 0 && digits > 0; digits--)
        if (line->symbols.find(line->symbols.of,
                               (struct span){ name.at + digits, name.length - digits },
                               &address))
            return address;
    return TRACED_UNNAMED;
}

/* One end, a symbol: "main+0x10", "foo"; it ends at a slash. */
static const char *read_symbol(const struct perf_line *line, const char *at,
                               const char *end, uint64_t *out)
{
    const char *slash = memchr(at, '/', (size_t)(end - at)), *stop, *plus = NULL;
    uint64_t offset = 0;

    if (!slash || slash == at)
        return NULL;
    stop = memchr(at, '(', (size_t)(slash - at));
    if (!stop || stop == at)
        stop = slash;
    for (const char *p = at; p + 2 < stop; p++)
        if (p[0] == '+' && p[1] == '0' && p[2] == 'x')
            plus = p;
    if (plus && hex_digits(plus + 3, stop, &offset) != stop)
        return NULL;
    *out = find_symbol(line, (struct span){ at, (size_t)((plus ? plus : stop) - at) });
    if (*out != TRACED_UNNAMED)
        *out += offset;
    return *stop == '(' ? skip_file(stop, end) : slash;
}

/*
 * Reads the fields after FROM and TO: "/P/-/-/3", "/M/X/A/0/", "/P/-/-/3/COND/-".  perf
 * of 6.14 on adds an N to the first for a branch not taken.  Each perf prints the same
 * fields of all branches, so one that has fewer was cut.
 */
static inline const char *read_fields(struct perf_line *line, const char *at,
                                      const char *end, struct traced_branch *out)
{
    const char *digits;
    unsigned fields = FIELDS_LEAST;

    if (end - at < 2 || at[0] != '/' || (at[1] != 'P' && at[1] != 'M' && at[1] != '-'))
        return NULL;
    out->missed = at[1] == 'M';
    at += 2;
    if (at < end && *at == 'N')
        at++;
    if (end - at < 6 || at[0] != '/' || at[2] != '/' || at[4] != '/')
        return NULL;
    out->abort = at[3] == 'A';
    out->cycles = 0;
    for (digits = at += 5; at < end && *at >= '0' && *at <= '9'; at++)
        out->cycles = out->cycles * 10 + (uint32_t)(*at - '0');
    if (at == digits || (at < end && *at != '/' && !is_space(*at)))
        return NULL;
    for (; at < end && !is_space(*at); at++)
        fields += *at == '/';
    if (!line->fields)
        line->fields = fields;
    return fields == line->fields ? at : NULL;
}

static inline const char *read_end(const struct perf_line *line, const char *at,
                                   const char *end, bool by_name, uint64_t *out)
{
    return by_name ? read_symbol(line, at, end, out) : read_address(at, end, out);
}

/* Adds a branch; returns where it ends, or NULL if it is none. */
static const char *add_branch(struct perf_line *line, const char *at, const char *end,
                              bool by_name)
{
    struct traced_branch branch = { .times = 1 };
    const char *after = read_end(line, at, end, by_name, &branch.from);

    if (!after || after == end || *after != '/')
        return NULL;
    after = read_end(line, after + 1, end, by_name, &branch.to);
    if (after)
        after = read_fields(line, after, end, &branch);
    if (after)
        line->branches[line->count++] = branch;
    return after;
}

/* True if a token looks like a branch with names: FROM/TO/M, P or -. */
static bool is_named_branch(const char *at, const char *end)
{
    const char *first = memchr(at, '/', (size_t)(end - at)), *second;

    if (!first || first == at || *at == '(')
        return false;
    second = memchr(first + 1, '/', (size_t)(end - first - 1));
    return second && end - second >= 2 && second > first + 1 &&
           (second[1] == 'P' || second[1] == 'M' || second[1] == '-') &&
           (end - second == 2 || second[2] == '/' || second[2] == 'N');
}

/* The branches of a line, from the first one on. */
static enum perf_line_kind read_stack(struct perf_line *line, const char *at,
                                      const char *end, bool by_name)
{
    const char *after;

    for (; at < end; at = skip_spaces(at, end)) {
        if (by_name && !is_named_branch(at, token_end(at, end)))
            return wrong(line, at,
                         "a branch as FROM+0xN/TO+0xN/P/-/-/CYCLES (names with spaces: "
                         "perf script --no-demangle)");
        if (!by_name && !is_at(at, end, "0x"))
            break; /* fields after the branches */
        if (line->count == BRANCHES_MAX)
            return wrong(line, at, "at most 4096 branches in a line");
        after = add_branch(line, at, end, by_name);
        if (!after)
            return wrong(line, at,
                         "a branch as 0xFROM/0xTO/P/-/-/CYCLES, where P may be M or -");
        at = after;
    }
    return PERF_STACK;
}

/* "7/7" or "7": the field pid, with or without tid. */
static bool read_pid(const char *at, const char *end, uint32_t *out)
{
    uint32_t pid = 0;
    const char *p = at;

    for (; p < end && *p >= '0' && *p <= '9' && p - at < 10; p++)
        pid = pid * 10 + (uint32_t)(*p - '0');
    if (p == at || (p < end && *p != '/'))
        return false;
    *out = pid;
    return true;
}

/* The first address in there, after the last token that ends with a colon (the event). */
static bool find_address(const struct perf_line *line, const char *at, const char *end,
                         uint64_t *out)
{
    const char *begin = at;
    bool is_pid = line->has_pid; /* "pid ip => addr" has no event */

    for (const char *p = at, *q; p < end; p = skip_spaces(q, end)) {
        q = token_end(p, end);
        if (q[-1] == ':') {
            begin = q;
            is_pid = false;
        }
    }
    for (const char *p = skip_spaces(begin, end), *q; p < end; p = skip_spaces(q, end)) {
        q = token_end(p, end);
        if (!is_hex_token(p, q, out))
            continue;
        if (!is_pid)
            return true;
        is_pid = false;
    }
    return false;
}

static enum perf_line_kind read_arrow(struct perf_line *line, const char *at,
                                      const char *arrow, const char *end)
{
    struct traced_branch *branch = &line->branches[line->count++];
    const char *to = skip_spaces(arrow + 2, end);

    *branch = (struct traced_branch){ .times = 1 };
    if (!find_address(line, at, arrow, &branch->from))
        return wrong(line, at, "the address of a branch before =>");
    if (!is_hex_token(to, token_end(to, end), &branch->to))
        return wrong(line, to, "an address after =>");
    return PERF_BRANCH;
}

/* [0x401000(0x1000) @ 0x1000 08:02 51 25]: r-xp /path   or, with a build-id, */
/* [0x401000(0x1000) @ 0x1000 <0123abcd>]: r-xp /path                         */
static enum perf_line_kind read_map(struct perf_line *line, const char *at, const char *end)
{
    static const char want[] = "PERF_RECORD_MMAP PID/TID: [0xSTART(0xLENGTH) @ 0xOFFSET "
                               "...]: r-xp FILE";
    struct perf_map *map = &line->map;
    const struct {
        const char *before;
        uint64_t *out;
    } numbers[] = { { "[", &map->start }, { "(", &map->length }, { ") @ ", &map->offset } };
    const char *p = skip_spaces(token_end(at, end), end), *close;

    *map = (struct perf_map){ .pid = 0 };
    line->has_pid = read_pid(p, token_end(p, end), &map->pid); /* -1: the kernel */
    p = memchr(p, '[', (size_t)(end - p));
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        if (!p || !is_at(p, end, numbers[i].before))
            return wrong(line, p ? p : at, want);
        p = hex_number(p + strlen(numbers[i].before), end, numbers[i].out);
    }
    close = memchr(p, ']', (size_t)(end - p));
    if (!close || close + 2 >= end || close[1] != ':')
        return wrong(line, p, want);
    p = skip_spaces(p, close);
    if (p < close && *p == '<') {
        uint64_t ignored;

        map->build_id.at = p + 1;
        map->build_id.length = (size_t)(hex_digits(p + 1, close, &ignored) - (p + 1));
    }
    p = skip_spaces(close + 2, end);
    /* Older events have "x" instead of "r-xp" for code, and "r" for data. */
    if (!memchr(p, 'x', (size_t)(token_end(p, end) - p)))
        return PERF_NOTHING;
    p = skip_spaces(token_end(p, end), end);
    while (end > p && is_space(end[-1]))
        end--;
    map->path = (struct span){ p, (size_t)(end - p) };
    return PERF_MAP;
}

static enum perf_line_kind read_comment(struct perf_line *line, const char *at,
                                        const char *end)
{
    bool is_cpuid = is_at(at, end, CPUID_FIELD);

    at += is_cpuid ? strlen(CPUID_FIELD) : 0;
    line->text = (struct span){ at, (size_t)(end - at) };
    return is_cpuid ? PERF_CPUID : is_at(at, end, "# event : ") ? PERF_EVENT : PERF_NOTHING;
}

/* "pid/tid", or a number before an address or a processor's: "7 4005b0", "7 [001]". */
static void find_pid(struct perf_line *line, const char *at, const char *next,
                     const char *end)
{
    const char *after = skip_spaces(next, end);
    uint64_t ignored;
    uint32_t pid;

    if (!line->has_pid && read_pid(at, next, &pid) &&
        (memchr(at, '/', (size_t)(next - at)) || is_at(after, end, "[") ||
         (!is_at(after, end, "0x") &&
          is_hex_token(after, token_end(after, end), &ignored)))) {
        line->has_pid = true;
        line->pid = pid;
    }
}

/* "4005b0", "7/7", "[001]": an address, or what comes before one. */
static bool is_sample_number(const char *at, const char *end, bool *is_address)
{
    uint64_t ignored;
    uint32_t pid;

    if (is_at(at, end, "0x")) /* a branch that was cut: perf prints no address so */
        return false;
    *is_address = is_hex_token(at, end, &ignored);
    return *is_address || *at == '[' ||
           (memchr(at, '/', (size_t)(end - at)) && read_pid(at, end, &pid));
}

/*
 * A symbol after an address: "main+0x5 (/usr/bin/prog)", "foo(int, char)", "[unknown]".
 * Only perf's own indentation distinguishes "add main" from a sentence.
 */
static bool is_symbol(const struct perf_line *line, const char *at, const char *end,
                      bool indented)
{
    while (end > at && is_space(end[-1]))
        end--;
    if (is_at(at, end, "0x") || !(indented || line->has_pid))
        return false;
    return token_end(at, end) == end || end[-1] == ')' || end[-1] == ']';
}

/*
 * True if a line without branches is a sample that has none, or an address of its calls:
 * "[[COMM] PID[/TID] [[CPU]]] [TIME: PERIOD EVENT:] ADDRESS [SYMBOL] [(FILE)]".
 */
static bool is_sample(const struct perf_line *line, const char *at, const char *end,
                      bool indented)
{
    bool is_address = false, has_address = false, has_words = false;
    uint64_t ignored;

    if (memmem(at, (size_t)(end - at), ": ", 2)) /* of an event */
        return find_address(line, at, end, &ignored);
    for (const char *next; at < end; at = skip_spaces(next, end)) {
        next = token_end(at, end);
        if (is_sample_number(at, next, &is_address)) {
            has_address |= is_address;
            indented |= next - at == WIDTH;
        } else if (has_address) {
            break;
        } else {
            has_words = true;
        }
    }
    return has_address && (!has_words || line->has_pid) &&
           (at == end || is_symbol(line, at, end, indented));
}

enum perf_line_kind perf_line_read(struct perf_line *line, const char *at, const char *end)
{
    const char *start = at, *begin = at = skip_spaces(at, end), *next;

    line->count = 0;
    line->has_pid = false;
    line->pid = 0;
    if (at < end && *at == '#')
        return read_comment(line, at, end);
    for (; at < end; at = skip_spaces(next, end)) {
        next = token_end(at, end);
        if (is_at(at, end, "0x") && memchr(at, '/', (size_t)(next - at)))
            return read_stack(line, at, end, false);
        if (is_named_branch(at, next))
            return read_stack(line, at, end, true);
        if (is_at(at, next, "=>"))
            return read_arrow(line, begin, at, end);
        if (is_at(at, end, "PERF_RECORD_MMAP"))
            return read_map(line, at, end);
        if (is_at(at, end, "PERF_RECORD_"))
            return PERF_NOTHING;
        find_pid(line, at, next, end);
    }
    if (begin == end || is_sample(line, begin, end, begin > start))
        return PERF_NOTHING;
    return wrong(line, begin,
                 "a line of perf script -F ip,brstack (or brstacksym, or ip,addr)");
}
