/*
 * workloads.h.  A bundle's rows and names stay where they were copied to; its code is
 * copied once more, onto pages that nothing else is on: no page is both writable and
 * executable once the own tables are in force.
 */
#include "workloads.h"

#include <stdbool.h>

#include "bundle.h"
#include "text.h"

_Static_assert(BUNDLE_BYTES_MAX == BUNDLE_MAX, "boot/ reads what bundle_open takes");

#define CODE_ALIGN 64 /* as in the image */

static struct workload loaded[BUNDLE_FILES_MAX];
static struct loading loadings[BUNDLE_FILES_MAX + 1];
static size_t loaded_count, file_count;
static uint64_t code_begin, code_end;

const struct workload *workloads_next(const struct workload *before)
{
    const struct workload *next = before ? before + 1 : __start_workloads;
    if (next == __stop_workloads)
        next = loaded;
    return next == loaded + loaded_count ? NULL : next;
}

size_t workloads_count(void)
{
    return (size_t)(__stop_workloads - __start_workloads) + loaded_count;
}

bool workloads_has(const char *name)
{
    for (const struct workload *w = workloads_next(NULL); w; w = workloads_next(w))
        if (text_same(w->name, name))
            return true;
    return false;
}

static const char *open(const struct bundle_file *file, const uint8_t *copy)
{
    struct workload *w = &loaded[loaded_count];
    const char *wrong = file->wrong ? file->wrong : bundle_open(w, copy, file->size);
    if (!wrong && workloads_has(w->name))
        wrong = "there is a workload of that name already";
    loaded_count += !wrong;
    return wrong;
}

static uint64_t code_bytes(const struct workload *w)
{
    return (w->size + CODE_ALIGN - 1) & ~(uint64_t)(CODE_ALIGN - 1);
}

static void place_code(uint64_t at)
{
    for (size_t i = 0; i < loaded_count; i++) {
        struct workload *w = &loaded[i];
        __builtin_memcpy((void *)at, w->code, w->size);
        w->code = (const uint8_t *)at;
        at += code_bytes(w);
    }
}

/* One line stands for all that found no room. */
static void leave_out(size_t count)
{
    static char name[64];
    struct text text = text_into(name, sizeof name);
    text_decimal(&text, count);
    text_string(&text, " more");
    loadings[file_count++] = (struct loading){ name, NULL, 0, "only 32 files are loaded" };
}

void workloads_load(struct memory *memory, const struct bundle_file *files, size_t count,
                    size_t left_out)
{
    uint64_t capacity = 0;
    file_count = count;
    if (!count)
        return;
    for (size_t i = 0; i < count; i++)
        capacity += files[i].size + CODE_ALIGN; /* a file is longer than its code */
    code_begin = (uint64_t)memory_take(memory, capacity);
    code_end = memory->base + memory->used;
    for (size_t i = 0; i < count; i++) {
        uint8_t *copy = memory_take(memory, files[i].size);
        if (files[i].size) /* else there are no bytes either */
            __builtin_memcpy(copy, files[i].bytes, files[i].size);
        loadings[i] =
            (struct loading){ files[i].name, copy, files[i].size, open(&files[i], copy) };
    }
    place_code(code_begin);
    if (left_out)
        leave_out(left_out);
}

uint64_t workloads_code(uint64_t *end)
{
    *end = code_end;
    return code_begin;
}

const struct loading *workloads_loading(size_t n)
{
    return n < file_count ? &loadings[n] : NULL;
}
