/*
 * `audit`: the options, and the exit code.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "audit_report.h"
#include "options.h"
#include "reading.h"
#include "verbs.h"
#include "exit_code.h"

static bool read_images(const struct given *given, struct audit *audit)
{
    const char *file;

    for (size_t i = 0; (file = given_nth(given, "elf", i)); i++)
        if (!images_give(&audit->images, file))
            return false;
    return true;
}

/* By the choices of --format. */
static const enum trace_format formats[] = { TRACE_PERF, TRACE_OFFSETS, TRACE_BOLT,
                                             TRACE_PT };

static bool read_options(const struct given *given, struct audit *audit)
{
    const char *cpu = given_value(given, "cpu");
    const char *filter = given_value(given, "branch-filter");
    struct span wrong;

    if (cpu && !(audit->model = model_named(cpu))) {
        given_wrong(given,
                    "--cpu=%s: no such processor; `everybranch list models all` lists them",
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

static bool read_trace(const struct given *given, struct audit *audit)
{
    const enum trace_format format = formats[given_choice(given, "format")];

    /* Offsets are of one file, which has to be given; BOLT's profile names none. */
    audit->maps.opens =
        !given_has(given, "elf") && (format == TRACE_PERF || format == TRACE_PT);

    if (format == TRACE_PT && strcmp(audit->file, "-") == 0) {
        given_wrong(given, "--format=pt reads no standard input: name the file");
        return false;
    }
    return format == TRACE_PT ? pt_trace_read(audit) : trace_read(audit, format);
}

/* True if any record could be judged. */
static bool has_something(const struct audit *audit)
{
    bool edges = audit->checked[RULE_FROM] || audit->checked[RULE_STRAIGHT];

    if (!audit_compared(audit) && (audit->records || audit->pt.buffers))
        return true; /* the rings, the fields and the packets */
    if (audit->pt.buffers && !audit->checked[RULE_PATH])
        fprintf(stderr,
                "everybranch: %s: none of its packets leads into %s%s: is this the very "
                "program that was recorded?  FILE@0xN says where it was loaded\n",
                audit->file, audit->images.at[0].name,
                audit->images.count > 1 ? " or the other files" : "");
    if (audit->pt.buffers)
        return audit->checked[RULE_PATH];
    if (!audit->records && !edges)
        fprintf(stderr,
                "everybranch: %s: it has no branches: perf record -b records them, perf "
                "script -F ip,brstack prints them\n",
                audit->file);
    else if (!edges && !audit->left_out[LEFT_EVENTS])
        fprintf(stderr,
                "everybranch: %s: none of its %" PRIu64 " branches begins in %s%s: add "
                "--show-mmap-events to perf script, or say where it was loaded, as --elf "
                "FILE@0xN\n",
                audit->file, audit->records, audit->images.at[0].name,
                audit->images.count > 1 ? " or the other files" : "");
    return edges || audit->left_out[LEFT_EVENTS];
}

/* The file that was not opened and has the most branches; of none, the first one named. */
static const struct shut_file *program_missing(const struct audit *audit)
{
    const struct shut_file *most = NULL;

    for (size_t i = 0; i < audit->maps.shut_count; i++)
        if (!most || audit->maps.shut[i].branches > most->branches)
            most = &audit->maps.shut[i];
    return most;
}

/* Prints the command line that compares the trace with its program. */
static void print_missing(const struct given *given, const struct audit *audit)
{
    const struct shut_file *file = program_missing(audit);
    const char *format = given_value(given, "format");

    if (file)
        fprintf(stderr,
                "everybranch: %s: branches are in %s, which was not compared: %s.\n",
                audit->file, file->path, file->why);
    else
        fprintf(stderr,
                "everybranch: %s: nothing was compared: no line names the program, as perf "
                "script --show-mmap-events does.\n",
                audit->file);
    fprintf(stderr, "Say which file ran: everybranch audit %s%s%s --elf %s\n",
            given->operands[0], format ? " --format=" : "", format ? format : "",
            file ? file->path : "PROGRAM");
}

static int judge_recording(const struct given *given, struct audit *audit)
{
    const char *junit = given_value(given, "junit");
    int code;

    if (!read_options(given, audit) || !read_images(given, audit) ||
        !read_trace(given, audit) || !has_something(audit))
        return EXIT_UNUSABLE;
    code = !audit_compared(audit)                ? EXIT_UNUSABLE
           : worst_found(audit) == WEIGHT_BROKEN ? EXIT_DIFFERENT
                                                 : EXIT_AS_EXPECTED;
    if (junit && code != EXIT_UNUSABLE && !audit_junit(audit, junit))
        return EXIT_UNUSABLE;
    if (given->json)
        audit_json(audit, code);
    else
        audit_print(audit);
    fflush(stdout); /* the error is last */
    if (!audit_compared(audit))
        print_missing(given, audit);
    return code;
}

static int verb_audit(const struct given *given)
{
    static struct audit audit;
    int code;

    audit_begin(&audit, given->operands[0]);
    code = judge_recording(given, &audit);
    audit_free(&audit);
    return code;
}

VERB(audit) = {
    .name = "audit",
    .operands = "FILE",
    .about = "compare the branch trace of another tool with the program",
    .more = "FILE is text that `perf script` printed, or - for standard input: with -F "
            "pid,ip,brstack (or brstacksym), or with ip,addr for intel_bts.  Let perf "
            "script also print --header, which names the processor and the filter, and "
            "--show-mmap-events, which says where each file was loaded.  With --format=pt, "
            "FILE is a trace buffer of Intel Processor Trace or a perf.data with such "
            "buffers, as perf wrote it.  Without --elf, files that the trace names are opened "
            "if their build-id is that of the trace.  The exit code "
            "is 0 if nothing is wrong, or only what this processor is known for, and 1 "
            "if a rule of a manual is broken; it is 2 if the program was not compared.  docs/audit.md explains the rules.",
    .examples = "audit trace.txt --elf prog\n"
                "audit - --elf prog --elf libfoo.so --cpu=skylake\n"
                "audit edges.txt --format=bolt --elf prog\n"
                "audit perf.data --format=pt --elf prog",
    .run = verb_audit,
    .json = true,
    .least = 1,
    .most = 1,
    .options = {
        { .name = "elf", .value = "FILE", .repeats = true,
          .about = "a program or library that ran; FILE@0xN: loaded N higher" },
        { .name = "format", .value = "FORMAT", .choices = "perf brstackoff bolt pt",
          .about = "FILE is perf (the default), brstackoff, bolt (pre-aggregated) or pt" },
        { .name = "cpu", .value = "MODEL",
          .about = "the processor, if the trace has no header" },
        { .name = "branch-filter", .value = "FILTER",
          .about = "what was recorded, as in perf record -j: any,u" },
        { .name = "junit", .value = "FILE", .about = "also write JUnit XML, replacing FILE" },
    },
};
