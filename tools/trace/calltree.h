/*
 * The call tree, built from the ranges of a walk as they come.
 *
 * Each step says that a range ran in the innermost frame, or that a frame was entered
 * or left.  Memory grows with the depth of calls only.
 *
 *      CALL             enters a function; RET leaves it, and all that is above the frame
 *                       to whose caller it returns (longjmp).  A RET to nowhere on the
 *                       stack is a jump (retpoline)
 *      JMP, Jcc         to the entry of another function: a tail call, the function is
 *                       left and the other entered in its place; so is the target of
 *                       a function that is only a JMP (a thunk)
 *      INT, exceptions  enter a handler, a frame of its own, which IRET leaves
 *      SYSCALL          likewise, until SYSRET
 *      a gap            the stack is unknown: code after it runs in a frame without a
 *                       name, until a RET leads to a frame below it
 *
 * The entries of functions are the targets of calls in this run (a first pass finds them)
 * and the functions of an ELF.
 */
#pragma once

#include "walk.h"

struct symbols;

enum frame_kind {
    FRAME_CALLED,
    FRAME_JUMPED,  /* in the place of the frame that jumped to it */
    FRAME_HANDLER, /* of an interrupt or exception                */
    FRAME_SYSTEM,  /* of SYSCALL, SYSENTER                        */
    FRAME_UNKNOWN, /* after a gap                                 */
    FRAME_KINDS,
};
extern const char *const frame_words[FRAME_KINDS]; /* "called", "jumped to", ... */

struct call_frame {
    enum frame_kind kind;
    uint64_t function; /* its entry; BRANCH_UNKNOWN of FRAME_UNKNOWN           */
    uint64_t first;    /* the address of its first known instruction           */
    uint64_t site;     /* FROM of what entered it, or BRANCH_UNKNOWN           */
    uint64_t back;     /* where its return should lead, or BRANCH_UNKNOWN      */
    uint64_t began;    /* instructions of the run before it                    */
    uint64_t self;     /* instructions of its own so far...                    */
    uint64_t children; /* the same, including the functions that it called     */
    bool at_least;     /* a gap or code without bytes is among these           */
};

enum call_step {
    CALL_RAN,     /* `range` ran in `frame`                                          */
    CALL_ENTERED, /* `frame`                                                         */
    CALL_LEFT,    /* `frame`, whose counts are whole now                             */
    CALL_GAP,     /* before `range` runs, something ran that is not known            */
};

struct call {
    enum call_step step;
    size_t depth;                   /* of `frame`: 0 is what the window called */
    const struct call_frame *frame; /* frame[-1] is the one around it, if depth > 0;
                                       NULL: a gap before the first one               */
    const struct range *range;      /* the newest          */
    uint64_t insns;                 /* of the run so far                */
    bool unfinished;                /* left because the records end     */
};

/*
 * Calls `take` for each step of the run.  `symbols` may be NULL.
 */
void calltree_walk(struct walk *, const struct symbols *,
                   void (*take)(void *to, const struct call *), void *to);
