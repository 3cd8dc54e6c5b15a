/*
 * What a log was parsed to: all that the later folders know of it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu_part.h"
#include "findings.h"
#include "heap.h"
#include "lines.h"
#include "log_run.h"
#include "place.h"
#include "loaded.h"
#include "span.h"

/* A command, or what came of it: in words, with a line of its own, or a `facility`. */
enum logged_kind { LOGGED_COMMAND, LOGGED_ANSWER, LOGGED_LINE, LOGGED_FACILITY };
struct logged {
    size_t line;
    enum logged_kind kind;
    struct span text;
};

#define WINDOW_BYTES_MAX 128

/* The machine that wrote the log: its firmware, the image in its memory, its processors. */
struct machine {
    uint64_t version; /* of the log */
    struct span build;
    struct linux_line os; /* a process under Linux made the runs */
    struct firmware_line firmware;
    struct bios_line bios;
    struct system_line system;
    struct image_line image;
    struct caller_line caller;
    uint8_t window[WINDOW_BYTES_MAX]; /* the code of the window, at caller.at */
    size_t window_size;               /* 0: not logged          */
    struct apic_line apic;            /* of all processors */
    struct serial_line serial;
    struct cycles_line cycles; /* the newest one */

    struct cpu_part cpu;            /* processor 0; of any processor: cpu_of() */
    struct processors_line several; /* how many, if the log says it            */
    struct processor *processors;   /* none: the log says nothing of others than its own */
    size_t processor_count, processor_capacity;
    size_t processor_read; /* the one whose lines are being read, or 0 */
    size_t lost_line;
};

/* The runs that must follow; of a monitor's log: those of the last command. */
struct plan {
    const struct method_facts *methods[METHODS_MAX];
    const struct loaded **workloads;
    uint32_t *filters; /* one, none, where the plan has none */
    size_t method_count, workload_count, workload_capacity, filter_count, filter_capacity;
    uint64_t runs;
    size_t line;
    bool closed;
    size_t first; /* runs before it */
};

/* Lines are lost.  Runs that these touched are in error, and others are judged. */
struct damage {
    size_t line,
        newest;    /* where the first and the newest of it begin; 0: nothing is lost */
    size_t before; /* runs that ended before it            */
    bool resuming; /* a run that can be judged is looked for */
    const char *stopped; /* why the reading did not go on, or NULL */
};

struct log {
    struct arena memory; /* of all that is read and found, except records */
    const char *name;
    char *bytes;
    size_t length;
    bool is_mapped;    /* the bytes are a file's, and not to be written to */
    size_t begin;      /* where the firmware's bytes end and the log's begin */
    size_t line;       /* the one being read, or the last one       */
    size_t error_line; /* the first thing that is wrong with the    */
    char *log_error;   /* log, if any; nothing after it is read     */
    bool opened, ended;
    size_t wire_bytes;
    struct places places;
    size_t boot, boots; /* which of the logs in its file, from 1; 0: the only one      */
    size_t first_line;  /* of the file: where it begins                               */
    const char *form, *skipped; /* what the file was; what was skipped; or NULL */
    const char *torn;   /* what is wrong with the file that it was unpacked from      */
    const char *advice; /* what to do where lines are lost or damaged, or NULL        */
    struct damage damage;

    struct machine machine;
    struct span *notes; /* for a person */
    size_t note_count, note_capacity;
    struct try_line trying; /* the newest */
    struct avoid_line *avoided;
    size_t avoided_count, avoided_capacity;

    struct loaded **workloads;
    size_t workload_count, workload_capacity;
    struct bundled **bundled;
    size_t bundled_count, bundled_capacity;

    struct plan plan;
    bool by_command; /* of a monitor: its commands may have a plan each */
    struct logged *logged;
    size_t logged_count, logged_capacity;

    struct run *runs;
    size_t run_count, run_capacity, rounds, round_lines, slot_run;
    bool in_run;
    uint64_t nmis; /* of all processors, that nobody waited for */

    struct findings findings;
};

/* Notes the first thing that is wrong; always false, so that it can be returned. */
bool log_error(struct log *, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
char *where_text(const struct log *, size_t line); /* "LOG:LINE"; line 0: the log as such */

/* parse_try.c: what keeps it from being tried, or NULL */
const struct avoid_line *avoided_facility(const struct log *, const char *name);
const struct avoid_line *avoided_run(const struct log *, const struct run *);
