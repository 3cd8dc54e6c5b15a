/*
 * What the judge found, kept for the reports: the records around a run's difference, and
 * complaints, which belong to no run.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check.h"
#include "rule.h"
#include "verdict.h"

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
        char *got, *want;
    } rows[2 * CONTEXT_AROUND + CONTEXT_LENGTH];
    const struct rule *rule; /* that the difference rests on, if unconfirmed; or NULL */
};
void context_free(struct context *);

/* Takes `why`, from malloc().  It replaces what was found before, unless that is worse. */
void run_found(struct run *, enum verdict, size_t where, char *why);

/* A difference that belongs to no single run: methods that disagree, a facility. */
struct complaint {
    const char *method, *subject; /* for JUnit                       */
    const char *other;            /* the method that it disagrees with, or NULL */
    size_t processor;             /* on which both ran                          */
    uint32_t filter;              /* with which                                 */
    size_t line;
    char *claim; /* what does not hold                               */
    char *what;  /* how, in a sentence                               */
};
struct findings {
    struct complaint *complaints;
    size_t complaint_count, complaint_capacity, pairs_compared, pairs_disagree;
};
void complain(struct log *, struct complaint); /* takes its claim and what from malloc() */
/* True if both name one run that disagrees with others: it is reported once. */
bool complaints_of_one(const struct complaint *, const struct complaint *);
