/*
 * Which rules of common/rules a branch trace must keep, and the ways to break them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check.h"
#include "model.h"
#include "rule.h"

enum audit_rule {
    RULE_FROM,
    RULE_TARGET,
    RULE_PLACE,
    RULE_RETURN,
    RULE_STRAIGHT,
    RULE_ORDER,
    RULE_NEWEST,
    RULE_RING,
    RULE_BTS_RING,
    RULE_CALLS,
    RULE_NESTED,
    RULE_MISPREDICTED,
    RULE_CYCLES,
    RULE_PACKET,
    RULE_PATH,
    RULES,
};

/* Each flaw breaks one rule; a record or a pair of neighbours counts for one flaw. */
enum flaw {
    FOUND_NO_BRANCH,       /* nothing at FROM or near it leads to TO          */
    FOUND_SHIFTED,         /* a branch that leads to TO is a few bytes away   */
    FOUND_FUSED,           /* FROM is before the branch, as where pairs fuse  */
    FOUND_WRONG_TO,        /* a direct branch leads elsewhere                 */
    FOUND_NO_CODE,         /* an indirect branch leads to what is no code     */
    FOUND_RETURN,          /* a return to where no call is before             */
    FOUND_LOST,            /* a record is missing between two                 */
    FOUND_DOUBLED,         /* a record is there twice                         */
    FOUND_DOUBLED_NEWEST,  /* the newest record of a stack is there twice     */
    FOUND_DOUBLED_ADDED,   /* a record is there twice, among added-up records */
    FOUND_EXCHANGED,       /* two have changed places                         */
    FOUND_REVERSED,        /* a stack is oldest first                         */
    FOUND_ROTATED,         /* a stack begins at the wrong entry               */
    FOUND_KERNEL,          /* ends in ring 0, which is filtered out           */
    FOUND_USER,            /* ends in ring 3, which is                        */
    FOUND_FROM_KERNEL,     /* BTS: begins in ring 0, which is                 */
    FOUND_FROM_USER,       /* BTS: begins in ring 3, which is                 */
    FOUND_NO_CALL,         /* call-stack mode: the record is of no call       */
    FOUND_OTHER_FUNCTION,  /* call-stack mode: of a call by another function  */
    FOUND_MISSED_DIRECT,   /* a direct JMP or CALL was mispredicted           */
    FOUND_MISSED_NO_FIELD, /* a stack that cannot say so says "mispredicted"  */
    FOUND_CYCLES_NO_FIELD, /* a stack that counts no cycles says how many     */
    FOUND_PACKET,          /* Processor Trace: bytes that are no packet       */
    FOUND_PATH,            /* Processor Trace: packets do not fit the code    */
    FLAWS,
};

/* How much a flaw weighs. */
enum weight {
    WEIGHT_SOFTWARE, /* what programs can do; nothing is wrong with the trace     */
    WEIGHT_KNOWN,    /* another rule accounts for it                              */
    WEIGHT_BROKEN,   /* a rule that a manual states is broken                     */
};

const struct rule *rule_of(enum audit_rule);
const char *rule_counts(enum audit_rule); /* "records", "pairs", "stacks", ... */

struct flaw_row {
    enum audit_rule rule;
    enum difference_class class; /* SAME: check() has no word for it                     */
    const char *name;
    const char *about;
    const char *known_by; /* the rule that accounts for it where that holds; or NULL */
};
extern const struct flaw_row flaw_rows[FLAWS];

/* NULL as the model: the processor is not known. */
enum weight flaw_weight(enum flaw, const struct model *);
const char *weight_name(enum weight);

/* The rule that accounts for the flaw on that processor, or NULL. */
const struct rule *flaw_known_by(enum flaw, const struct model *);
/* A processor on which a rule accounts for the flaw, or NULL. */
const struct model *flaw_known_on(enum flaw);
