/* packed.h.  Runs stand workload by workload, so one workload's are kept at a time. */
#include "packed.h"

#include <stdbool.h>

#define RUNS_MAX 8 /* that differ; further ones are written out each time */

static struct {
    uint8_t *at;
    size_t capacity, used;
    const struct workload *of;
    size_t count;
    struct {
        size_t number, records, begin, size;
    } runs[RUNS_MAX];
} kept;

void packed_init(uint8_t *at, size_t capacity)
{
    kept.at = at;
    kept.capacity = capacity;
    kept.of = NULL;
}

static bool same(const uint8_t *a, const uint8_t *b, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static void keep(size_t number, size_t records, const uint8_t *bytes, size_t size)
{
    if (kept.count == RUNS_MAX || size > kept.capacity - kept.used)
        return;
    kept.runs[kept.count].number = number;
    kept.runs[kept.count].records = records;
    kept.runs[kept.count].begin = kept.used;
    kept.runs[kept.count++].size = size;
    for (size_t i = 0; i < size; i++)
        kept.at[kept.used++] = bytes[i];
}

/* The last records may have cost no byte, so the bytes alone do not tell how many. */
size_t packed_earlier(const struct workload *workload, size_t number, size_t records,
                      const uint8_t *bytes, size_t size)
{
    if (kept.of != workload) {
        kept.of = workload;
        kept.count = kept.used = 0;
    }
    for (size_t i = 0; i < kept.count; i++)
        if (kept.runs[i].records == records && kept.runs[i].size == size &&
            same(kept.at + kept.runs[i].begin, bytes, size))
            return kept.runs[i].number;
    keep(number, records, bytes, size);
    return 0;
}
