/*
 * A run whose trace the page shows.
 */
#pragma once

#include <stdio.h>

#include "symbols.h"

struct page_trace {
    const struct log *log;
    const struct run *run;
    struct symbols *symbols;
};

void page_calls(FILE *, const struct page_trace *);
