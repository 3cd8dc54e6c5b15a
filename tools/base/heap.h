/*
 * Memory for the caller to free, or for an arena, which releases all that it keeps at once.
 * If there is no memory left, these functions end the program.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

char *format_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *format_list(const char *format, va_list) __attribute__((format(printf, 1, 0)));

/* Returns the array with space for one more than `count` elements. */
void *grow(void *array, size_t *capacity, size_t count, size_t size);
void *zeroed(size_t count, size_t size) __attribute__((returns_nonnull));

/* Memory with one lifetime, such as that of a log.  One of zeros keeps nothing yet. */
struct arena {
    void **kept;
    size_t count, capacity;
};
/* Keeps what malloc() or a function above returned, and returns it. */
void *arena_keep(struct arena *, void *memory);
/* As grow(), of an array that the arena keeps, or of NULL. */
void *arena_grow(struct arena *, void *array, size_t *capacity, size_t count, size_t size);
void arena_release(struct arena *); /* and it is empty again */

/*
 * Text of what is being printed, which nobody frees: it lives until the program ends, or
 * until scratch_release() gives back all that came after a mark.
 */
char *scratch_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *scratch_take(char *text); /* from malloc(); returns it */
size_t scratch_mark(void);
void scratch_release(size_t mark);

void out_of_memory(void)
    __attribute__((noreturn)); /* for those who allocate in another way */
