/*
 * What a log was parsed to: all that the folders behind this one know of it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu_part.h"
#include "findings.h"
#include "log_run.h"
#include "place.h"
#include "loaded.h"
#include "span.h"

#define METHODS_MAX 64 /* in a plan                                 */

/* A command, or what came of it: in words, with a line of its own, or a `facility`. */
enum logged_kind { TOLD_COMMAND, TOLD_ANSWER, TOLD_LINE, TOLD_FACILITY };
struct logged {
    size_t line;
    enum logged_kind kind;
    struct span text;
};

/* What the kernel saves its log before; all but one are empty. */
struct subject {
    struct span facility, method, workload, word; /* workload: of the method; word: other */
    struct span filter;                           /* of the run                        */
    struct span msr, round;
};

/* What is not tried, since an earlier log ended in it. */
struct avoided {
    struct subject subject;
    struct span log;
    size_t line;
};

/* A test of borrowing the machine and handing it back; line 0: none was made. */
struct cycles {
    uint64_t done, checked, alive; /* alive: the firmware was, so often of those checked */
    size_t line;
};

struct log {
    const char *name;
    char *bytes;
    size_t length;
    bool is_mapped;    /* the bytes are a file's, and not to be written to */
    size_t begin;      /* where the firmware's bytes end and the log's begin */
    size_t line;       /* the one being read, or the last one       */
    size_t error_line; /* the first thing that is wrong with the    */
    char *log_error;   /* log, if any; nothing is read behind it    */

    struct places places;

    bool opened, ended;
    struct span build, vendor, revision;
    struct cpu_part cpu; /* of the first processor; see log_of_processor() */
    uint64_t image_at, image_size, call, back;
    struct span bios_vendor, bios_version, bios_date, secure_boot;
    struct span system_vendor, system_product, board_vendor, board_product;
    size_t firmware_line, bios_line, system_line, serial_line, image_line, caller_line;
    struct left left;
    size_t left_line;
    size_t apic_line;
    enum apic_mode apic; /* of all processors */
    struct cycles cycles;
    struct span *notes; /* for a person */
    size_t note_count, note_capacity;
    struct subject trying; /* of the last line `try` */
    struct avoided *avoided;
    size_t trying_line, avoided_count, avoided_capacity;
    struct loaded **workloads;
    size_t workload_count, workload_capacity;
    struct bundled **bundled;
    size_t bundled_count, bundled_capacity;

    const struct method_facts *methods[METHODS_MAX];
    const struct loaded **planned;
    size_t method_count, planned_count, planned_capacity;
    uint32_t *filters; /* of the plan: one, none, where it has none */
    size_t filter_count, filter_capacity;
    uint64_t plan_runs;
    size_t plan_line;
    bool plan_closed;
    size_t plan_first; /* runs before it */

    bool by_command; /* commands, which may have a plan each: the last one is here */
    struct logged *logged;
    size_t logged_count, logged_capacity;

    struct run *runs;
    size_t run_count, run_capacity, rounds;
    bool in_run;
    uint64_t nmis; /* of all processors, that nobody waited for */
    size_t wire_bytes;

    struct processor *processors; /* none: the log says nothing of others than its own */
    size_t processor_count, processor_capacity, processors_line, processor_read;
    uint64_t processors_found, processors_wanted, processors_started;
    struct span way;
    bool different;        /* each had another run in hand */
    struct cpu_part first; /* while the lines of another one are read */
    size_t turns, slot_run, lost_line;
    size_t kind; /* of log_of_processor(): which processor it tells of */

    struct complaint *complaints;
    size_t complaint_count, complaint_capacity, pairs_compared, pairs_disagree;
};

/* Notes the first thing that is wrong; always false, so that it can be returned. */
bool log_error(struct log *, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
char *where_text(const struct log *, size_t line); /* "LOG:LINE"; line 0: the log as such */

/* parse_try.c: what keeps it from being tried, or NULL */
const struct avoided *avoided_facility(const struct log *, const char *name);
const struct avoided *avoided_run(const struct log *, const struct run *);
