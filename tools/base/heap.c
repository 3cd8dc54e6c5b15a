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
