/*
 * The result of each facility's probe: by its effect, never by what it announces.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "facility.h"
#include "text.h"

/*
 * How late a facility's interrupts came in a run of taken branches alone: how many branches
 * (of BTS: records) came after the one that asked.  interrupts 0: not measured.
 */
struct skid {
    uint64_t interrupts;
    uint64_t typical, most; /* the mean, rounded up; the latest of all */
};

#define EVIDENCE_SIZE 168
struct probed {
    const char *name;
    enum probe_result probe_result;
    char evidence[EVIDENCE_SIZE]; /* what was seen, for a person */
    struct skid skid;             /* of pmi and bts alone */
};

struct facilities {
    union {
        struct {
            struct probed step, btf, lbr, bts, tr, pmi, ler, freeze, brs, pt;
        };
        struct probed all[FACILITY_COUNT]; /* the same */
    };
};

/* May a method use the facility? */
bool facility_acts(const struct probed *);

/*
 * The first facility of these (NEEDS() of each) that does not act, or NULL.  Of brs and pmi
 * it is pmi, without which there is no brs.
 */
const char *facilities_lack(const struct facilities *, unsigned needs);

/* Does BTF act, or was it not tried?  Only a dead BTF tells stock QEMU from others. */
bool facility_may_act(const struct probed *);
