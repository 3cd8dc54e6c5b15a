/* The kernel's memory: one block from boot/, handed out from its start, never freed. */
#pragma once

#include <stdint.h>

#define PAGE_SIZE 4096ull

struct memory {
    uint64_t base, size; /* all of it                */
    uint64_t used;       /* bytes from the start on  */
};

/* Returns zeroed, page-aligned memory; panics when there is no more. */
void *memory_take(struct memory *, uint64_t bytes);

/* Returns memory that still holds what the firmware left there: write before you read. */
void *memory_take_unzeroed(struct memory *, uint64_t bytes);

/* Bytes that are left. */
uint64_t memory_left(const struct memory *);
