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
    struct json *json; /* NULL: for people        */
    bool colours, unfolded;

    /* The listing's own. */
    struct code code;
    size_t depth;            /* of loops                             */
    bool called;             /* the next instruction begins a function */
    struct symbol_line line; /* of the instruction that was shown... */
    struct sources *sources; /* ...and the files that it stands in   */
};

/* All of the run, on standard output or, with json, as the array "trace". */
void listing_show(struct listing *);
