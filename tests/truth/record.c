/*
 * The truth of a program in C: what this machine's processor does with the very
 * object file that goes into the image, one instruction at a time.
 *
 *     record NAME TRUTH DESCRIPTION
 *
 * Writes the packed trace to the file TRUTH, and to DESCRIPTION what nasm needs to
 * lay out the struct workload around it.  Linked with one program.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pack.h"
#include "portable.h"
#include "step.h"

#define BUDGET 5000000u /* instructions: more take too long to step, here and there */
#define ROOM   (1u << 22)

extern const uint8_t program_begin[], program_end[] __attribute__((visibility("hidden")));

static uint8_t bytes[ROOM];
static struct pack pack;

static int fails(const char *name, const char *why)
{
    fprintf(stderr, "record: %s: %s\n", name, why);
    return 1;
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

int main(int argc, char **argv)
{
    struct workload program = { .code = program_begin,
                                .size = (uint32_t)(program_end - program_begin) };
    char description[512];
    uint64_t transfers;

    if (argc != 4)
        return fails("usage", "record NAME TRUTH DESCRIPTION");
    program.name = argv[1];
    struct step_trace trace = step(&program, BUDGET);
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
             "%%define NAME \"%s\"\n%%define TRUTH \"%s\"\n%%define TRANSFERS %llu\n"
             "%%define RESULT 0x%llx\n%%define SIZE %u\n",
             argv[1], argv[2], (unsigned long long)transfers,
             (unsigned long long)trace.result, program.size);
    fprintf(stderr, "  %s: %llu instructions, %llu transfers in %zu bytes\n", argv[1],
            (unsigned long long)trace.instructions, (unsigned long long)transfers, size);
    return write_file(argv[2], bytes, size) &&
                   write_file(argv[3], description, strlen(description))
               ? 0
               : 1;
}
