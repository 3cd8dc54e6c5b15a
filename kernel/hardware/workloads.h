/*
 * All workloads: those that the image has, then those that were loaded from the stick.
 */
#pragma once

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

#include "handoff.h"
#include "memory.h"
#include "workload.h"

/* The one after another; NULL: the first, and NULL after the last. */
const struct workload *workloads_next(const struct workload *);

size_t workloads_count(void);

/* Is there one of this name? */
bool workloads_has(const char *name);

/*
 * Opens the bundles and puts their code on pages of its own, the first that are taken
 * from the memory.  What is wrong with one is kept; the others are loaded.  `left_out`:
 * files that there were besides.
 */
void workloads_load(struct memory *, const struct bundle_file *files, size_t count,
                    size_t left_out);

/* Where that code lies; 0: there is none. */
uint64_t workloads_code(uint64_t *end);

/* The result of loading the n-th file; NULL: there are no more. */
struct loading {
    const char *name;
    const uint8_t *bytes; /* the kernel's own copy */
    size_t size;
    const char *wrong; /* why it was not loaded, or NULL */
};
const struct loading *workloads_loading(size_t n);
