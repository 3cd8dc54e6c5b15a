/*
 * Programs and libraries as ELF files: their code, names and build-ids.
 *
 * Each file has its own range of places, whatever its addresses in processes were, so each
 * place in code is one number for the rest of the audit:
 *
 *      place = (number of the file, from 1) << 48 | address as linked
 */
#pragma once

#include <stdio.h>

#include "code.h"
#include "entry_line.h"
#include "heap.h"
#include "names.h"

#define PLACE_SHIFT 48
#define PLACE_VDSO  (UINT64_C(0x7fff) << PLACE_SHIFT) /* in [vdso], which no file has */
#define PLACE_SHUT \
    (UINT64_C(0x7000) << PLACE_SHIFT) /* in files that are not opened: maps.h */
#define SHUT_MAX 0xfff

struct segment {
    uint64_t at, size, offset; /* address as linked; bytes; where it is in the file */
    bool is_code;
    struct workload own; /* its bytes, as code.c wants them */
};

struct image {
    const char *path, *name; /* name: the path without its folders */
    bool has_load;           /* `load` is given                      */
    uint64_t load;           /* how much higher it lies than it was linked */
    uint64_t place;          /* where its range of places begins     */
    struct segment *segments;
    size_t segment_count, segment_capacity;
    char build_id[65]; /* hex digits; empty: it has none         */
    bool mapped;       /* the trace says where it lies, and when */
    struct names names;
    struct elf_program program;
};

struct images {
    struct image *at;
    size_t count, capacity;
    struct loaded *places; /* of the segments with code */
    size_t place_capacity;
    struct code code;
    struct name *by_text; /* all functions, by name; TRACED_UNNAMED: at several places */
    size_t by_text_count, by_text_capacity;
    struct arena memory;
};

/* Adds FILE or FILE@0xN of the command line.  False: said why on standard error. */
bool images_give(struct images *, const char *given);
/*
 * Adds a file that the trace names, if it is a regular file with this build-id.  The path
 * must stay.  NULL, or why the file is not added, from malloc().
 */
char *images_add(struct images *, const char *path, struct span build_id);
/* True if the image has that build-id, which perf fills up with zeros. */
bool image_is_build(const struct image *, struct span build_id);
void images_free(struct images *);

/*
 * Finds the place of a symbol.  False: no image has it, or more than one place has.  `of`
 * is a struct images, as struct symbol_finder wants it.
 */
bool images_find(void *of, struct span name, uint64_t *place);

static inline bool place_is_code(const struct images *images, uint64_t place)
{
    return (place >> PLACE_SHIFT) - 1 < images->count;
}

static inline const struct image *place_image(const struct images *images, uint64_t place)
{
    return place_is_code(images, place) ? &images->at[(place >> PLACE_SHIFT) - 1] : NULL;
}

/* Writes "main+0x5", or "prog+0x1750" where no name is known. */
void place_put(FILE *, const struct images *, uint64_t place);
/* The function that lies there, or NULL. */
const struct name *place_function(const struct images *, uint64_t place);
