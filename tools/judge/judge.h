/* What the parts of the judging share: each gives a run its verdict. */
#pragma once

#include "tools.h"

/* Takes `why` from malloc(); what was found before gives way, unless it is worse. */
void run_found(struct run *, enum verdict, size_t where, char *why);

/* No processor retires so many instructions in a clock: the widest about 12 (derived). */
#define INSNS_A_CLOCK 16

/* judge_skip.c */
void judge_skip(const struct log *, struct run *, const struct judge_options *);

/* judge_records.c: its records, and their types, against the truth as its method sees it.
 */
void judge_records(const struct log *, struct run *);
void judge_types(const struct log *, struct run *);

/*
 * judge_words.c: NULL, or what the lines `run` and `ran` say that cannot be, by themselves
 * or beside what else the log says; that is our own fault, or the log's.
 */
char *run_cannot_be(const struct log *, const struct run *);
char *ran_cannot_be(const struct log *, const struct run *);

/* Once all are judged: those that took less time than what they did. */
void judge_time(struct log *);

/* ending.c: how a run ended that did not come to its end. */
char *how_it_ended(const struct log *, const struct run *);
