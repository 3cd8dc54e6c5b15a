/*
 * Translates addresses of processes to the places of image.h.  The lines of a trace say
 * where files were mapped (perf script --show-mmap-events).
 *
 * A file that no line mentions is where FILE@0xN says, or else where it was linked.
 *
 * If no file was given, those that the lines name are opened, each only if its build-id
 * proves that it is the one that was recorded.
 */
#pragma once

#include "image.h"
#include "perf_line.h"

struct map {
    uint64_t start, end, add; /* add: to an address there, for its place */
    uint32_t pid;
};

/* A file that the trace names and that is not opened; its places begin at PLACE_SHUT. */
struct shut_file {
    const char *path;
    char why[256];
    uint64_t branches; /* that begin in it */
};

#define PAGE_SHIFT 12
#define MAPS_KEPT  4096 /* pages whose map is known, a power of two */
struct maps {
    struct images *images;
    struct map *at; /* oldest first; a newer one goes before an older one */
    size_t count, capacity;
    bool offsets; /* addresses are offsets in the one file: brstackoff     */
    uint32_t newest_pid;
    bool opens; /* files that the trace names are opened, since none was given */
    struct shut_file *shut;
    size_t shut_count, shut_capacity;
    bool several;     /* files lie at different addresses in different processes */
    uint32_t changes; /* from 1, since a page of `kept` begins with 0 */
    struct kept_page {
        uint64_t page, add;
        uint32_t pid, changes;
    } kept[MAPS_KEPT];
};

/* Adds a map.  False: it is of another build of a given file, and *why says so. */
bool maps_add(struct maps *, const struct perf_map *, char **why);

/* Counts a branch that begins at a place in no image. */
static inline void maps_count_outside(struct maps *maps, uint64_t place, uint64_t times)
{
    uint64_t number = (place - PLACE_SHUT) >> PLACE_SHIFT;

    if (number < maps->shut_count)
        add_up(&maps->shut[number].branches, times);
}

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
