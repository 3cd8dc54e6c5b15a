/*
 * The checks of the judge: each adds what it finds to a run, or complains of none.
 * severity.h gives the verdicts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events.h"
#include "judge.h"

/* No processor retires this many instructions in a clock: the widest 12 or so (derived). */
#define INSNS_A_CLOCK 16

/*
 * No clock is more than a few times that of the TSC (derived); the bound is wide, because a
 * hypervisor may scale the TSC.
 */
#define CLOCKS_A_TICK 16

/* judge_skip.c */
void judge_skip(const struct log *, struct run *, const struct judge_options *);

/*
 * judge_records.c: its records, and their types, against the expected trace as its method
 * sees it; true: all are there, and right, except those that a rule accounts for.  The last
 * gets the records that one disputes; or NULL.
 */
struct disputed;
bool judge_records(const struct log *, struct run *, const char *rule, struct disputed *);
void judge_types(const struct log *, struct run *);
/*
 * True if the first `before` records begin the expected trace, and those after them end it;
 * then says how many are missing between.
 */
bool records_fit_around(const struct log *, struct run *, uint64_t before,
                        uint64_t *missing);

/*
 * judge_words.c: NULL, or what the lines `run` and `ran` say that cannot be, by themselves
 * or beside what else the log says; that is our own fault, or the log's.
 */
char *run_cannot_be(const struct log *, const struct run *);
char *ran_cannot_be(const struct log *, const struct run *);

/*
 * Judges the time of all runs, or of this one alone: a run cannot be faster than its work,
 * which is known from the judged runs.
 */
void judge_time(struct log *, const struct run *only);

/* judge_words.c: how a run ended that did not come to its end. */
char *how_it_ended(const struct log *, const struct run *);

/* facilities.c */
bool run_needs(const struct run *, enum facility);
bool found_to_act(const struct cpu_part *, enum facility); /* it works or deviates */
void judge_facility(struct log *, const struct cpu_part *, enum facility);
/* Returns how many probe results differ from what the platform is known for. */
size_t facilities_unlike(const struct cpu_part *, const struct platform *);
/* Once all runs are judged. */
void judge_facility_by_runs(struct log *, const struct cpu_part *, enum facility);
void judge_cycles(struct log *);
void judge_rejected(struct log *, const struct judge_options *);

/*
 * on_platform.c: why a failure of this run says nothing of the processor, since no source
 * says what its platform does, or that is known to be wrong; or NULL.
 */
char *doubt_on_platform(const struct run *);
char *halted_on_platform(const struct log *, const struct run *); /* or NULL */
bool differs_by_platform(const struct run *);                     /* from other methods */

/* other_build.c: a run of a program in C for whose code there is no expected trace here
 * (is_other_build()). */
void judge_way(const struct log *, struct run *);

/* judge_smp.c: whether all processors ran at once. */
void judge_smp(struct log *);

/*
 * exceptions.c: the causes that debug exceptions gave.  NULL, or why they cannot be in a
 * log; and whether they are right.
 */
char *exceptions_cannot_be(const struct log *, const struct run *);
void judge_exceptions(struct run *);

/* smi.c: runs that were hit, or made again; one alone, and all of a log. */
char *hits_cannot_be(const struct log *, const struct run *); /* or NULL */
void judge_tries(struct run *);
void judge_all_tries(struct log *);

/*
 * follow.c: NULL, or what is wrong between one stop and the next.  `rounds`, zero but for
 * `run` and `may_lose`, gets what rules account for.
 */
struct rounds;
char *follow_steps(const struct log *, const struct run *, const struct events *,
                   size_t *where, bool *our_fault, struct rounds *);
/* Judges the stops of `step`; true: nothing is wrong.  A branch that a rule disputes, if
 * any is, may have one stop that is.  right: no branch is wrong. */
bool judge_steps(const struct log *, struct run *, const struct disputed *, bool right);
/* The rule of the hits that account for some of the run, or NULL. */
const struct rule *hit_found(const struct run *);
/*
 * That handlers of what hit it are entered and left where an instruction begins.  Asked
 * once the hits were found to account for something.
 */
void judge_handlers(const struct log *, struct run *);
/* True if a rule accounts for the stops that its records lack. */
bool lacks_stops(const struct run *);
/* Judges what the stops of a method say of conditional branches there. */
void judge_flags(const struct log *, struct run *);

/* interrupts.c: the interrupts of full buffers; and whether BTS's filter tests the same
 * ring in all runs. */
void judge_interrupts(struct run *);
void judge_all_rings(struct log *);

/* properties.c: that a rule on all records of a kind holds in all runs, or in none; that
 * last segments are kept in all or in none; and that most stacks end with no copy. */
void judge_all_properties(struct log *);
void judge_all_rests(struct log *);
void judge_all_copies(struct log *);

/* Checks that the interrupts have their own records, as far as the filter passes them. */
char *interrupts_own_wrong(const struct run *);      /* or NULL */
const char *interrupts_own_rule(const struct run *); /* that this breaks */

char *interrupts_too_many(const struct run *); /* for them to be of `events`; or NULL */

/* What is wrong with the LVT entry after the run, for buffers and counters; or NULL. */
char *interrupts_left(const struct run *);

/* inserts.c: the counter of LBR inserts, held against the records. */
void judge_inserts(const struct log *, struct run *);
const char *copy_inserted(const struct log *,
                          const struct run *); /* of the newest record */

/* counted.c: the interrupts of a counter, its count, and where they were taken. */
void judge_counter(const struct log *, struct run *);

/* Says how a run ended whose interrupts did not stop, if its period may be why; or NULL. */
char *stuck_by_period(const struct log *, const struct run *);
/* Judges whether the rule count-small-period accounts for few runs. */
void judge_all_small_periods(struct log *);

/* The rule pmi-unsure: any of this many instructions may count at each interrupt. */
#define OWN_UNSURE 4

/* insn_stops.c: each stop of a counter is at an instruction that runs after the stop
 * before, and one of instructions or of all branches at that which its period leads to;
 * `foreign` events counted in handlers, after which another stop may be at the same place,
 * and an erratum counts `excess` more. */
void judge_insn_stops(const struct log *, struct run *, uint64_t foreign, uint64_t excess);

/* gaps.c: sets how many gaps a stream has (records without ends); true: nothing is missing.
 */
void count_gaps(const struct log *, struct run *);
bool judge_gaps(const struct log *, struct run *);
/* That a stream without gaps has no more records than the stacks that were read. */
void judge_stacks(struct run *);

/*
 * sampled.c: the segments of branch sampling, and how many records the last one has.
 * miscounted: the run's count is wrong, so that of the workload decides, and the last
 * segment may begin as much later as that of the run lacks.
 */
bool pieces_are_right(const struct log *, struct run *);
void judge_rest(const struct log *, struct run *, bool miscounted);
