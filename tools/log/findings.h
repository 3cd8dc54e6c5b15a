/*
 * What the checks of the judge found, and keep for the reports: findings of a run, the
 * records around its difference, and complaints, which belong to no run.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check.h"
#include "heap.h"
#include "rule.h"
#include "verdict.h"

struct cpu_part;
struct log;
struct run;

/*
 * The records on both sides of a difference, oldest first, in words.  A record that is lost
 * or extra is beside nothing, so that those after it are beside each other again.
 */
#define CONTEXT_AROUND 3   /* rows before it, and after it      */
#define CONTEXT_LENGTH 4   /* rows of the difference itself that are kept */
#define CONTEXT_NONE   "-" /* no record is on that side          */
struct context {
    uint64_t got, want;   /* index of the difference on either side, from 0 */
    struct difference d;  /* the difference itself                          */
    size_t count;         /* of the rows; which of them are the difference: */
    size_t here, differs; /* the first, and how many                        */
    struct {
        const char *got, *want;
    } rows[2 * CONTEXT_AROUND + CONTEXT_LENGTH];
    const struct rule *rule; /* that the difference rests on, if unconfirmed; or NULL */
};

/* What a finding is to the rule that it names. */
enum finding_kind {
    BROKEN,   /* the rule does not hold in this run                          */
    ALLOWED,  /* the rule accounts for it, and it is worth telling           */
    NOTED,    /* the same, and it is for reports that count it               */
    NOT_DONE, /* by the rule the run was not made, or not compared           */
};

struct finding {
    const struct rule *rule;
    enum finding_kind kind;
    size_t where;            /* a line of the log             */
    char *why;               /* a sentence                    */
    struct context *context; /* the records around it, or NULL */

    /* The judge alone sets them (severity.c). */
    enum verdict verdict;
    const char *because;       /* why it is no failure, or NULL */
    const struct rule *hit_by; /* of what hit the run, by which it is none; or NULL */
};

/* A run's, in the order in which its checks were made; the first of the worst is named. */
struct run_findings {
    struct finding *at;
    size_t count, capacity;
    struct arena memory; /* of their texts, and of the run's own */
};
/*
 * Adds a finding by the rule of this name.  Takes `why`, from malloc(); NULL: nothing is
 * found.  What it returns lives until the next.
 */
struct finding *run_found(struct run *, enum finding_kind, const char *rule, size_t where,
                          char *why);
struct finding *run_broke(struct run *, const char *rule, size_t where, char *why);
/* True if nothing speaks against the run, at most for it: each finding is only noted. */
bool run_has_no_fault(const struct run *);
/* True if a finding of the run names this rule. */
bool run_found_by(const struct run *, const char *rule);

/* A difference that belongs to no single run: methods that disagree, a facility. */
struct complaint {
    const char *method, *subject; /* for JUnit                       */
    const char *other;            /* the method that it disagrees with, or NULL */
    size_t processor;             /* on which both ran                          */
    uint32_t filter;              /* with which                                 */
    size_t line;
    const char *rule;           /* that is broken                                   */
    const struct cpu_part *cpu; /* whose facility it is, or NULL                    */
    enum verdict verdict;       /* set by the judge: one that is no failure is none */
    char *claim;                /* what does not hold                               */
    char *what;                 /* how, in a sentence                               */
};
struct findings {
    struct complaint *complaints;
    size_t complaint_count, complaint_capacity, pairs_compared, pairs_disagree;
};
void complain(struct log *, struct complaint); /* its claim and what are the log's now */
/* Complains that several runs together break a rule; this one of them is named. */
void complain_of_runs(struct log *, const struct run *, const char *rule, char *claim,
                      char *what);
/* True if both name one run that disagrees with others: it is reported once. */
bool complaints_of_one(const struct complaint *, const struct complaint *);
