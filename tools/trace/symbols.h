/*
 * Names for addresses: the labels and workloads of the log, and the symbols and source
 * lines of ELF files that somebody gives.
 */
#pragma once

#include "addresses.h"
#include "options.h"
#include "parsed.h"

struct symbol {
    const char *name;    /* NULL: no name                                            */
    uint64_t begin, end; /* of what it names; end: where the next name begins, if
                            nothing tells its size                                   */
    uint64_t offset;     /* of the address, from begin                               */
    bool is_function;    /* an ELF says so, or it is the first byte of a workload    */
};

struct symbol_line {
    const char *file; /* NULL: not known */
    int line;
};

struct symbols;

/*
 * Symbols of the log's workloads: "wt" is the first byte of one, ".foo" a label in the
 * workload of `run`, "wt.foo" a label in another.  The log must outlive the symbols.
 */
struct symbols *symbols_of(const struct log *, const struct run *);

void symbols_free(struct symbols *);

/*
 * symbols_of(), with the names of the files of the option --elf, which take precedence over
 * the log's.  FILE@0xN was loaded N higher than it was linked.  FILE alone was loaded at
 * the log's image if it is position-independent, or else where it was linked.  NULL after
 * printing why.
 */
struct symbols *symbols_given(const struct given *, const struct log *, const struct run *);
#define SYMBOLS_OPTION                                                  \
    {                                                                   \
        .name = "elf", .value = "FILE", .repeats = true,                \
        .about = "names and lines from FILE; FILE@0xN: loaded N higher" \
    }

/* Names and files stay valid until symbols_free(). */
struct symbol symbol_at(const struct symbols *, uint64_t address);
struct symbol_line symbol_line_at(const struct symbols *, uint64_t address);
/* Adds the address of each function to the set. */
void symbols_functions(const struct symbols *, struct addresses *);

/* "name", "name+0x5", or "0x1234" where nothing is known; scratch_text(). */
char *symbol_text(const struct symbols *, uint64_t address);
