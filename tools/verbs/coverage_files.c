/*
 * Writes coverage for other programs; Lighthouse reads both forms.
 */
#include "coverage_files.h"

#include "coverage.h"

#define IMAGE_NAME "BOOTX64.EFI"

/* The module is the image, or a workload that the log contains. */
static const char *module_of(const struct cover *cover)
{
    return cover->loaded->is_bundled ? cover->loaded->own->name : IMAGE_NAME;
}

static uint64_t module_at(const struct cover *cover)
{
    return cover->loaded->is_bundled ? cover->loaded->at : cover->log->machine.image_at;
}

void coverage_addresses(FILE *out, const struct cover *covers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct cover *cover = &covers[i];
        uint64_t shift = cover->loaded->at - module_at(cover);

        for (unsigned long long at = 0; at < cover->loaded->own->size; at++)
            if (cover->profile.ran[at])
                fprintf(out, "%s+%llx\n", module_of(cover), at + shift);
    }
}

/* Numbers the modules: 0 is the image, and the others follow. */
static size_t module_number(const struct cover *covers, size_t cover)
{
    size_t number = 0;

    for (size_t i = 0; i <= cover; i++)
        number += covers[i].loaded->is_bundled;
    return covers[cover].loaded->is_bundled ? number : 0;
}

static void put_module(FILE *out, size_t number, unsigned long long begin, uint64_t size,
                       const char *name)
{
    fprintf(out, "%zu, 0x%016llx, 0x%016llx, 0x%016x, 0x%08x, 0x%08x, %s\n", number, begin,
            begin + size, 0, 0, 0, name);
}

static void put_modules(FILE *out, const struct cover *covers, size_t count,
                        const struct log *log)
{
    size_t modules = 1;

    for (size_t i = 0; i < count; i++)
        modules += covers[i].loaded->is_bundled;
    fprintf(out,
            "DRCOV VERSION: 2\nDRCOV FLAVOR: drcov\n"
            "Module Table: version 2, count %zu\n"
            "Columns: id, base, end, entry, checksum, timestamp, path\n",
            modules);
    put_module(out, 0, log->machine.image_at, log->machine.image_size, IMAGE_NAME);
    for (size_t i = 0; i < count; i++)
        if (covers[i].loaded->is_bundled)
            put_module(out, module_number(covers, i), module_at(&covers[i]),
                       covers[i].loaded->own->size, module_of(&covers[i]));
}

static void put_le(FILE *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        putc((int)(value >> 8 * i & 0xff), out);
}

/* Blocks of DynamoRIO's bb_entry_t: 32 bits offset, 16 size, 16 module. */
void coverage_drcov(FILE *out, const struct cover *covers, size_t count,
                    const struct log *first)
{
    uint64_t blocks = 0;

    for (size_t i = 0; i < count; i++)
        blocks += covers[i].blocks_ran;
    put_modules(out, covers, count, first);
    fprintf(out, "BB Table: %llu bbs\n", (unsigned long long)blocks);
    for (size_t i = 0; i < count; i++) {
        const struct cover *cover = &covers[i];
        uint64_t shift = cover->loaded->at - module_at(cover);

        for (size_t b = 0; b < cover->block_count; b++) {
            if (!cover->blocks[b].ran)
                continue;
            put_le(out, shift + cover->blocks[b].begin, 4);
            put_le(out, cover->blocks[b].end - cover->blocks[b].begin, 2);
            put_le(out, module_number(covers, i), 2);
        }
    }
}
