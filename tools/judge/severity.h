/*
 * What a finding counts: the one place that gives verdicts.
 *
 * A check adds what it found, in any order, and asks for no verdict.  The verdict of a run
 * is that of its worst finding, and that of a log the worst of its runs and complaints.
 * docs/verdicts.md has the table of all of them.
 */
#pragma once

#include "parsed.h"

/* Gives the run the verdict of its worst finding, and that finding's reason. */
void run_decide(struct run *);

/*
 * False if what hit the run, a rule about its records together, or an overflow may be why
 * its records are not its branches: then it is compared with no other method.
 */
bool run_shows_its_branches(const struct run *);

/* Gives the complaints theirs, and drops those that are no failure. */
void complaints_decide(struct log *);

enum verdict log_verdict(const struct log *);  /* the worst */
bool log_has_passed(const struct log *);       /* at least one of its runs has */
const char *log_last_word(const struct log *); /* the last one that is said of it */
