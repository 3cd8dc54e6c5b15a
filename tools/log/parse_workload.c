/*
 * The lines about workloads.  What the image has must be what this program has: the
 * expected trace is this program's, and so are the bytes by which stops are told apart.
 * Only a program in C, whose code depends on the compiler, may have other code.
 */
#include "parse.h"

#include <stdlib.h>
#include <string.h>

#include "heap.h"

#define CODE_LINE_MAX    64u        /* bytes of code on one line */
#define PROGRAM_SIZE_MAX (1u << 16) /* of a program in C: far more than any has */

struct loaded *loaded_named(struct log *log, struct span name)
{
    for (size_t i = 0; i < log->workload_count; i++)
        if (span_is(name, log->workloads[i]->own->name))
            return log->workloads[i];
    return NULL;
}

static bool other_sources(struct log *log, struct span name, const char *what)
{
    return log_error(log, log->line,
                     "workload %.*s: %s: the image was built from other sources than this "
                     "program",
                     SPAN(name), what);
}

/* Only a program in C may have another size here. */
static bool size_fits(struct log *log, const struct workload *own, struct span name,
                      uint64_t size)
{
    if (own->packed && (size == 0 || size > PROGRAM_SIZE_MAX))
        return log_error(log, log->line, "workload %s: got size=0x%llx, want 0x1 to 0x%x",
                         own->name, (unsigned long long)size, PROGRAM_SIZE_MAX);
    return own->packed || size == own->size ||
           other_sources(log, name, "its code has another size");
}

/* Takes the code of a program in C from the log, until it is found to be this program's. */
static void begin_other(struct log *log, struct loaded *loaded, uint64_t size)
{
    const struct workload *own = loaded->own;

    loaded->other_code = arena_keep(&log->memory, zeroed(size, 1));
    loaded->other = (struct workload){ .name = own->name,
                                       .about = own->about,
                                       .code = loaded->other_code,
                                       .size = (uint32_t)size,
                                       .flags = own->flags,
                                       .result = own->result };
    loaded->own = &loaded->other;
}

/* All of its code is read. */
static void end_other(struct loaded *loaded)
{
    const struct workload *other = &loaded->other;
    const struct workload *own =
        own_workload((struct span){ other->name, strlen(other->name) });

    if (own->size != other->size || memcmp(own->code, other->code, own->size) != 0)
        return;
    loaded->own = own;
    loaded->other_code = NULL;
}

bool parse_workload(struct line *line)
{
    struct log *log = line->log;
    const struct workload_line *said = &line->says.workload;
    const struct span name = said->name;
    const uint64_t at = said->at, size = said->size;
    const struct workload *own;
    struct loaded *known = loaded_named(log, name);
    bool is_bundled;

    if (known)
        return log_error(log, log->line,
                         "workload %.*s: a second one; the first is in line %zu",
                         SPAN(name), known->line);
    if (!bundles_complete(log))
        return false;
    own = bundled_workload(log, name);
    is_bundled = own;
    if (!own)
        own = own_workload(name);
    if (!own)
        return other_sources(log, name, "not known here");
    if (!size_fits(log, own, name, size))
        return false;
    if (said->stubs != own->stub_count)
        return other_sources(log, name, "its number of stubs differs");
    log->workloads = arena_grow(&log->memory, log->workloads, &log->workload_capacity,
                                log->workload_count, sizeof(struct loaded *));
    known = arena_keep(&log->memory, zeroed(1, sizeof(*known)));
    *known = (struct loaded){ .own = own,
                              .is_bundled = is_bundled,
                              .number = log->workload_count,
                              .at = at,
                              .decoded = arena_keep(&log->memory,
                                                    zeroed(size, sizeof(struct decoded))),
                              .line = log->line };
    log->workloads[log->workload_count++] = known;
    if (own->packed)
        begin_other(log, known, size);
    /* No other address can be one of its instructions, and two of them are no addresses. */
    return (at < BRANCH_FILTERED - size && branch_is_canonical(at) &&
            branch_is_canonical(at + size)) ||
           here(log, "workload: it does not fit the address space");
}

