/*
 * Reads earlier logs of this machine: whatever killed it is not tried again.
 *
 * A log is saved before each thing that may kill the machine, its last line `try SUBJECT`.
 * The subject is all that is done until the log is saved again, so a log that ends there
 * names what the machine died of, and nothing else.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define SUBJECT_SIZE  128 /* the longest is a run with all that a filter leaves out */
#define LOG_NAME_SIZE 16
#define AVOIDED_MAX   32

/* Subjects that are no facility, method or run. */
#define SUBJECT_RUNS  "runs"   /* all that is left of the plan, saved no more in between */
#define SUBJECT_END   "end"    /* what comes after the last run */
#define SUBJECT_IDLE  "idle"   /* the monitor waits for its next command */
#define SUBJECT_ROUND "round=" /* and a number: runs of several processors at once */
#define SUBJECT_TAKE  "take="  /* and a step of taking the machine and giving it back */

struct history {
    struct avoided {
        char subject[SUBJECT_SIZE];
        char log[LOG_NAME_SIZE]; /* the first that ended there */
    } avoided[AVOIDED_MAX];
    size_t count;
    bool careful;                       /* to be saved before every run, because: */
    char died_somewhere[LOG_NAME_SIZE]; /* this log breaks off where nothing is named  */
    struct avoided died_taking;         /* the machine; no subject: it did not         */
};

/*
 * Whether the machine died of being taken, by the newest of its logs.  `own` has only the
 * lines that are known before that: false where the logs are not of one machine.
 */
bool history_read_taking(struct history *, const char *name, const char *log, size_t size,
                         const char *own, size_t own_size);

/* For a person: why the machine is not taken, or NULL. */
const char *history_refuses(const struct history *);

/*
 * Adds what the log of that name tells.  `own` is the log of this boot with its first
 * lines: false, and nothing is added, where the two are not of one machine.
 */
bool history_read(struct history *, const char *name, const char *log, size_t size,
                  const char *own, size_t own_size);

/* For a person: sentence n of what is not tried and why, or NULL. */
const char *history_sentence(const struct history *, size_t n);

/* The log that ended with this subject, or NULL. */
const char *history_of(const struct history *, const char *subject);
