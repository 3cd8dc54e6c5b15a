/*
 * Holding what was got against what was wanted, transfer by transfer.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode.h"
#include "visible.h"

/* The first difference of two traces is one of these. */
enum difference_class {
    SAME,
    LOST,        /* a wanted record is missing                          */
    EXTRA,       /* a record that was not wanted                        */
    DOUBLED,     /* an EXTRA record that equals the one before it       */
    WRONG_FROM,  /* TO is right                                         */
    WRONG_TO,    /* FROM is right                                       */
    WRONG_ORDER, /* this record and the next are exchanged              */
    WRONG,       /* none of these                                       */
};

struct difference {
    enum difference_class class;
    uint64_t index;            /* of the first difference, from 0           */
    struct transfer got, want; /* meaningful unless at the end of that side */
    bool got_ended, want_ended;
    uint64_t compared; /* records looked at in all                  */
    size_t length; /* records lost, extra or exchanged in a row: at most CHECK_LOOK; 1 */
};

/*
 * FROM is not compared where either side does not know it.  From the first difference on
 * no more than CHECK_LOOK records are taken of either side.
 */
#define CHECK_LOOK 16
bool transfers_match(const struct transfer *, const struct transfer *);
struct difference check(struct source *got, struct source *want);

const char *check_class_name(enum difference_class);

/*
 * Records of a method as a source: stops of `step` become branches by decoding
 * the code (an unexplained step, at an event, gives none); other records get
 * their kind from the instruction at FROM, an event where that is no branch.  A stop of
 * `btf` or `pmi` has no FROM, and its kind is KIND_NONE.
 */
struct decoded { /* what decode_of() gives for one address */
    struct insn insn;
    bool known, is_branch;
};
struct recorded {
    struct source source;
    const struct branch *records; /* oldest first */
    size_t count, taken;
    const struct method_facts *method;
    const struct workload *workload; /* which lies at `at` */
    uint64_t at, call;
    struct decoded *decoded; /* by offset, so that each place is decoded once; or NULL */
    bool offsets;            /* its ends are offsets in CS: the base is added to them */
    bool kinds_unasked;   /* of branches that have a FROM: who reads them asks the code */
    bool has_fused;       /* FROM may be the first instruction of a fused pair      */
    uint64_t fused;       /* how many records had such a FROM since the last rewind */
    struct branch before; /* the stop before this one, once `stopped` */
    bool stopped;
};
void recorded_of(struct recorded *, const struct branch *, size_t count,
                 const struct method_facts *, const struct workload *, uint64_t at,
                 uint64_t call);

/*
 * Reads last-branch records as this processor keeps them.
 *
 * If they hold offsets in CS, ends become addresses, by the parts of the workload.  An end
 * that already is the address of code whose CS has a base belongs to no offset there, and
 * becomes a wrong address.
 *
 * If pairs of instructions fuse on it, FROM may be an instruction that can fuse with the
 * conditional jump right after it.  Where that jump leads to TO, its address becomes FROM.
 */
void recorded_on(struct recorded *, const struct model *, const struct cpu_id *);