static struct loaded *loaded_of(const struct line *line, struct span name)
{
    struct loaded *loaded = loaded_named(line->log, name);

    if (!loaded)
        log_error(line->log, line->log->line, "%.*s: no workload %.*s before this line",
                  SPAN(line->word), SPAN(name));
    return loaded;
}

static bool parse_label(struct line *line, struct loaded *loaded, struct span word)
{
    const char *equals = memchr(word.at, '=', word.length);
    struct span name = { word.at, equals ? (size_t)(equals - word.at) : word.length };
    struct span number = { equals ? equals + 1 : word.at,
                           equals ? word.length - name.length - 1 : 0 };
    uint64_t offset;

    if (!equals || !read_hex(number, &offset))
        return log_error(line->log, line->log->line, "labels: got %.*s, want .NAME=0xN",
                         SPAN(word));
    if (label_offset(loaded->own, name) != (int64_t)offset)
        return log_error(line->log, line->log->line,
                         "workload %s: %.*s is not there: the image was built from other "
                         "sources than this program",
                         loaded->own->name, SPAN(word));
    loaded->labels++;
    return true;
}

bool parse_labels(struct line *line)
{
    struct loaded *loaded = loaded_of(line, line->says.labels.of);
    struct span word;

    if (!loaded)
        return false;
    do
        if (!line_word(line, "a label", &word) || !parse_label(line, loaded, word))
            return false;
    while (line->rest.length > 0);
    return true;
}

bool parse_code(struct line *line)
{
    const struct code_line *code = &line->says.code;
    struct loaded *loaded = loaded_of(line, code->of);
    struct log *log = line->log;
    const struct span bytes = code->bytes.digits;
    uint8_t byte;

    if (!loaded)
        return false;
    if (code->at != loaded->code)
        return log_error(log, log->line, "code of %s: got at=%.*s, want at=0x%zx",
                         loaded->own->name, SPAN(line_text(line, "at")), loaded->code);
    if (bytes.length % 2 || bytes.length > 2 * CODE_LINE_MAX ||
        bytes.length / 2 > loaded->own->size - loaded->code)
        return log_error(log, log->line,
                         "code of %s: %zu digits, want pairs for at most %u bytes",
                         loaded->own->name, bytes.length, CODE_LINE_MAX);
    for (size_t i = 0; i < bytes.length; i += 2, loaded->code++) {
        if (!hex_byte(bytes.at + i, &byte))
            return log_error(log, log->line, "code of %s: \"%.2s\", want two hex digits",
                             loaded->own->name, bytes.at + i);
        if (loaded->other_code)
            loaded->other_code[loaded->code] = byte;
        else if (byte != loaded->own->code[loaded->code])
            return log_error(
                log, log->line,
                "workload %s: its code differs at +0x%zx: the image was built from "
                "other sources than this program",
                loaded->own->name, loaded->code);
    }
    if (loaded->other_code && loaded->code == loaded->own->size)
        end_other(loaded);
    return true;
}

bool workload_complete(struct log *log, const struct loaded *loaded)
{
    const struct caller_line *caller = &log->machine.caller;

    if (loaded->code != loaded->own->size)
        return log_error(log, log->line, "plan: of %s there are %zu bytes of code, want %u",
                         loaded->own->name, loaded->code, loaded->own->size);
    if (loaded->labels != label_count(loaded->own))
        return log_error(log, log->line, "plan: of %s there are %zu labels, want %zu",
                         loaded->own->name, loaded->labels, label_count(loaded->own));
    if (loaded->at < caller->back && caller->call < loaded->at + loaded->own->size)
        return log_error(log, loaded->line, "workload %s: it holds call=0x%llx of line %zu",
                         loaded->own->name, (unsigned long long)caller->call, caller->line);
    /* One that was on the stick has pages of its own. */
    return loaded->is_bundled || in_image(log, loaded->at, loaded->own->size) ||
           log_error(log, loaded->line,
                     "workload %s: at=0x%llx, with its 0x%x bytes, is not in the image of "
                     "line %zu",
                     loaded->own->name, (unsigned long long)loaded->at, loaded->own->size,
                     log->machine.image.line);
}
