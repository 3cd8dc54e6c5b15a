/*
 * Translates addresses of processes to the places of image.h.  The lines of a trace say
 * where files were mapped (perf script --show-mmap-events).
 *
 * A file that no line mentions is where FILE@0xN says, or else where it was linked.
 */
#pragma once

#include "image.h"
#include "perf_line.h"

struct map {
    uint64_t start, end, add; /* add: to an address there, for its place */
    uint32_t pid;
};

#define PAGE_SHIFT 12
#define MAPS_KEPT  4096 /* pages whose map is known, a power of two */
struct maps {
    struct images *images;
    struct map *at; /* oldest first; a newer one goes before an older one */
    size_t count, capacity;
    bool offsets; /* addresses are offsets in the one file: brstackoff     */
    uint32_t newest_pid;
    bool several; /* files lie at different addresses in different processes */
    uint32_t changes;
    struct kept_page {
        uint64_t page, add;
        uint32_t pid, changes;
    } * kept;
};

void maps_of(struct maps *, struct images *);
void maps_free(struct maps *);

/* Adds a map.  False: it is of another build of a given file, and *why says so. */
bool maps_add(struct maps *, const struct perf_map *, char **why);

/*
 * Returns the place of an address in that process; pid 0: unknown, so the newest map
 * counts.  An address that is in no given file is returned as it is: it is one of the
 * kernel's half, or less than 1 << PLACE_SHIFT.
 */
uint64_t maps_look(struct maps *, uint32_t pid, uint64_t address);
static inline uint64_t maps_place(struct maps *maps, uint32_t pid, uint64_t address)
{
    const struct kept_page *kept = &maps->kept[(address >> PAGE_SHIFT) % MAPS_KEPT];

    if (kept->page == address >> PAGE_SHIFT && kept->pid == pid &&
        kept->changes == maps->changes)
        return address + kept->add;
    return maps_look(maps, pid, address);
}

/* True in the upper half of the address space, which is no process's. */
static inline bool place_is_kernel(uint64_t place)
{
    return place >> (PLACE_SHIFT - 1) == UINT64_MAX >> (PLACE_SHIFT - 1);
}
