/*
 * Memory for the caller to free.  If there is none left, these functions end the program.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

char *format_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *format_list(const char *format, va_list) __attribute__((format(printf, 1, 0)));

/* Returns the array with space for one more than `count` elements. */
void *grow(void *array, size_t *capacity, size_t count, size_t size);
void *zeroed(size_t count, size_t size) __attribute__((returns_nonnull));

void out_of_memory(void)
    __attribute__((noreturn)); /* for those who allocate in another way */
