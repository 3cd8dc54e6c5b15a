/*
 * The kernel's own page tables.  They map only what is asked for, each address to itself,
 * except the data of which each processor has a copy.
 */
#pragma once

#include <stdint.h>

#include "memory.h"

enum access {
    PAGE_CODE,
    PAGE_CONSTANT,
    PAGE_DATA,
    PAGE_DEVICE,
    PAGE_PICTURE,
    PAGE_USER_CODE, /* for ring 3 as well */
    PAGE_USER_DATA,
};

struct paging {
    struct memory *memory;
    uint64_t *top; /* for CR3 */
    unsigned levels;
};

/*
 * An empty set of tables, taken from memory.  `levels` is 4, or 5 where CR4.LA57 is set:
 * it cannot be changed in 64-bit mode, so the kernel goes by what the firmware has.
 */
struct paging paging_empty(struct memory *, unsigned levels);

/* Maps the pages that hold [begin, end) with that access and no other. */
void paging_map(struct paging *, uint64_t begin, uint64_t end, enum access);

/* Maps it to memory that begins with the page `to`: not an identity mapping. */
void paging_map_to(struct paging *, uint64_t begin, uint64_t end, uint64_t to, enum access);
