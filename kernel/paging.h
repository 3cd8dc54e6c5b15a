/*
 * The kernel's own page tables: identity, four levels, only what is asked for.
 */
#pragma once

#include <stdint.h>

#include "memory.h"

enum access { PAGE_CODE, PAGE_CONSTANT, PAGE_DATA, PAGE_DEVICE };

/* An empty set of tables, taken from memory. */
struct paging {
    struct memory *memory;
    uint64_t *top; /* for CR3 */
};
struct paging paging_empty(struct memory *);

/* Maps the pages that hold [begin, end) with that access and no other. */
void paging_map(struct paging *, uint64_t begin, uint64_t end, enum access);
