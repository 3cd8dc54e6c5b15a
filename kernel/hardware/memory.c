/* memory.h, and the three functions that compilers call by themselves. */
#include "memory.h"

#include <stddef.h>

#include "panic.h"

static uint64_t whole_pages(uint64_t bytes)
{
    return (bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
}

void *memory_take_unzeroed(struct memory *memory, uint64_t bytes)
{
    bytes = whole_pages(bytes);
    if (bytes > memory_left(memory))
        panic("out of memory");
    void *taken = (void *)(memory->base + memory->used);
    memory->used += bytes;
    return taken;
}

void *memory_take(struct memory *memory, uint64_t bytes)
{
    void *taken = memory_take_unzeroed(memory, bytes), *to = taken;
    uint64_t words = whole_pages(bytes) / sizeof(uint64_t);
    __asm__ volatile("rep stosq" : "+D"(to), "+c"(words) : "a"(0ull) : "memory");
    return taken;
}

uint64_t memory_left(const struct memory *memory)
{
    return memory->size - memory->used;
}

void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memset(void *to, int value, size_t count);
int memcmp(const void *a, const void *b, size_t count);

void *memcpy(void *restrict to, const void *restrict from, size_t count)
{
    void *begin = to;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
    return begin;
}

void *memset(void *to, int value, size_t count)
{
    void *begin = to;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(value) : "memory");
    return begin;
}

int memcmp(const void *a, const void *b, size_t count)
{
    const uint8_t *x = a, *y = b;
    for (size_t i = 0; i < count; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}
