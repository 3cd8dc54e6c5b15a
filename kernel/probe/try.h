/*
 * The one way of trying a facility: its method traces a few instructions whose trace is
 * known, and what came of it is put into words.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu.h"
#include "deviation.h"
#include "facilities.h"
#include "method.h"

/* A facility that is being tried on one processor. */
struct trial {
    const struct cpu *cpu;
    const struct buffers *buffers; /* without options that this processor may not serve */
    struct probed *probed;         /* gets the result                                   */
    uint64_t kept;                 /* what a register read back: see try_turns_on()     */
};

/* The result, with the evidence in words. */
void try_says(struct trial *, enum probe_result, const char *evidence);

/* Says that the facility deviates in a way that has a code: others have DEVIATES_OTHERWISE.
 */
void try_deviates(struct trial *, enum deviation);

/* Adds to the evidence. */
void try_adds(struct trial *, const char *);

/* "3 of 3 records": `what` begins with a space. */
void try_says_count(struct trial *, enum probe_result, size_t got, size_t want,
                    const char *what);

/* DEAD: accepted and without effect.  What the register kept may tell why. */
void try_says_dead(struct trial *, const char *what);

/*
 * Writes, outside the window, where a fault is survived, what the method's window will
 * write.  True: it was accepted, and `kept` is what was read back.  What it recorded is
 * thrown away.  False: it faults, with this evidence.
 */
bool try_turns_on(struct trial *, const struct method *, const char *fault);

/*
 * Traces this code.  `period` is that of methods with a counter or a threshold; 1: each
 * counted branch interrupts, or, of a counter of instructions, not even each.
 */
struct trace try_trace(const struct trial *, const struct method *, const uint8_t *code,
                       uint64_t period);

/* Traces probe_code, and returns how many records there are. */
size_t try_method(const struct trial *, const struct method *);

/* A record, or a stop if `from` is NULL. */
struct pair {
    const uint8_t *from, *to;
};

/* Are these all records?  A record whose FROM is not known may have any. */
bool try_got(const struct trial *, size_t got, const struct pair *want, size_t count);

/* Every branch of probe_code, and every instruction at which it stops. */
#define TRY_BRANCHES 3
#define TRY_INSNS    6
extern const struct pair try_branches[TRY_BRANCHES], try_insns[TRY_INSNS];

/* Do the records end with the newest of these branches, `count` of them, and no more? */
bool try_got_newest(const struct trial *, size_t got, size_t count);

/*
 * Traces a long run by a method that is interrupted, a hundred times.  How late the
 * interrupts came becomes part of the result: the run only branches, and so the most
 * branches come after the one that asks.
 */
struct trace try_long_run(struct trial *, const struct method *);

/*
 * Runs into one #DB with recording on, and returns what its handler found in the register
 * that `enable` writes: the processor should have turned recording off.
 */
uint64_t try_db(struct enable enable);

/* Why there is no interrupt of a counter here, or NULL. */
const char *try_lacks_counter(const struct cpu *);

/* code.asm */
#define TRY_CODE(name) extern const uint8_t name[] __attribute__((visibility("hidden")))
TRY_CODE(probe_code);
TRY_CODE(probe_jump);
TRY_CODE(probe_target);
TRY_CODE(probe_jcc);
TRY_CODE(probe_ret);
TRY_CODE(probe_fused);
TRY_CODE(probe_fused_jcc);
TRY_CODE(probe_fused_end);
TRY_CODE(probe_run);

/*
 * One row for each facility.  `lacks` returns why this processor has none, or NULL: NULL
 * where each has it.  `attempt` puts in the result of trying.
 */
struct probe {
    const char *(*lacks)(const struct cpu *);
    void (*attempt)(struct trial *);
};
extern const struct probe probe_step, probe_btf, probe_lbr, probe_bts, probe_tr, probe_pmi,
    probe_ler, probe_freeze, probe_brs, probe_pt;
