/*
 * The rules that a branch trace must keep, with their sources, and the ways to break them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check.h"
#include "confidence.h"
#include "model.h"

enum audit_rule {
    RULE_FROM,
    RULE_TARGET,
    RULE_PLACE,
    RULE_RETURN,
    RULE_STRAIGHT,
    RULE_ORDER,
    RULE_NEWEST,
    RULE_RING,
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
    WEIGHT_KNOWN,    /* what this processor, or any, is known to do               */
    WEIGHT_BROKEN,   /* a rule that a manual states is broken                     */
};

struct rule_row {
    const char *name;    /* a word for programs */
    const char *about;   /* for people          */
    const char *counted; /* what is counted: "records", "pairs", "stacks" */
    const char *source;
    enum confidence confidence;
};
extern const struct rule_row rule_rows[RULES];

struct flaw_row {
    enum audit_rule rule;
    enum difference_class class; /* SAME: check() has no word for it */
    const char *name;
    const char *about;
};
extern const struct flaw_row flaw_rows[FLAWS];

/* NULL: the processor is not known. */
enum weight flaw_weight(enum flaw, const struct model *);
const char *weight_name(enum weight);

/*
 * Returns the name and source by which that processor is known for it, or, if the processor
 * is not named, how to name it.  NULL: there is nothing to say.
 */
const char *flaw_known(enum flaw, const struct model *);
