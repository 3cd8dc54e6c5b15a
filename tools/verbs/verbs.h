/*
 * The verbs of the program, as rows: verbs.c has the table, options.c reads a command line
 * by it, help.c makes the help, the manual page and what the shell completes of it.
 */
#pragma once

#include "options.h"

extern const struct verb verbs[];
extern const size_t verb_count;
const struct verb *verb_named(const char *name); /* or NULL */

/* What the rows run; an exit code each. */
int verb_audit(const struct given *);
int verb_cat(const struct given *);
int verb_cfg(const struct given *);
int verb_cost(const struct given *);
int verb_check(const struct given *);
int verb_coverage(const struct given *);
int verb_diff(const struct given *);
int verb_expect(const struct given *);
int verb_export(const struct given *);
int verb_methods(const struct given *);
int verb_models(const struct given *);
int verb_pack(const struct given *);
int verb_platforms(const struct given *);
int verb_report(const struct given *);
int verb_rules(const struct given *);
int verb_show(const struct given *);
int verb_submit(const struct given *);
int verb_workloads(const struct given *);
int verb_options(const struct given *);
int verb_wt(const struct given *);

/* help.c */
void help_all(void);
void help_verb(const struct verb *);
void help_lines(const char *text, void (*print)(const char *line, int length));

/* manual.c: everybranch.1, in mdoc(7). */
void help_manual(void);

/*
 * complete.c: a line for each word that may stand in place of the last of these, of which
 * the first is the verb; "FILES" where a file's name may.
 */
void help_complete(size_t count, char **words);
