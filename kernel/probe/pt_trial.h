/*
 * One more trial of Processor Trace: a few instructions are traced with a setting, and
 * their packets compared with those of the same instructions without it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pt.h"
#include "pt_packets.h"
#include "try.h"

struct intrusions;

#define PT_PAGE 4096ull

/* Why a trial proves nothing: packets may be missing, or more than they should be. */
enum pt_disturbance {
    PT_UNDISTURBED,
    PT_PACKETS_LOST,
    PT_STRUCK,
    PT_BUFFER_FULL,
    PT_BUFFER_SMALL, /* the option buffer= leaves too little for probe_run */
    PT_DISTURBANCES,
};

struct pt_trial {
    const struct trial *facility;
    struct pt_packet_counts plain; /* of probe_code without a setting */
    struct trace trace; /* of the newest run                                     */
    const char *fault;  /* what raised #GP, although CPUID announces it, or that
                           RTIT_STATUS.Error is set; or NULL                     */
    bool unknown;       /* a packet is unknown                                   */
    enum pt_disturbance disturbed;
};

/* A setting that a trial adds to the method's. */
struct pt_setting {
    uint64_t set, clear; /* bits of RTIT_CTL */
    uint32_t msr[2];     /* registers that the processor may lack; 0: none */
    uint64_t value[2];
};

/*
 * Traces this code and counts its packets.  NULL: no setting.  A fault, an unknown packet
 * and a disturbance are noted in the trial; after a fault no more is traced.
 */
struct pt_packet_counts pt_trial_run(struct pt_trial *, const struct pt_setting *,
                                     const uint8_t *code);

/* Notes faults and disturbances that IA32_RTIT_STATUS, the packets or intrusions show. */
void pt_trial_note(struct pt_trial *, uint64_t status, const struct intrusions *since,
                   const struct pt_packet_counts *);

/* Bits and targets together: a return can have either, and the other the next time. */
size_t pt_branches(const struct pt_packet_counts *);

/* False if the option buffer= leaves too little for probe_run, which is then noted. */
bool pt_trial_holds_run(struct pt_trial *);

/*
 * Each returns the rule that is broken, or NO_DEVIATION.  After a fault or a disturbance
 * the result proves nothing.  Call it only if CPUID announces what it tries.
 */
typedef enum deviation pt_attempt(struct pt_trial *);
pt_attempt pt_try_rings, pt_try_cr3, pt_try_ranges, pt_try_clock, pt_try_cycles,
    pt_try_interrupt;
bool pt_can_interrupt(const struct trial *);
