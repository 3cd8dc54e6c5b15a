/*
 * Basic blocks and the edges between them, from what ran alone: no code is analysed first,
 * and a block is cut wherever a branch of the run lands in it.
 */
#pragma once

#include <stdio.h>

#include "profile.h"
#include "symbols.h"

#define CFG_READABLE 80 /* blocks of a picture; of more it says little */

enum cfg_kind {
    CFG_NEXT,      /* runs on into the next block             */
    CFG_TAKEN,     /* a conditional branch that was taken     */
    CFG_NOT_TAKEN, /* a Jcc that was not taken                */
    CFG_JUMP,      /* JMP, direct or not                      */
    CFG_CALL,
    CFG_AFTER, /* from a call to where it came back; no transfer of its own */
    CFG_RETURN,
    CFG_EVENT, /* INT n, an exception or interrupt: to its handler          */
    CFG_BACK,  /* IRET, SYSRET                                              */
    CFG_KINDS,
};

enum cfg_place {
    CFG_RAN,
    CFG_NEVER,  /* the edge of a Jcc leads there, and nothing ran there          */
    CFG_STRUCK, /* an event came before this instruction, and it never ran      */
    CFG_CALLER, /* the window                                                    */
    CFG_ELSEWHERE,
};

struct cfg_block {
    enum cfg_place place;
    uint64_t begin, end; /* offsets in the workload, except for the last two kinds    */
    uint64_t last;       /* of the last instruction, which makes the block's transfers */
    uint64_t insns, times;
    size_t function; /* the block that begins it, by number */
};

struct cfg_edge {
    size_t from, to; /* blocks */
    enum cfg_kind kind;
    uint64_t times; /* 0: never; only an edge of a Jcc can have it */
};

struct cfg {
    struct profile profile;
    struct cfg_block *blocks; /* in order of their addresses, caller and elsewhere last */
    struct cfg_edge *edges;   /* in order of their blocks                               */
    size_t block_count, block_capacity, edge_count, edge_capacity;
    uint64_t most; /* times of the hottest edge */
    bool whole;    /* nothing of what ran is unknown: what has no count never happened */
};

void cfg_of(struct cfg *); /* set `profile` first, by profile_of() */
void cfg_free(struct cfg *);

/* A transfer that a run should have recorded and did not, as offsets in the workload. */
struct cfg_missing {
    uint64_t from, to;
};

/*
 * cfg_dot.c: as a graph for Graphviz.  The workload lay at that address.  Nodes and edges
 * have classes by which a page can colour them: block, never, struck, outside; next, taken,
 * not-taken, jump, call, after, return, event, back, zero where it is so, and missing.
 */
struct cfg_look {
    const char *title;
    const struct symbols *symbols;
    uint64_t at;
    size_t only; /* of one function: the number of its first block, from 1; 0: of all */
    const struct cfg_missing *missing;
    size_t missing_count;
};
void cfg_dot(FILE *, const struct cfg *, const struct cfg_look *);
char *cfg_dot_text(const struct cfg *, const struct cfg_look *); /* from malloc() */
bool cfg_is_function(const struct cfg *, size_t block); /* whether one begins there */

/*
 * Draws the graph as SVG, from "<svg" to "</svg>", ready to be part of a page.  Returns
 * text from malloc(), or NULL after printing the reason on standard error.
 */
char *cfg_svg(const struct cfg *, const struct cfg_look *);

/*
 * graphviz.c: draws graphs in Graphviz' language, each as cfg_svg() does.  Returns how
 * many, from the first, it could draw.
 */
size_t graphviz_svgs(char *const dots[], size_t count, char *svgs[]);
