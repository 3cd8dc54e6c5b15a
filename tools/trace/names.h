/*
 * Names of stretches of addresses, and source lines, sorted, for symbols.c and elf_file.c.
 */
#pragma once

#include "symbols.h"

struct name {
    uint64_t begin, end; /* end: the first address after it                  */
    char *text;          /* from malloc()                                    */
    bool is_function;
    bool is_sized; /* `end` is its own; else that of its section       */
};
struct names {
    struct name *at;
    size_t count, capacity;
};
void names_add(struct names *, struct name);
void names_sort(struct names *); /* call before the first lookup, and after each addition */
const struct name *names_find(const struct names *, uint64_t address); /* or NULL */
void names_free(struct names *);

/* The address where a source line's code begins; file NULL: unknown from there on. */
struct line_at {
    uint64_t begin;
    const char *file;
    int line;
};
struct lines {
    struct line_at *at;
    size_t count, capacity;
    char **files; /* each name once */
    size_t file_count, file_capacity;
};

/* elf_file.c: an ELF file that is open, mapped by libelf. */
struct elf_program {
    int file;
    void *elf;        /* Elf *                                   */
    bool has_32_bits; /* else 64                                 */
    bool moves;       /* may lie anywhere, as PIE and libraries  */
};
/* NULL, or why it is no linked program or library for x86.  Close it in either case. */
const char *elf_program_open(struct elf_program *, const char *path);
void elf_program_close(struct elf_program *);
/* Adds the names, each `load` higher than linked; false: it has none. */
bool elf_names(struct names *, const struct elf_program *, uint64_t load);

/*
 * What an ELF file says, added to these.  `loaded` is a workload whose bytes,
 * where the file has any there, must be the log's.  False: said why.
 */
bool elf_read(struct names *, struct lines *, const struct log *,
              const struct loaded *loaded, const char *file);

/* "FILE" or "FILE@0xN", taken apart: *path is the caller's.  False: said why. */
bool elf_given(const char *given, char **path, uint64_t *load, bool *has_load);
