/*
 * The lines of the log that only the kernel writes.  common/log/put.h has the others, and
 * sink.h says where all of them go.
 *
 * common/log/log_grammar.h is the grammar, which docs/log.md describes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu.h"
#include "handoff.h"
#include "hit.h"
#include "intrusion.h"
#include "log.h"
#include "method.h"
#include "put.h"
#include "facilities.h"
#include "serial.h"
#include "skip_code.h"
#include "window.h"
#include "workloads.h"

void emit_machine(const struct handoff *);
void emit_opening(const struct handoff *, const struct cpu *);

/* The recorders that were on when the machine was taken, before anything was written. */
struct left {
    bool has_debugctl, has_lbr_ctl; /* the latter: the model has it */
    uint64_t debugctl, lbr_ctl;
    bool counts_smis;   /* the processor counts SMIs        */
    uint32_t smi_count; /* SMIs since reset                 */
    uint64_t counters;  /* that were on, as in pmc_on()     */
};
void emit_left(const struct left *);
void emit_serial(const struct serial_state *);
void emit_facility(const struct probed *);
void emit_bundle(const struct loading *); /* a workload from the stick: whole, or why not */

void emit_note(const char *text);

/* A command, and what is answered in words: log.h says how long they may be. */
void emit_command(const char *text);
void emit_answer(const char *text);

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

/*
 * How many processors there are, were to be started, and were; each of them, and which
 * earlier one is of the same kind, or itself: then its own `cpu` and so on follow.
 */
struct processors_logged {
    const char *way; /* how they were started */
    uint32_t found, wanted, started;
};
void emit_processors(const struct processors_logged *);
void emit_processor(size_t number, uint32_t apic, size_t like, const struct left *);
void emit_cpu(const struct cpu *);

/* Before the runs of a round, which all begin at once. */
void emit_round(size_t number, size_t processors);

/* It does not answer, or gave up, and will not come back. */
void emit_lost(size_t processor, const char *why);

/* One run.  capacity: how many records the method can keep, 0: unlimited. */
struct run {
    size_t number;
    const struct method_facts *method;
    const struct workload *workload;
    size_t capacity;
    bool filtered; /* the plan has filters, and `filter` is this run's */
    uint32_t filter;
    uint32_t info; /* words beside each record, as INFO_HAS; 0: none */
    struct interrupt_config interrupt_config; /* if the method is interrupted */
    bool smp; /* other processors run at the same time; `processor` is this run's */
    size_t processor;
    const struct cpu *cpu; /* of that processor; the log has it once, not in each run */
};
void emit_run(const struct run *);
void emit_infos(const struct run *, const struct info *, size_t count); /* after records */

/* The result of a run. */
struct run_result {
    struct window_exit window_exit;
    struct trace trace;
    uint32_t armed; /* recorders, of all processors, while this one was; 0: it is alone */
    struct intrusions hit; /* from before it was armed until its window was closed */
    uint32_t repeated;     /* how many runs before this one were hit, and thrown away */
};

/* The tries of one run, where the processor does not count SMIs (see run.c). */
struct tries {
    uint64_t differed[RUN_TRIES_MAX]; /* as self_check_difference() has it        */
    size_t stops; /* of `step`, in the newest try: stops at another address than the stop
                     before; 0: they are not compared */
    bool any;     /* ...differed */
};
void emit_ran(const struct run *, const struct run_result *, const struct tries *);

/* One run repeated: the ticks of the repetitions that ended. */
struct repeats {
    uint32_t asked, made; /* the run that was recorded counts as one of them */
    uint64_t least, most;
};
void emit_repeats(const struct run *, const struct repeats *);
void emit_skip(const struct run *, const struct skip_reason *);

/* Announces what is about to be done; or what is skipped since the machine died of it. */
void emit_try(const char *subject);
void emit_avoid(const char *subject, const char *log);

/* How often the machine was handed back and borrowed again for a test. */
struct cycles {
    size_t done, checked, alive; /* alive: the firmware was, so often of those checked */
};
void emit_cycles(const struct cycles *);

struct totals {
    size_t runs, ran, skipped;
    uint64_t records;
    uint64_t nmis; /* of all processors, that nobody waited for */
};
void emit_end(const struct totals *);

/* Where there are no runs at all. */
#define NO_RUNS "no workload, or no method, has a name that the options list"

/* The kernel broke: a line that no reader takes for a good one. */
void emit_panic(const char *why, const struct frame *);
