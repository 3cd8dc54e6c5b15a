/*
 * The lines about workloads.  What the image has must be what this program has: the
 * truth is this program's, and so are the bytes by which stops are told apart.
 */
#include "parse.h"

#include <string.h>

#include "heap.h"

#define CODE_LINE_MAX 64u /* bytes of code on one line */

struct placed *placed_named(struct log *log, struct span name)
{
    for (size_t i = 0; i < log->workload_count; i++)
        if (span_is(name, log->workloads[i]->own->name))
            return log->workloads[i];
    return NULL;
}

static bool other_sources(struct log *log, struct span name, const char *what)
{
    return trouble(log, log->line,
                   "workload %.*s: %s: the image was built from other sources than this "
                   "program",
                   SPAN(name), what);
}

bool parse_workload(struct line *line)
{
    struct log *log = line->log;
    const struct workload *own;
    struct placed *known;
    struct value v[5];

    if (!line_fields(line, "name=w at=x size=x stubs=d about=q", v))
        return false;
    known = placed_named(log, v[0].text);
    if (known)
        return trouble(log, log->line,
                       "workload %.*s: a second one; the first is in line %zu",
                       SPAN(v[0].text), known->line);
    if (!bundles_complete(log))
        return false;
    own = brought_workload(log, v[0].text);
    bool is_brought = own;
    if (!own)
        own = own_workload(v[0].text);
    if (!own)
        return other_sources(log, v[0].text, "not known here");
    if (v[2].number != own->size)
        return other_sources(log, v[0].text, "its code has another size");
    if (v[3].number != own->stub_count)
        return other_sources(log, v[0].text, "it has another number of stubs");
    if (!span_is(v[4].text, own->about))
        return other_sources(log, v[0].text, "it is about something else");
    log->workloads = more_room(log->workloads, &log->workload_room, log->workload_count,
                               sizeof(struct placed *));
    known = zeroed(1, sizeof(*known));
    *known = (struct placed){ .own = own,
                              .is_brought = is_brought,
                              .number = log->workload_count,
                              .at = v[1].number,
                              .line = log->line };
    log->workloads[log->workload_count++] = known;
    /* No other address can be one of its instructions, and two of them are no addresses. */
    return (v[1].number < BRANCH_FILTERED - own->size && branch_is_canonical(v[1].number) &&
            branch_is_canonical(v[1].number + own->size)) ||
           here(log, "workload: it does not fit the address space");
}

static struct placed *parse_of(struct line *line)
{
    struct placed *placed;
    struct value v;

    if (!line_fields(line, "of=w", &v))
        return NULL;
    placed = placed_named(line->log, v.text);
    if (!placed)
        trouble(line->log, line->log->line, "%.*s: no workload %.*s before this line",
                SPAN(line->word), SPAN(v.text));
    return placed;
}

static bool parse_label(struct line *line, struct placed *placed, struct span word)
{
    const char *equals = memchr(word.at, '=', word.length);
    struct span name = { word.at, equals ? (size_t)(equals - word.at) : word.length };
    struct span number = { equals ? equals + 1 : word.at,
                           equals ? word.length - name.length - 1 : 0 };
    uint64_t offset;

    if (!equals || !read_hex(number, &offset))
        return trouble(line->log, line->log->line, "labels: got %.*s, want .NAME=0xN",
                       SPAN(word));
    if (label_offset(placed->own, name) != (int64_t)offset)
        return trouble(line->log, line->log->line,
                       "workload %s: %.*s is not there: the image was built from other "
                       "sources than this program",
                       placed->own->name, SPAN(word));
    placed->labels++;
    return true;
}

bool parse_labels(struct line *line)
{
    struct placed *placed = parse_of(line);
    struct span word;

    if (!placed)
        return false;
    do
        if (!line_word(line, "a label", &word) || !parse_label(line, placed, word))
            return false;
    while (line->rest.length > 0);
    return true;
}

static bool hex_byte(const char *digits, uint8_t *out)
{
    char text[] = { '0', 'x', '1', digits[0], digits[1] };
    uint64_t number;

    if (!read_hex((struct span){ text, sizeof(text) }, &number))
        return false;
    *out = (uint8_t)number;
    return true;
}

bool parse_code(struct line *line)
{
    struct placed *placed = parse_of(line);
    struct log *log = line->log;
    struct value v[2];
    uint8_t byte;

    if (!placed || !line_fields(line, "at=x bytes=w", v))
        return false;
    if (v[0].number != placed->code)
        return trouble(log, log->line, "code of %s: got at=%.*s, want at=0x%zx",
                       placed->own->name, SPAN(v[0].text), placed->code);
    if (v[1].text.length % 2 || v[1].text.length > 2 * CODE_LINE_MAX ||
        v[1].text.length / 2 > placed->own->size - placed->code)
        return trouble(log, log->line,
                       "code of %s: %zu digits, want pairs for at most %u bytes",
                       placed->own->name, v[1].text.length, CODE_LINE_MAX);
    for (size_t i = 0; i < v[1].text.length; i += 2, placed->code++) {
        if (!hex_byte(v[1].text.at + i, &byte))
            return trouble(log, log->line, "code of %s: \"%.2s\", want two hex digits",
                           placed->own->name, v[1].text.at + i);
        if (byte != placed->own->code[placed->code])
            return trouble(
                log, log->line,
                "workload %s: its code differs at +0x%zx: the image was built from "
                "other sources than this program",
                placed->own->name, placed->code);
    }
    return true;
}

bool workload_complete(struct log *log, const struct placed *placed)
{
    if (placed->code != placed->own->size)
        return trouble(log, log->line, "plan: of %s there are %zu bytes of code, want %u",
                       placed->own->name, placed->code, placed->own->size);
    if (placed->labels != label_count(placed->own))
        return trouble(log, log->line, "plan: of %s there are %zu labels, want %zu",
                       placed->own->name, placed->labels, label_count(placed->own));
    /* One that was on the stick has pages of its own. */
    return placed->is_brought || in_image(log, placed->at, placed->own->size) ||
           trouble(log, placed->line,
                   "workload %s: at=0x%llx, with its 0x%x bytes, is not in the image of "
                   "line %zu",
                   placed->own->name, (unsigned long long)placed->at, placed->own->size,
                   log->image_line);
}
