/*
 * The expected trace of a program in C: what this machine's processor does with the very
 * object file that goes into the image.
 *
 *     record NAME TRACE DESCRIPTION [again | stepped]
 *
 * Writes the packed trace to the file TRACE, and to DESCRIPTION what nasm needs to
 * lay out the struct workload around it.  With `again` it writes nothing: both files must
 * be what it would write, or the program does not do the same every time it is
 * started, and has no expected trace.  `stepped` is the same by single-stepping, which is
 * slow.  Linked with one program.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "breakpoints.h"
#include "pack.h"
#include "portable.h"
#include "step.h"

#define BUDGET 5000000u /* instructions: more take too long to step, here and there */
#define ROOM   (1u << 22)

#define ABOUT_MAX 100 /* as in kernel/workloads/workload.inc */

extern const uint8_t program_begin[], program_end[] __attribute__((visibility("hidden")));
extern const char program_about[] __attribute__((visibility("hidden")));

static uint8_t bytes[ROOM];
static struct pack pack;

static int fails(const char *name, const char *why)
{
    fprintf(stderr, "record: %s: %s\n", name, why);
    return 1;
}

/* Why the log could not carry what the program says of itself, or NULL. */
static const char *about_log_error(void)
{
    for (const char *c = program_about; *c; c++)
        if (*c == '"' || *c < ' ' || *c > '~')
            return "PROGRAM(): want printable ASCII without double quotes";
    return strlen(program_about) > ABOUT_MAX ? "PROGRAM(): want at most 100 characters"
                                             : NULL;
}

/* The size of the packed trace, 0 where it does not fit. */
static size_t pack_trace(const struct workload *program, const struct step_trace *trace,
                         uint64_t *transfers)
{
    const struct log_map map = { .workload = program,
                                 .workload_at = (uintptr_t)program_begin,
                                 .call = (uintptr_t)step_call,
                                 .back = (uintptr_t)step_back };
    *transfers = 0;
    pack_begin(&pack, bytes, sizeof(bytes));
    for (size_t i = 0; i < trace->count; i++) {
        const struct step_run *run = &trace->runs[i];
        struct branch portable, branch = { run->from, run->to, run->kind };

        if (run->kind == KIND_NONE || !portable_from(&map, &branch, &portable))
            return 0;
        *transfers += run->times;
        for (uint64_t n = 0; n < run->times; n++)
            pack_add(&pack, &portable);
    }
    return pack_end(&pack);
}

static bool write_file(const char *name, const void *content, size_t size)
{
    FILE *file = fopen(name, "wb");
    bool good = file && fwrite(content, 1, size, file) == size;

    if (file && fclose(file) != 0)
        good = false;
    if (!good)
        fprintf(stderr, "record: %s: %s\n", name, strerror(errno));
    return good;
}

static bool same_file(const char *name, const void *content, size_t size)
{
    FILE *file = fopen(name, "rb");
    char *there = malloc(size + 1);
    bool same = file && there && fread(there, 1, size + 1, file) == size &&
                memcmp(there, content, size) == 0;

    if (file)
        fclose(file);
    free(there);
    return same;
}

int main(int argc, char **argv)
{
    bool stepped = argc == 5 && strcmp(argv[4], "stepped") == 0;
    bool again = stepped || (argc == 5 && strcmp(argv[4], "again") == 0);
    struct workload program = { .code = program_begin,
                                .size = (uint32_t)((uintptr_t)program_end -
                                                   (uintptr_t)program_begin) };
    char description[512];
    uint64_t transfers;

    if (argc != 4 && !again)
        return fails("usage", "record NAME TRACE DESCRIPTION [again | stepped]");
    if (about_log_error())
        return fails(argv[1], about_log_error());
    program.name = argv[1];
    struct step_trace trace =
        stepped ? step(&program, BUDGET) : breakpoints(&program, BUDGET);
    if (trace.trouble) {
        char why[160];
        snprintf(why, sizeof(why), "%s, at +0x%llx, after %llu instructions", trace.trouble,
                 (unsigned long long)(trace.trouble_at - (uintptr_t)program_begin),
                 (unsigned long long)trace.instructions);
        return fails(argv[1], why);
    }
    size_t size = pack_trace(&program, &trace, &transfers);
    free(trace.runs);
    if (size == 0)
        return fails(argv[1], "its trace cannot be packed");
    snprintf(description, sizeof(description),
             "%%define NAME \"%s\"\n%%define TRACE \"%s\"\n%%define TRANSFERS %llu\n"
             "%%define RESULT 0x%llx\n%%define SIZE %u\n%%define INSTRUCTIONS %llu\n",
             argv[1], argv[2], (unsigned long long)transfers,
             (unsigned long long)trace.result, program.size,
             (unsigned long long)trace.instructions);
    if (again)
        return same_file(argv[2], bytes, size) &&
                       same_file(argv[3], description, strlen(description))
                   ? 0
                   : fails(argv[1], "it does something else each time it is started");
    fprintf(stderr, "  %s: %llu instructions, %llu transfers in %zu bytes\n", argv[1],
            (unsigned long long)trace.instructions, (unsigned long long)transfers, size);
    return write_file(argv[2], bytes, size) &&
                   write_file(argv[3], description, strlen(description))
               ? 0
               : 1;
}
