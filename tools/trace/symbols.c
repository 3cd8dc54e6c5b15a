/*
 * The names of ELF files go before those of the log: who gives a file wants its names.
 */
#include "symbols.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "heap.h"
#include "names.h"

struct symbols {
    const struct loaded *loaded;
    struct names elf, log;
    struct lines lines;
};

/* The labels in the rows of the expectation, where the same ones come again and again. */
static void add_labels(struct names *names, const struct loaded *loaded, bool is_own)
{
    const struct workload *own = loaded->own;

    for (uint32_t i = 0; i < 2 * own->rows; i++) {
        const struct taken *row = &own->expect[i / 2];
        int32_t offset = i % 2 ? row->to : row->from;
        const char *label = i % 2 ? row->to_label : row->from_label;

        if (row->kind < KIND_COUNT && offset > 0 && *label)
            names_add(names, (struct name){ .begin = loaded->at + (uint64_t)offset,
                                            .end = loaded->at + own->size,
                                            .text = format_text(
                                                "%s%s", is_own ? "" : own->name, label) });
    }
}

struct symbols *symbols_of(const struct log *log, const struct run *run)
{
    struct symbols *symbols = zeroed(1, sizeof(*symbols));

    symbols->loaded = run->workload;
    for (size_t i = 0; i < log->workload_count; i++) {
        const struct loaded *loaded = log->workloads[i];

        add_labels(&symbols->log, loaded, loaded == run->workload);
        names_add(&symbols->log,
                  (struct name){ .begin = loaded->at,
                                 .end = loaded->at + loaded->own->size,
                                 .text = format_text("%s", loaded->own->name),
                                 .is_function = true });
    }
    names_sort(&symbols->log);
    return symbols;
}

static int by_address(const void *a, const void *b)
{
    const struct line_at *x = a, *y = b;

    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    /* The end of one sequence may be where another begins. */
    return (x->file != NULL) - (y->file != NULL);
}

static void lines_sort(struct lines *lines)
{
    if (lines->count)
        qsort(lines->at, lines->count, sizeof(*lines->at), by_address);
}

static bool symbols_add(struct symbols *symbols, const struct log *log, const char *file)
{
    bool good = elf_read(&symbols->elf, &symbols->lines, log, symbols->loaded, file);

    names_sort(&symbols->elf);
    lines_sort(&symbols->lines);
    return good;
}

struct symbols *symbols_given(const struct given *given, const struct log *log,
                              const struct run *run)
{
    struct symbols *symbols = symbols_of(log, run);
    const char *file;

    for (size_t n = 0; (file = given_nth(given, "elf", n)); n++)
        if (!symbols_add(symbols, log, file)) {
            symbols_free(symbols);
            return NULL;
        }
    return symbols;
}

void symbols_free(struct symbols *symbols)
{
    if (!symbols)
        return;
    names_free(&symbols->elf);
    names_free(&symbols->log);
    free(symbols->lines.at);
    for (size_t i = 0; i < symbols->lines.file_count; i++)
        free(symbols->lines.files[i]);
    free(symbols->lines.files);
    free(symbols);
}

/* A name ends where the next one begins, unless it has a size of its own. */
static uint64_t end_of(const struct names *names, const struct name *name)
{
    const struct name *next = name + 1, *last = names->at + names->count;

    if (name->is_sized)
        return name->end;
    while (next < last && next->begin == name->begin)
        next++;
    return next < last && next->begin < name->end ? next->begin : name->end;
}

struct symbol symbol_at(const struct symbols *symbols, uint64_t address)
{
    const struct names *names = &symbols->elf;
    const struct name *name = names_find(names, address);

    if (!name) {
        names = &symbols->log;
        name = names_find(names, address);
    }
    if (!name)
        return (struct symbol){ .name = NULL };
    return (struct symbol){ .name = name->text,
                            .begin = name->begin,
                            .end = end_of(names, name),
                            .offset = address - name->begin,
                            .is_function = name->is_function };
}

void symbols_functions(const struct symbols *symbols, struct addresses *out)
{
    const struct names *const all[] = { &symbols->elf, &symbols->log };

    for (size_t n = 0; n < COUNT_OF(all); n++)
        for (size_t i = 0; i < all[n]->count; i++) {
            struct symbol symbol = symbol_at(symbols, all[n]->at[i].begin);

            if (symbol.is_function && symbol.offset == 0)
                addresses_add(out, symbol.begin);
        }
}

char *symbol_text(const struct symbols *symbols, uint64_t address)
{
    struct symbol symbol = symbol_at(symbols, address);

    if (!symbol.name)
        return scratch_text("0x%" PRIx64, address);
    return symbol.offset ? scratch_text("%s+0x%" PRIx64, symbol.name, symbol.offset)
                         : scratch_text("%s", symbol.name);
}

struct symbol_line symbol_line_at(const struct symbols *symbols, uint64_t address)
{
    const struct lines *lines = &symbols->lines;
    size_t low = 0, high = lines->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (lines->at[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return (struct symbol_line){ NULL, 0 };
    return (struct symbol_line){ lines->at[low - 1].file, lines->at[low - 1].line };
}
