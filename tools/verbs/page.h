/*
 * The report page: page.c is its outline, one file more for each of its sections.
 */
#pragma once

#include "html.h"
#include "parsed.h"

#define PAGE_SHOWN_MAX 200 /* runs of a machine that are shown with their records */

/* Runs that are not as expected; what several processors have alike is shown once. */
struct page_shown {
    size_t runs[PAGE_SHOWN_MAX], count, left; /* left: there was no room for these */
    size_t *of; /* of each run of the log: the shown one's number from 1, or 0 */
};

struct page {
    FILE *file;
    const struct log *logs;
    size_t count;
    struct page_shown *shown; /* of each log */
};

/* page_cards.c: the machines in brief, with how each came out. */
void page_cards(const struct page *);
void page_badge(FILE *, const struct log *); /* on what it ran */

/* page_machines.c: side by side. */
void page_machines(const struct page *);

/* The machine's name on the page, with its number: "2, skylake". */
void page_name(const struct page *, const struct log *);
size_t page_number(const struct page *, const struct log *); /* from 1 */

/* page_verdicts.c; page_matrix.c: methods and workloads of a machine, or its runs. */
void page_verdicts(const struct page *);
void page_matrix(const struct page *, const struct log *);

/* page_differences.c: what is not as expected; "m1r7" is the id of run 7 of machine 1. */
void page_find_differences(struct page *); /* before anything is written */
void page_differences(const struct page *);
void page_forget_differences(struct page *);

/* page_traces.c: what ran: calls, and the graph of blocks. */
void page_traces(const struct page *);
bool page_has_traces(const struct page *);

/* page_cost.c */
void page_cost(const struct page *);
bool page_has_cost(const struct page *);

struct sums {
    size_t verdicts[VERDICTS], runs;
    uint64_t branches;
};
struct sums page_sums(const struct log *);
