/* The kernel's memory: one block from boot/, handed out from its start, never freed. */
#pragma once

#include <stdint.h>

#define PAGE_SIZE 4096ull

struct memory {
    uint64_t base, size; /* all of it                */
    uint64_t used;       /* bytes from the start on  */
};

/* Returns `size` bytes, page-aligned; panics when there is no more memory. */
void *memory_take(struct memory *, uint64_t bytes);

/* Bytes that are left. */
uint64_t memory_left(const struct memory *);
