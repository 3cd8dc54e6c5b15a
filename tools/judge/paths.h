/*
 * The transfers of the runs of one workload, for comparing each run with all others.
 *
 * A workload has few different transfers and takes them millions of times.  So each one is
 * stored once, as an edge, and a path is the numbers of its edges: two paths are compared
 * at the speed of memory, and what has to be known of a transfer is looked up once.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "events.h"
#include "expected.h"
#include "parsed.h"
#include "transfers.h"

/* True if an IRET returns here and stepping does not stop before this instruction. */
bool is_unstopped(const struct events *, uint64_t at);

struct edge {
    struct transfer transfer;
    bool enters_handler, ends_handler;
    bool unseen; /* TF was cleared here, so stepping did not see it                     */
    bool unstopped; /* stepping does not stop before the instruction at FROM */
    bool leap; /* the jump over a system call, for which methods give different FROMs */
};

struct edges {
    const struct events *events; /* of the workload */
    struct edge *of;
    uint32_t *slots; /* a hash table of numbers from 1; 0: empty */
    size_t count, capacity, slot_count;
    bool have_events; /* one of them is more than a plain transfer */
};

struct path {
    uint32_t *edges; /* oldest first */
    uint64_t at, end;
};

/* The events must outlive the edges. */
void edges_begin(struct edges *, const struct events *);
void edges_free(struct edges *);

/* All that a source gives, from its beginning; path_free() frees it. */
struct path path_of(struct edges *, struct source *);
void path_free(struct path *);

/* True if both have the same transfers; one whose FROM is unknown equals any with its TO.
 */
bool paths_same(const struct edges *, const struct path *, const struct path *);

/* The transfers, in memory; list_free() frees them. */
struct transfer_list path_list(const struct edges *, const struct path *);
