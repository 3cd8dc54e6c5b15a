/*
 * A workload in a file of its own, code and expectation, as `everybranch pack` makes it
 * and the kernel loads it from the stick.
 *
 * The file is a head and then the workload's object as a linker lays it out: its struct
 * workload, whose pointers are distances from that struct, then rows, names and code.  The
 * code holds no address and uses no data outside itself, so it runs wherever it is loaded.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "workload.h"

#define BUNDLE_MAX       (64u << 10)  /* bytes of a file                        */
#define BUNDLE_ROWS_MAX  512u         /* of its expectation                     */
#define BUNDLE_TRANSFERS (1ull << 24) /* that the rows make, with their repeats */

struct bundle_head {
    char magic[8];
    uint32_t size; /* bytes after the head            */
    uint32_t crc;  /* CRC-32 of them, as zlib's       */
};
_Static_assert(sizeof(struct bundle_head) == 16, "the head of a bundle");

/* Returns the head for these `size` bytes. */
struct bundle_head bundle_head(const void *bytes, size_t size);

/*
 * Opens a bundle that lies at an address divisible by 8.  The workload points into it,
 * so it has to stay.  Returns NULL, or what is wrong with it, in a sentence, and then has
 * not touched the workload; nothing in a file can make this, or whatever walks through
 * the workload later, leave it.
 */
const char *bundle_open(struct workload *out, const void *file, size_t size);
