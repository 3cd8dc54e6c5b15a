/*
 * The parts of the judge: each gives a run its verdict, or adds a complaint.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events.h"
#include "judge.h"

/* No processor retires this many instructions in a clock: the widest 12 or so (derived). */
#define INSNS_A_CLOCK 16

/* judge_skip.c */
void judge_skip(const struct log *, struct run *, const struct judge_options *);

/* judge_records.c: its records, and their types, against the expected trace as its method
 * sees it.
 */
void judge_records(const struct log *, struct run *);
void judge_types(const struct log *, struct run *);
bool begins_as_expected(const struct log *, struct run *, uint64_t records);

/* True if the last record of a stack may be a copy here: common/rules/doubled.h. */
bool may_double_newest(const struct run *);

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
 * on_platform.c: makes a failed run measured if it rests on what no source says of its
 * platform.
 */
void judge_on_platform(struct run *);
char *halted_on_platform(const struct log *, const struct run *); /* or NULL */
bool differs_by_platform(const struct run *);                     /* from other methods */
bool of_unknown_hypervisor(const struct cpu_part *);              /* no row has its name */

/*
 * other_build.c: NULL, or what is wrong with a run of a program in C for whose code there
 * is no expected trace here (is_other_build()).
 */
char *other_build_wrong(const struct log *, struct run *, size_t *where, bool *our_fault);

/* judge_smp.c: whether all processors ran at once. */
void judge_smp(struct log *);

/* debug_status.c: NULL, or why the run's dr6= cannot be in a log, or is wrong. */
char *debug_status_cannot_be(const struct run *);
char *debug_status_wrong(const struct run *, bool *unconfirmed);

/*
 * smi.c: runs that were made again since they were not as expected, on a processor that
 * does not count SMIs; one alone, and all short ones of a log.
 */
bool hit_left_records(const struct log *, const struct run *); /* of the handler */
void judge_tries(const struct log *, struct run *);
void judge_all_tries(struct log *);

/*
 * follow.c: NULL, or what is wrong between one stop and the next.  ended_early counts the
 * REPE and REPNE that stopped fewer times than their count, which nothing here can confirm
 * (rounds.c).
 */
char *follow_steps(const struct log *, const struct run *, const struct events *,
                   size_t *where, bool *our_fault, uint64_t *ended_early);

/*
 * interrupts.c: NULL, or what does not fit in the interrupts of a run that came to its end;
 * *unconfirmed: it rests on what no manual states.
 */
char *interrupts_wrong(const struct run *, bool *unconfirmed);

/* Checks that the interrupts have their own records, as far as the filter passes them. */
char *interrupts_own_wrong(const struct run *); /* or NULL */

/* What is wrong with the LVT entry after the run, for buffers and counters; or NULL. */
char *interrupts_left(const struct run *);

/* Says that one came later than those of the probe; or NULL. */
char *interrupts_late(const struct run *);

/*
 * inserts.c: NULL, or how the counter of LBR inserts differs from the records;
 * *unconfirmed: no manual states the rule that it breaks.
 */
char *inserts_wrong(const struct log *, const struct run *, bool *unconfirmed);

/* counted.c: the same as of interrupts.c, and whether it rests on words of a manual. */
char *counted_wrong(const struct log *, const struct run *, size_t *where);
/*
 * On silicon the WRMSR that turns the counter on or off may count, an instruction next to
 * it, and the interrupt itself: no manual says which.
 */
#define OWN_UNSURE 4

/*
 * insn_stops.c: NULL, or which stop of a counter of instructions is missing or at the wrong
 * instruction; *unconfirmed: that rests on what counts.
 */
char *insn_stops_wrong(const struct log *, const struct run *, size_t *where,
                       bool *unconfirmed);

uint64_t interrupt_each(const struct run *);
bool counted_unconfirmed(const struct run *);
/* Only that their number fits what was counted, which no SMI changes; or NULL. */
char *counted_number_wrong(const struct run *);

/*
 * For a counter's run: true if the last interrupt is missing, and when the window closed it
 * was no later than those of the probe.
 */
bool unheard_explained(const struct run *);
uint64_t unheard_late(const struct run *); /* events since it was due */

/* gaps.c: how many gaps a stream has (records without ends), and the verdict on it. */
uint64_t gaps_of(const struct log *, const struct run *);
void judge_gaps(const struct log *, struct run *);

/* sampled.c: those of branch sampling against the expected trace, and the records of a full
 * one. */
char *pieces_wrong(const struct log *, const struct run *, size_t *where,
                   bool *unconfirmed);
char *pieces_wrong_rest(const struct log *, const struct run *); /* if nothing else is */
size_t piece_size(const struct cpu_part *);
