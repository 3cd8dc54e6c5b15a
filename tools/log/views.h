/*
 * Ways to look at the bytes of a file: as they are, or with what a format did to a line
 * taken back.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "find.h"

struct progress;
struct scan;

struct view {
    const char *name;  /* for a person; NULL: as it is */
    const char *marks; /* a file of that form has one of these, separated by spaces */
    void (*take)(struct scan *);
};
extern const struct view views[];
extern const size_t view_count;

bool view_fits(const struct view *, const char *bytes, size_t length);
void view_take(const struct view *, struct finder *, const char *bytes, size_t length,
               struct progress *);
