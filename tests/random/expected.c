/*
 * The expected trace of random programs: what this machine's processor does with them, one
 * instruction at a time.
 *
 *      expected trace ROWS TABLE        all programs that are linked in
 *
 * Writes their expectations, one after the other, to the file ROWS, and to TABLE the
 * assembly that lays out the structs of common/branch/workload.h around them.  Ends have no
 * labels: nobody wrote them by hand, and a log of thousands is shorter with offsets.
 * On standard output a line for each program: its name, transfers and instructions.
 *
 * Exit status 1 where a program does not come to its end: every line says which.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "step.h"

#define BUDGET 100000u /* instructions; a program that is larger is no small one */

static _Noreturn void give_up(const char *file)
{
    fprintf(stderr, "truth: %s: %s\n", file, strerror(errno));
    exit(2);
}

/* What is written goes through a buffer, so that only here one knows how it went. */
static void finish(FILE *file, const char *name)
{
    bool lost = ferror(file); /* errno is no longer its own */

    if (fclose(file))
        give_up(name);
    if (lost) {
        fprintf(stderr, "truth: %s: not all of it could be written\n", name);
        exit(2);
    }
}

static int32_t offset(const struct workload *program, uint64_t address, const void *caller)
{
    return address == (uintptr_t)caller ? CALLER
                                        : (int32_t)(address - (uintptr_t)program->code);
}

/* The rows of one; returns how many. */
static uint32_t write_rows(FILE *file, const struct workload *program,
                           const struct step_trace *trace)
{
    for (size_t i = 0; i < trace->count; i++) {
        const struct step_run *run = &trace->runs[i];
        struct taken row = { .from = offset(program, run->from, step_call),
                             .to = offset(program, run->to, step_back),
                             .kind = run->kind,
                             .times = (uint32_t)run->times };

        fwrite(&row, sizeof(row), 1, file);
    }
    return (uint32_t)trace->count;
}

/* What common/branch/workload.h says of a struct workload, in its order. */
static void write_entry(FILE *file, const struct workload *program, size_t at,
                        uint32_t rows)
{
    fprintf(file,
            "section .rodata\n"
            "%s_name: db '%s', 0\n"
            "%s_about: db '%s', 0\n"
            "align 4\n"
            "%s_stubs:\n",
            program->name, program->name, program->name, program->about, program->name);
    for (uint32_t i = 0; i < program->stub_count; i++)
        fprintf(file, "        dd %" PRIu32 ", %" PRIu32 "\n", program->stubs[i].vector,
                program->stubs[i].offset);
    fprintf(file,
            "section workloads progbits alloc write align=8\n"
            "extern workload_%s\n"
            "        dq %s_name, %s_about, workload_%s, rows + %zu, %s_stubs\n"
            "        dd %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 "\n"
            "        dq 0, 0, 0, 0, 0, 0\n",
            program->name, program->name, program->name, program->name,
            at * sizeof(struct taken), program->name, program->size, rows,
            program->stub_count, program->flags);
}

static bool write_one(const struct workload *program, FILE *rows, FILE *table, size_t *at)
{
    struct step_trace trace = step(program, BUDGET);
    uint64_t transfers = 0;

    if (trace.trouble) {
        printf("%s: got as far as +0x%" PRIx64 ": %s (%d)\n", program->name,
               trace.trouble_at - (uintptr_t)program->code, trace.trouble,
               trace.trouble_vector);
        free(trace.runs);
        return false;
    }
    for (size_t i = 0; i < trace.count; i++)
        transfers += trace.runs[i].times;
    printf("%s %" PRIu64 " %" PRIu64 "\n", program->name, transfers, trace.instructions);
    write_entry(table, program, *at, (uint32_t)trace.count);
    *at += write_rows(rows, program, &trace);
    free(trace.runs);
    return true;
}

int main(int argc, char **argv)
{
    bool good = true;
    size_t at = 0;
    FILE *rows, *table;

    if (argc != 3) {
        fprintf(stderr, "usage: truth ROWS TABLE\n");
        return 2;
    }
    if (!(rows = fopen(argv[1], "wb")))
        give_up(argv[1]);
    if (!(table = fopen(argv[2], "w")))
        give_up(argv[2]);
    fprintf(table, "bits 64\nsection .rodata\nalign 4\nrows: incbin \"%s\"\n", argv[1]);
    /* cppcheck-suppress comparePointers ; both are ends of one section */
    for (const struct workload *w = __start_workloads; w < __stop_workloads; w++)
        good &= write_one(w, rows, table, &at);
    fprintf(table, "section .note.GNU-stack noalloc noexec nowrite progbits\n");
    finish(rows, argv[1]);
    finish(table, argv[2]);
    finish(stdout, "standard output");
    return good ? 0 : 1;
}
