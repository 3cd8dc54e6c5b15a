/*
 * Lines of the log that the kernel makes of its own structs.  common/log/lines.h has all
 * lines, put.h writes them, and sink.h says where they go.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu.h"
#include "handoff.h"
#include "lines.h"
#include "method.h"
#include "put.h"
#include "facilities.h"
#include "serial.h"
#include "skip_code.h"
#include "window.h"
#include "workloads.h"

void emit_machine(const struct handoff *);
void emit_opening(const struct handoff *, const struct cpu *);

void emit_serial(const struct serial_state *);
void emit_facility(const struct probed *);
void emit_bundle(const struct loading *); /* a workload from the stick: whole, or why not */

void emit_note(const char *text);

/* The result of an access to an MSR. */
struct msr_access {
    const char *name; /* empty: none that the log knows */
    uint32_t number;
    bool is_write, faulted;
    uint64_t written;
    bool reads; /* it can be read: always, of one that was read without a fault */
    uint64_t value;
};
void emit_msr(const struct msr_access *);

void emit_cpu(const struct cpu *);

/* One run.  capacity: how many records the method can keep, 0: unlimited. */
struct run_request {
    size_t number;
    const struct method_facts *method;
    const struct workload *workload;
    size_t capacity;
    uint64_t packet_buffer; /* bytes, of a method that has packets */
    bool filtered;          /* the plan has filters, and `filter` is this run's */
    uint32_t filter;
    uint32_t info; /* words beside each record, as INFO_HAS; 0: none */
    struct interrupt_config interrupt_config; /* if the method is interrupted */
    bool smp; /* other processors run at the same time; `processor` is this run's */
    size_t processor;
    const struct cpu *cpu; /* of that processor; the log has it once, not in each run */
};
void emit_run(const struct run_request *);

/* The result of a run.  trace.ran has what hit it, and how often it was made before. */
struct run_result {
    struct window_exit window_exit;
    struct trace trace;
};

/* The tries of one run, on silicon (see run.c). */
struct run_tries {
    struct tries tries; /* as self_check_difference() has it */
    size_t stops; /* of `step`, in the newest try: stops at another address than the stop
                     before; 0: they are not compared */
    bool any;     /* ...differed */
    bool smis_are_counted;
};
void emit_ran(const struct run_request *, const struct run_result *,
              const struct run_tries *);
void emit_skip(const struct run_request *, const struct skip_reason *);

/* Announces what is about to be done; or what is skipped since the machine died of it. */
void emit_try(const char *subject);
void emit_avoid(const char *subject, const char *log);

/* Where there are no runs at all. */
#define NO_RUNS "no workload, or no method, has a name that the options list"

/* The kernel broke: a line that no reader takes for a good one. */
void emit_panic(const char *why, const struct frame *);
