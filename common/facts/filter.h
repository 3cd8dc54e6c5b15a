/*
 * Filters: the branches that a recorder leaves out, by ring and by kind.
 *
 * A filter is a set of bits that means the same on every processor; its register differs:
 * MSR_LBR_SELECT has a bit for each thing not to record, IA32_LBR_CTL one for each thing
 * to record, and BTS two bits in DEBUGCTL.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "confidence.h"
#include "branch.h"

struct workload;

enum filter_bit {
    FILTER_KERNEL, /* branches that end in ring 0 (BTS: that begin there, PT: both)       */
    FILTER_USER,   /* branches that end in another ring (BTS: that begin there, PT: both) */
    FILTER_JCC,
    FILTER_CALL, /* near relative calls            */
    FILTER_ICALL,
    FILTER_RET,
    FILTER_IJMP,
    FILTER_JMP,
    FILTER_FAR,       /* and interrupts, exceptions, IRET, SYSCALL */
    FILTER_CALLSTACK, /* leaves nothing out: a return takes its call's record away */
    FILTER_BITS,
};
#define LEAVES_OUT(bit) (1u << (bit))
#define FILTER_RINGS    (LEAVES_OUT(FILTER_KERNEL) | LEAVES_OUT(FILTER_USER))
#define FILTER_KINDS    0x1fcu /* FILTER_JCC to FILTER_FAR */

/*
 * Call-stack mode is a mix of its own, and any other with that bit leaves the registers
 * undefined (SDM vol. 3B, "Last Branch, Call Stack, Interrupt, and Exception Recording").
 */
#define FILTER_STACK                                                             \
    (LEAVES_OUT(FILTER_JCC) | LEAVES_OUT(FILTER_IJMP) | LEAVES_OUT(FILTER_JMP) | \
     LEAVES_OUT(FILTER_FAR) | LEAVES_OUT(FILTER_CALLSTACK))

/*
 * A filter as text, "jcc+far": `none`; or any of kernel, user, jcc, call, icall, ret, ijmp,
 * jmp and far; or callstack, with at most one ring.  filter_read() returns false for
 * anything else.
 */
#define FILTER_TEXT_SIZE 48
bool filter_read(const char *text, size_t length, uint32_t *out);
const char *filter_text(uint32_t filter, char out[FILTER_TEXT_SIZE]);

/*
 * Gives the nth filter of a list, counted from 0, or returns false after the last one.  A
 * list is filters with commas between; each of these words is several filters
 *
 *      each    none, each alone, and callstack
 *      pairs   these, and any two together
 *      every   all 512, and callstack with and without each ring
 */
bool filter_nth(const char *list, size_t n, uint32_t *out);

/* NULL, or the first thing in the list that is no filter, as far as its comma. */
const char *filter_wrong(const char *list);

/* The form of a filter in a processor's register. */
struct filter_form {
    uint64_t bit[FILTER_BITS];  /* 0: it has none for that                            */
    bool includes;              /* a bit that is set records, else it leaves out      */
    bool hides_from;            /* FROM in a ring that is left out reads all ones     */
    bool empties;               /* call-stack mode: what returned has no record any more  */
    uint32_t also[FILTER_BITS]; /* others that the bit leaves out, despite its name   */
    const char *source;
    enum confidence confidence;
    const char *ring_source; /* states that the ring which a branch enters decides      */
};

extern const struct filter_form filter_lbr_select, /* Silvermont, Sandy Bridge...     */
    filter_lbr_select_nehalem,                     /* ...with Nehalem's own meaning   */
    filter_lbr_select_stack,                       /* ...with call-stack mode         */
    filter_lbr_ctl, filter_amd_lbr_select;

/* The value to write for this filter; `has` is the bits that the processor has. */
uint64_t filter_register(const struct filter_form *, uint32_t has, uint32_t filter);

/*
 * True if the register's bits are kinds to record and this value has none of them: then
 * nothing is recorded, and the hardware is not at fault.
 */
bool filter_selects_nothing(const struct filter_form *, uint64_t value);

/* A filter as it acts: which kinds and rings have no record. */
struct record_filter {
    uint32_t left_out;
    enum {
        RING_LEFT,
        RING_ENTERED,
        RING_EITHER, /* only a branch with both ends in rings left out has no record */
    } decides;       /* which ring of a branch from one to another                   */
#define RING_DECIDES(ring) (1u << (ring))
    bool hides_ends; /* an end in a ring that is left out reads all ones             */
    bool call_stack, empties;        /* as in struct filter_form      */
    const struct workload *workload; /* its parts have the ring; NULL: ring 0 */
    uint64_t at;                     /* where the workload is loaded      */
    bool db_recorded;   /* #DB is injected: its entry is recorded, and what follows it */
    bool ends_in_event; /* an exception follows the workload: here/msr_lbr.c         */
};
/* `form` is that of the last-branch records, or NULL for a filter by ring alone. */
struct record_filter filter_form_apply(const struct filter_form *, uint32_t filter);
uint32_t filter_of_kind(enum kind); /* the bit that leaves this kind out; 0: none does */
