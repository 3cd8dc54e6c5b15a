/*
 * A run as annotated disassembly: block by block as it ran, loops folded.
 */
#pragma once

#include "json.h"
#include "nest.h"
#include "symbols.h"

struct listing {
    const struct log *log;
    const struct run *run;
    const struct symbols *symbols;
    struct json *json; /* NULL: print text */
    bool colours, unfolded;

    /* Private to listing.c. */
    struct code code;
    size_t depth;            /* of loops                             */
    bool called;             /* the next instruction begins a function */
    struct symbol_line line; /* of the instruction shown last */
    struct sources *sources; /* the files that were read */
};

/* Prints the whole run on standard output, or, if `json` is set, as the array "trace". */
void listing_show(struct listing *);
