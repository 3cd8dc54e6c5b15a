/*
 * The result of each facility's probe: by its effect, never by what it announces.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lines.h"
#include "text.h"

/*
 * What was found of a facility, as the log says it.  How late its interrupts came is
 * measured of pmi and bts alone, in a run of taken branches: how many branches (of BTS:
 * records) came after the one that asked.
 */
#define EVIDENCE_SIZE 168
struct probed {
    bool was_tried;               /* or left out, for an earlier boot died of it */
    struct facility_line said;    /* its evidence is the text below */
    char evidence[EVIDENCE_SIZE]; /* what was seen, for a person    */
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
