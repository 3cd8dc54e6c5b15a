#include "kernel/hardware/paging.c"

#include <stdlib.h>

#include "test.h"

#define TABLES_SIZE (64 * PAGE_SIZE)

/* What the kernel supplies elsewhere. */
void *memory_take(struct memory *memory, uint64_t bytes)
{
    void *taken = (void *)(memory->base + memory->used);
    memory->used += (bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
    if (memory->used > memory->size)
        abort();
    return taken;
}

_Noreturn void panic(const char *why)
{
    (void)why;
    printf("not ok panic - paging panicked\n");
    exit(1);
}

static struct memory fresh_memory(void)
{
    static uint8_t *block;
    free(block);
    block = aligned_alloc(PAGE_SIZE, TABLES_SIZE);
    if (!block)
        abort();
    memset(block, 0, TABLES_SIZE);
    return (struct memory){ (uint64_t)block, TABLES_SIZE, 0 };
}

/*
 * The entry that maps an address, found by walking as the processor does; 0: none.  It is
 * ring 3's only if each entry on the way to it is.
 */
static uint64_t walk(const struct paging *paging, uint64_t address)
{
    const uint64_t *table = paging->top;
    uint64_t user = 4;
    for (int shift = 12 + 9 * ((int)paging->levels - 1); shift >= 12; shift -= 9) {
        uint64_t entry = table[address >> shift & 511];
        if (!(entry & 1))
            return 0;
        user &= entry;
        if (shift == 12 || (shift == 21 && entry & 0x80))
            return (entry & ~4ull) | user;
        table = (const uint64_t *)(entry & 0x000ffffffffff000ull);
    }
    return 0;
}

#define MAY_WRITE(entry)   ((entry) >> 1 & 1)
#define MAY_EXECUTE(entry) (!((entry) >> 63))
#define MAY_RING_3(entry)  ((entry) >> 2 & 1)

TEST(code_is_not_writable_and_data_not_executable)
{
    struct memory memory = fresh_memory();
    struct paging paging = paging_empty(&memory, 4);
    paging_map(&paging, 0x1000, 0x3000, PAGE_CODE);
    paging_map(&paging, 0x3000, 0x4000, PAGE_CONSTANT);
    paging_map(&paging, 0x4000, 0x5000, PAGE_DATA);
    paging_map(&paging, 0xfee00000, 0xfee01000, PAGE_DEVICE);

    CHECK(MAY_EXECUTE(walk(&paging, 0x1000)) && !MAY_WRITE(walk(&paging, 0x1000)));
    CHECK(MAY_EXECUTE(walk(&paging, 0x2fff)) && !MAY_WRITE(walk(&paging, 0x2fff)));
    CHECK(!MAY_EXECUTE(walk(&paging, 0x3000)) && !MAY_WRITE(walk(&paging, 0x3000)));
    CHECK(!MAY_EXECUTE(walk(&paging, 0x4000)) && MAY_WRITE(walk(&paging, 0x4000)));
    CHECK(!MAY_EXECUTE(walk(&paging, 0xfee00000)) && MAY_WRITE(walk(&paging, 0xfee00000)));
}

TEST(ring_3_reaches_its_own_pages_alone)
{
    struct memory memory = fresh_memory();
    struct paging paging = paging_empty(&memory, 4);
    paging_map(&paging, 0x1000, 0x2000, PAGE_CODE);
    paging_map(&paging, 0x2000, 0x3000, PAGE_USER_CODE);
    paging_map(&paging, 0x3000, 0x4000, PAGE_DATA);
    paging_map(&paging, 0x4000, 0x5000, PAGE_USER_DATA);
    paging_map(&paging, 0x200000, 0x400000, PAGE_DATA);

    CHECK(!MAY_RING_3(walk(&paging, 0x1000)) && !MAY_RING_3(walk(&paging, 0x3000)));
    CHECK(!MAY_RING_3(walk(&paging, 0x200000)));
    CHECK(MAY_RING_3(walk(&paging, 0x2000)) && MAY_RING_3(walk(&paging, 0x4000)));
    CHECK(MAY_EXECUTE(walk(&paging, 0x2000)) && !MAY_WRITE(walk(&paging, 0x2000)));
    CHECK(!MAY_EXECUTE(walk(&paging, 0x4000)) && MAY_WRITE(walk(&paging, 0x4000)));
}

TEST(what_was_not_asked_for_is_not_mapped)
{
    struct memory memory = fresh_memory();
    struct paging paging = paging_empty(&memory, 4);
    paging_map(&paging, 0x200000, 0x201000, PAGE_DATA);

    CHECK(walk(&paging, 0) == 0);
    CHECK(walk(&paging, 0x1ff000) == 0);
    CHECK(walk(&paging, 0x201000) == 0);
    CHECK(walk(&paging, 0x7fff00000000) == 0);
}

TEST(whole_large_pages_are_one_entry_and_the_rest_small)
{
    struct memory memory = fresh_memory();
    struct paging paging = paging_empty(&memory, 4);
    paging_map(&paging, 0x1ff000, 0x601000, PAGE_DATA);

    CHECK((walk(&paging, 0x1ff000) & 0x80) == 0);
    CHECK((walk(&paging, 0x200000) & 0x80) != 0);
    CHECK((walk(&paging, 0x5fffff) & 0x80) != 0);
    CHECK((walk(&paging, 0x600000) & 0x80) == 0);
    CHECK(walk(&paging, 0x601000) == 0);
}

TEST(every_address_maps_to_itself)
{
    struct memory memory = fresh_memory();
    struct paging paging = paging_empty(&memory, 4);
    paging_map(&paging, 0x1ff000, 0x601000, PAGE_DATA);

    CHECK((walk(&paging, 0x1ff000) & 0x000ffffffffff000ull) == 0x1ff000);
    CHECK((walk(&paging, 0x400000) & 0x000fffffffe00000ull) == 0x400000);
    CHECK((walk(&paging, 0x600000) & 0x000ffffffffff000ull) == 0x600000);
}

TEST(a_processor_s_own_data_lie_elsewhere)
{
    struct memory memory = fresh_memory();
    struct paging paging = paging_empty(&memory, 4);
    paging_map_to(&paging, 0x200000, 0x602000, 0x801000, PAGE_DATA);
    paging_map_to(&paging, 0x800000, 0xa00000, 0xc00000, PAGE_DATA);

    CHECK((walk(&paging, 0x200000) & 0x000ffffffffff000ull) == 0x801000);
    CHECK((walk(&paging, 0x200000) & 0x80) == 0); /* a large page begins with one */
    CHECK((walk(&paging, 0x601000) & 0x000ffffffffff000ull) == 0xc02000);
    CHECK(walk(&paging, 0x602000) == 0);
    CHECK((walk(&paging, 0x800000) & 0x000fffffffe00000ull) == 0xc00000);
    CHECK((walk(&paging, 0x800000) & 0x80) != 0);
}

TEST(the_ds_area_is_accessed_and_dirty_beforehand)
{
    struct memory memory = fresh_memory();
    struct paging paging = paging_empty(&memory, 4);
    paging_map(&paging, 0x4000, 0x5000, PAGE_DATA);

    CHECK((walk(&paging, 0x4000) & 0x60) == 0x60);
}

TEST(five_levels_tell_bit_48_apart)
{
    struct memory memory = fresh_memory();
    struct paging paging = paging_empty(&memory, 5);
    paging_map(&paging, 0x1000, 0x2000, PAGE_DATA);
    paging_map(&paging, 0x1000000001000, 0x1000000002000, PAGE_CODE);

    CHECK((walk(&paging, 0x1000) & 0x000ffffffffff000ull) == 0x1000);
    CHECK((walk(&paging, 0x1000000001000) & 0x000ffffffffff000ull) == 0x1000000001000);
    CHECK(!MAY_EXECUTE(walk(&paging, 0x1000)));
    CHECK(MAY_EXECUTE(walk(&paging, 0x1000000001000)));
    CHECK(walk(&paging, 0x2000000001000) == 0);
}
