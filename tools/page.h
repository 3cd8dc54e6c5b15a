/*
 * The report page: page.c is its outline, one file more for each of its sections.
 */
#pragma once

#include "html.h"

struct page {
    FILE *file;
    const struct log *logs;
    size_t count;
};

/* page_machines.c */
void page_cards(const struct page *);    /* in brief, with how each came out */
void page_machines(const struct page *); /* side by side                     */

/* The machine's name on the page, with its number: "2, skylake". */
void page_name(const struct page *, const struct log *);
size_t page_number(const struct page *, const struct log *); /* from 1 */

/* page_verdicts.c: methods and workloads, a matrix for each machine. */
void page_verdicts(const struct page *);

/* page_differences.c: what is not as expected; each run of these has an id there. */
void page_differences(const struct page *);
bool page_shows(const struct log *, const struct run *);
size_t page_run(const struct log *, const struct run *); /* its number in its id */

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
