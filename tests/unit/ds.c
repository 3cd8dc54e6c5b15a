#include "kernel/methods/ds.c"

#include <sys/mman.h>

#include "test.h"

#define PAGES 40

/* Registers that hold what is written; the area is looked at when it is handed over. */
static uint64_t debugctl, ds_register;
static unsigned char resident[PAGES];
static uint8_t *memory;

bool msr_read(uint32_t msr, uint64_t *value)
{
    *value = msr == MSR_DEBUGCTL ? debugctl : ds_register;
    return true;
}

bool msr_write(uint32_t msr, uint64_t value)
{
    if (msr == MSR_DS_AREA && value)
        CHECK(mincore(memory, sizeof resident * PAGE_SIZE, resident) == 0);
    *(msr == MSR_DEBUGCTL ? &debugctl : &ds_register) = value;
    return true;
}

/* Memory that the system gives page by page, when it is first written. */
static void begin(size_t offset, size_t records)
{
    struct buffers buffers;

    memory = mmap(NULL, PAGES * PAGE_SIZE, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    buffers = (struct buffers){ .ds_area = memory,
                                .bts = (struct branch *)(memory + PAGE_SIZE + offset) };
    ds_begin(&buffers, records, 0, records + 1);
    ds_end();
}

static bool all_resident(size_t pages)
{
    for (size_t i = 0; i < pages; i++)
        if (!(resident[i] & 1))
            return false;
    return true;
}

TEST(every_page_is_written_before_the_processor_sees_the_area)
{
    /* 1,023 records and a spare one: six pages. */
    begin(0, 1023);
    CHECK(all_resident(1 + 6));
    CHECK(!(resident[1 + 6] & 1)); /* and no other */
    munmap(memory, PAGES * PAGE_SIZE);
}

/* Of 169 records the spare one, and not the first 168, reaches the next page. */
TEST(a_buffer_that_begins_in_the_middle_of_a_page_is_written_to_its_end)
{
    begin(64, 168);
    CHECK(all_resident(1 + 2));
    munmap(memory, PAGES * PAGE_SIZE);
}

TEST(what_the_buffer_holds_is_kept)
{
    static uint8_t area[PAGE_SIZE];
    static struct branch records[400];
    const struct buffers buffers = { .ds_area = area, .bts = records };

    for (size_t i = 0; i < 400; i++)
        records[i] = (struct branch){ i, i + 1, i + 2 };
    memory = mmap(NULL, PAGES * PAGE_SIZE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ds_begin(&buffers, 399, 0, 400);
    for (size_t i = 0; i < 400; i++)
        CHECK(records[i].from == i && records[i].to == i + 1 && records[i].info == i + 2);
    CHECK(ds_is_as_begun(&buffers));
    munmap(memory, PAGES * PAGE_SIZE);
}
