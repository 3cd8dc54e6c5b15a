/*
 * The instructions that ran in a run, from its branch records and the code alone.
 *
 * Between two records the code runs straight: from TO of the one to FROM of the next.
 * Such a stretch is a range, and a run is its ranges, oldest first.  A conditional branch
 * inside a range was not taken; the one that ends it was.  Where the records do not say
 * what ran, a range says so in `gap`: nothing is guessed across it.
 *
 *      struct walk walk;
 *      struct range range;
 *
 *      walk_of(&walk, log, run);
 *      while (walk_next(&walk, &range))
 *          for (size_t i = 0, at = range.first; i < range.insns; i++, at = code_next(insn))
 *              insn = code_at(walk.code, at);  // never NULL here
 *      walk_free(&walk);
 *
 * The window's own CALL, outside of the workload, is no instruction of it.
 */
#pragma once

#include "check.h"
#include "code.h"

/* The part that is unknown right before a range (GAP_NO_CODE: the range itself). */
enum gap {
    GAP_NONE,
    GAP_OLDER,      /* the records begin with this one: the method keeps only the newest,
                       or what came before is lost                                       */
    GAP_UNRECORDED, /* the code cannot run straight from the record before to this one: at
                       least one between is missing (lost, or the entry of #DB, which no
                       method records)                                                   */
    GAP_FILTERED,   /* between is a branch of a kind that this run does not record        */
    GAP_AMBIGUOUS,  /* a stop tells no FROM, and more than one branch leads there         */
    GAP_HANDLER, /* a stop tells no FROM, and a handler ran before it that nothing stops in:
                    it may have returned to anywhere                                 */
    GAP_SAMPLED, /* the records are samples: each tells one place, and nothing of between */
    GAP_NO_CODE, /* what ran lies where the log has no bytes                           */
    GAP_NEWER,   /* no record comes after the last one, which is no return to the caller */
    GAPS,
};
const char *gap_text(enum gap); /* a few words for a person */

struct range {
    /*
     * Addresses of the first and the last instruction that ran to its end, and how many
     * those are; a repeated string instruction counts once.  With insns 0 no instruction
     * is known: an event struck at `first` before anything ran, there is no code
     * (GAP_NO_CODE: `first` and `last` are the ends of what ran there), or it is the last
     * range: either nothing is known after it (GAP_NEWER, whose ends are BRANCH_UNKNOWN),
     * or a gap before it ends with the return to the caller (both ends are there).
     */
    uint64_t first, last;
    uint64_t insns;
    uint64_t jccs; /* conditional branches among them, that which ends it included */

    /*
     * The transfers that led to `first` and that ended the range.  `by` is KIND_EXC where
     * an event struck before the instruction at by.from, which is then no part of the
     * range; FROM of stops is filled in.  KIND_NONE: not known what it was, for want of
     * code; or, with ends that are BRANCH_UNKNOWN, that it was at all: then the next range
     * says why, and of this one only is known what runs up to its first branch, if nothing
     * struck before.
     */
    struct transfer came, by;
    enum gap gap;

    /* Events that this method cannot see (INT n, UD): their handlers ran in between. */
    uint64_t unseen;
};

#define WALK_KEPT 4096 /* ranges, a power of two */

struct walk {
    struct code *code; /* of the log's workloads */
    const struct log *log;
    const struct run *run;
    unsigned hidden; /* 1 << KIND_...: kinds of branches that the run does not record */
    unsigned hidden_rings; /* 1: ring 0, 2: the others, of which it records no branch... */
    bool hides_crossing; /* ...and perhaps none that leads there either                  */

    /* The walk's own. */
    struct code of_log;
    struct recorded got;
    struct range *kept;  /* ranges as they were found before, by their ends */
    struct transfer now; /* the newest record...                            */
    bool held;           /* the newest record is not accounted for */
    enum { WALK_BEGINS, WALK_IN_RECORDS, WALK_OPEN, WALK_DONE } state;
    struct transfer came;
    enum gap gap;
};

/* The walk must stay where it is, and the log must outlive it. */
void walk_of(struct walk *, const struct log *, const struct run *);
bool walk_next(struct walk *, struct range *);
void walk_rewind(struct walk *);
void walk_free(struct walk *);

/*
 * Compares two neighbouring records of no log as a walk does.  `hidden` is the set of
 * kinds, 1 << KIND_..., that were not recorded.
 *
 * GAP_NONE: the code runs straight from `first` to the instruction at `from`.
 * GAP_UNRECORDED: it cannot.  GAP_FILTERED: a hidden branch comes before `from`.
 * GAP_NO_CODE: there is no code at one of the two.
 */
enum gap walk_straight(struct code *, unsigned hidden, uint64_t first, uint64_t from);

/* True if that instruction is a branch or event that can lead to `to` by itself. */
bool walk_can_lead(const struct code_insn *, uint64_t to);
