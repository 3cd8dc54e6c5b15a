/*
 * `audit`: the options, and the exit code.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit_report.h"
#include "count_of.h"
#include "header.h"
#include "heap.h"
#include "options.h"
#include "reading.h"
#include "verbs.h"
#include "verdict.h"

static bool read_images(const struct given *given, struct audit *audit)
{
    const char **files;
    size_t count = 0;
    bool good;

    while (given_nth(given, "elf", count))
        count++;
    files = zeroed(count + 1, sizeof(*files));
    for (size_t i = 0; i < count; i++)
        files[i] = given_nth(given, "elf", i);
    good = images_read(&audit->images, files, count);
    free(files);
    return good;
}

static bool read_format(const struct given *given, enum trace_format *out)
{
    static const char *const names[] = {
        [TRACE_PERF] = "perf", [TRACE_OFFSETS] = "brstackoff", [TRACE_BOLT] = "bolt"
    };
    const char *name = given_value(given, "format");

    *out = TRACE_PERF;
    for (size_t i = 0; name && i < COUNT_OF(names); i++)
        if (strcmp(name, names[i]) == 0) {
            *out = (enum trace_format)i;
            return true;
        }
    if (name)
        given_wrong(given, "--format=%s: want perf, brstackoff or bolt", name);
    return !name;
}

static bool read_options(const struct given *given, struct audit *audit,
                         enum trace_format *format)
{
    const char *cpu = given_value(given, "cpu");
    const char *filter = given_value(given, "branch-filter");
    struct span wrong;

    if (!read_format(given, format))
        return false;
    if (cpu && !(audit->model = model_named(cpu))) {
        given_wrong(given, "--cpu=%s: no such processor; `everybranch models` lists them",
                    cpu);
        return false;
    }
    if (filter && !header_branch_filter(audit, filter, &wrong)) {
        given_wrong(given,
                    "--branch-filter=%s: \"%.*s\" is none of any, any_call, any_ret, "
                    "ind_call, ind_jmp, call, cond, stack, u, k, hv",
                    filter, SPAN(wrong));
        return false;
    }
    return true;
}

/* True if any record could be judged. */
static bool has_something(const struct audit *audit)
{
    uint64_t edges = audit->checked[RULE_FROM] + audit->checked[RULE_STRAIGHT];

    if (audit->records && !audit->images.count)
        return true;
    if (!audit->records && !edges)
        fprintf(stderr,
                "everybranch: %s: it has no branches: perf record -b records them, perf "
                "script -F ip,brstack prints them\n",
                audit->file);
    else if (!edges && !audit->events)
        fprintf(stderr,
                "everybranch: %s: none of its %" PRIu64 " branches begins in %s%s: add "
                "--show-mmap-events to perf script, or say where it lay, as --elf "
                "FILE@0xN\n",
                audit->file, audit->records, audit->images.at[0].name,
                audit->images.count > 1 ? " or the other files" : "");
    return edges || audit->events;
}

static int judge(const struct given *given, struct audit *audit)
{
    const char *junit = given_value(given, "junit");
    enum trace_format format;
    int code;

    if (!read_options(given, audit, &format) || !read_images(given, audit) ||
        !trace_read(audit, format) || !has_something(audit))
        return EXIT_UNUSABLE;
    code = worst_found(audit) == WEIGHT_BROKEN ? EXIT_DIFFERENT : EXIT_AS_EXPECTED;
    if (junit && !audit_junit(audit, junit))
        return EXIT_UNUSABLE;
    if (given->json)
        audit_json(audit, code);
    else
        audit_print(audit);
    return code;
}

int verb_audit(const struct given *given)
{
    struct audit audit;
    int code;

    audit_begin(&audit, given->operands[0]);
    code = judge(given, &audit);
    audit_free(&audit);
    return code;
}
