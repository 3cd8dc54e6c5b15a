#include "heap.h"

#include <stdio.h>
#include <stdlib.h>

#include "exit_code.h"

void out_of_memory(void)
{
    fputs("everybranch: out of memory\n", stderr);
    exit(EXIT_UNUSABLE);
}

char *format_list(const char *format, va_list list)
{
    char *text;

    if (vasprintf(&text, format, list) < 0)
        out_of_memory();
    return text;
}

char *format_text(const char *format, ...)
{
    va_list list;
    char *text;

    va_start(list, format);
    text = format_list(format, list);
    va_end(list);
    return text;
}

void *grow(void *array, size_t *capacity, size_t count, size_t size)
{
    void *larger;

    if (count < *capacity)
        return array;
    *capacity = *capacity ? 2 * *capacity : 16;
    larger = reallocarray(array, *capacity, size);
    if (!larger)
        out_of_memory();
    return larger;
}

void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);

    if (!memory)
        out_of_memory();
    return memory;
}

void *arena_keep(struct arena *arena, void *memory)
{
    arena->kept = grow(arena->kept, &arena->capacity, arena->count, sizeof(*arena->kept));
    return arena->kept[arena->count++] = memory;
}

/* An array that grows is nearly always among the newest that are kept. */
void *arena_grow(struct arena *arena, void *array, size_t *capacity, size_t count,
                 size_t size)
{
    size_t i = arena->count;

    if (count < *capacity)
        return array;
    if (!array)
        return arena_keep(arena, grow(NULL, capacity, count, size));
    while (arena->kept[i - 1] != array)
        i--;
    return arena->kept[i - 1] = grow(array, capacity, count, size);
}

void arena_release(struct arena *arena)
{
    for (size_t i = 0; i < arena->count; i++)
        free(arena->kept[i]);
    free(arena->kept);
    *arena = (struct arena){ 0 };
}

static struct arena scratch;

char *scratch_take(char *text)
{
    return arena_keep(&scratch, text);
}

char *scratch_text(const char *format, ...)
{
    va_list list;
    char *text;

    va_start(list, format);
    text = format_list(format, list);
    va_end(list);
    return scratch_take(text);
}

size_t scratch_mark(void)
{
    return scratch.count;
}

void scratch_release(size_t mark)
{
    while (scratch.count > mark)
        free(scratch.kept[--scratch.count]);
}
