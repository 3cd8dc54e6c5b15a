/*
 * One line of `perf script`, of whatever version and with whatever fields.
 *
 *      5629ec742901 0x5629ec7428f4/0x5629ec742901/P/-/-/19/  0x...     a branch stack
 *      main+0x10/foo+0x0/P/-/-/0                                       the same, brstacksym
 *      4005b0 main+0x5 (prog) => 4005c0 foo (prog)                     one branch, of BTS
 *      PERF_RECORD_MMAP2 7/7: [0x401000(0x1000) @ 0x1000 ...]: r-xp /usr/bin/prog
 *      # cpuid : GenuineIntel,6,85,4                                   of --header
 *
 * Sources: perf-script(1); Linux, tools/perf/builtin-script.c (the functions
 * perf_sample__fprintf_brstack and perf_sample__fprintf_bts) and tools/perf/util/event.c.
 */
#pragma once

#include "entry_line.h"

enum perf_line_kind {
    PERF_NOTHING, /* blank, a comment, a sample without branches, another event */
    PERF_STACK,   /* branches, newest first                                     */
    PERF_BRANCH,  /* one branch of a stream that is printed oldest first        */
    PERF_MAP,     /* code was mapped                                            */
    PERF_CPUID,   /* the header's cpuid, in `text`                              */
    PERF_EVENT,   /* the header's attributes of an event, in `text`             */
    PERF_WRONG,   /* cannot be read: see `wrong`                                */
};

struct perf_map {
    uint32_t pid;
    uint64_t start, length, offset; /* bytes; offset in the file           */
    struct span build_id, path;     /* build_id: hex digits, empty if none */
};

struct perf_line {
    struct symbol_finder symbols;

    bool has_pid;
    uint32_t pid; /* 0: not printed */
    struct traced_branch branches[BRANCHES_MAX];
    size_t count;
    unsigned fields; /* that each branch of the trace has; 0: none was read yet */
    struct perf_map map;
    struct span text;
    const char *wrong;    /* what was expected...        */
    const char *wrong_at; /* ...and where in the line    */
};

/* [at, end): a line without its newline. */
enum perf_line_kind perf_line_read(struct perf_line *, const char *at, const char *end);
