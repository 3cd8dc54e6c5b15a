/*
 * SDM vol. 3A, "4-Level Paging and 5-Level Paging".
 *
 * Large pages are used where a whole one fits: the buffers are tens of megabytes.
 */
#include "paging.h"

#include <stdbool.h>
#include <stddef.h>

#include "panic.h"
#include "registers.h"

#define ENTRY_PRESENT    BIT(0)
#define ENTRY_WRITE      BIT(1)
#define ENTRY_USER       BIT(2)
#define ENTRY_COMBINING  BIT(3)            /* PWT: what machine.c puts into the PAT there */
#define ENTRY_UNCACHED   (BIT(3) | BIT(4)) /* PWT and PCD: strong uncacheable */
#define ENTRY_ACCESSED   BIT(5)
#define ENTRY_DIRTY      BIT(6) /* the DS area must be accessed and dirty beforehand */
#define ENTRY_LARGE      BIT(7)
#define ENTRY_NO_EXECUTE BIT(63)
#define ENTRY_ADDRESS    0x000ffffffffff000ull

#define ENTRIES    512
#define LEVEL_BITS 9
#define LARGE_SIZE (PAGE_SIZE * ENTRIES)

static const uint64_t flags_of[] = {
    [PAGE_CODE] = 0,
    [PAGE_CONSTANT] = ENTRY_NO_EXECUTE,
    [PAGE_DATA] = ENTRY_WRITE | ENTRY_NO_EXECUTE,
    [PAGE_DEVICE] = ENTRY_WRITE | ENTRY_NO_EXECUTE | ENTRY_UNCACHED,
    [PAGE_PICTURE] = ENTRY_WRITE | ENTRY_NO_EXECUTE | ENTRY_COMBINING,
    [PAGE_USER_CODE] = ENTRY_USER,
    [PAGE_USER_DATA] = ENTRY_USER | ENTRY_WRITE | ENTRY_NO_EXECUTE,
};

struct paging paging_empty(struct memory *memory, unsigned levels)
{
    return (struct paging){ memory, memory_take(memory, PAGE_SIZE), levels };
}

/* The entry for this address `level` levels above the 4 KiB pages. */
static uint64_t *entry_at(struct paging *paging, uint64_t address, unsigned level)
{
    uint64_t *table = paging->top;
    for (unsigned above = paging->levels - 1;; above--) {
        uint64_t *entry = &table[address / PAGE_SIZE >> above * LEVEL_BITS & (ENTRIES - 1)];
        if (above == level)
            return entry;
        if (*entry & ENTRY_LARGE)
            panic("a page is mapped twice");
        if (!(*entry & ENTRY_PRESENT))
            *entry = (uint64_t)memory_take(paging->memory, PAGE_SIZE) | ENTRY_PRESENT |
                     ENTRY_WRITE | ENTRY_USER; /* the lowest entry decides */
        table = (uint64_t *)(*entry & ENTRY_ADDRESS);
    }
}

void paging_map(struct paging *paging, uint64_t begin, uint64_t end, enum access access)
{
    paging_map_to(paging, begin, end, begin & ~(PAGE_SIZE - 1), access);
}

void paging_map_to(struct paging *paging, uint64_t begin, uint64_t end, uint64_t to,
                   enum access access)
{
    uint64_t flags = flags_of[access] | ENTRY_PRESENT | ENTRY_ACCESSED | ENTRY_DIRTY;
    uint64_t at = begin & ~(PAGE_SIZE - 1);
    while (at < end) {
        bool large = at % LARGE_SIZE == 0 && to % LARGE_SIZE == 0 && end - at >= LARGE_SIZE;
        uint64_t *entry = entry_at(paging, at, large ? 1 : 0);
        if (*entry & ENTRY_PRESENT)
            panic("a page is mapped twice");
        *entry = to | flags | (large ? ENTRY_LARGE : 0);
        at += large ? LARGE_SIZE : PAGE_SIZE;
        to += large ? LARGE_SIZE : PAGE_SIZE;
    }
}
