/*
 * The lines `bundle`, `bytes` and `rejected`: workloads that were loaded from the stick.
 *
 * Their expected trace comes with the log, for this program has no other copy; it is what
 * the file says, and the kernel does no more than hand it on.
 */
#include "parse.h"

#include <stdlib.h>
#include <string.h>

#include "bundle.h"
#include "heap.h"

static struct bundled *newest(const struct log *log)
{
    return log->bundled_count ? log->bundled[log->bundled_count - 1] : NULL;
}

static struct bundled *add(struct log *log, struct span file)
{
    struct bundled *bundled = arena_keep(&log->memory, zeroed(1, sizeof(*bundled)));

    log->bundled = arena_grow(&log->memory, log->bundled, &log->bundled_capacity,
                              log->bundled_count, sizeof(struct bundled *));
    bundled->file = file;
    bundled->line = log->line;
    log->bundled[log->bundled_count++] = bundled;
    return bundled;
}

/* True if the one before this line is whole. */
static bool whole(struct log *log)
{
    const struct bundled *before = newest(log);

    return !before || before->size == before->capacity ||
           log_error(log, before->line, "bundle: bytes=%zu, but %zu follow it",
                     before->capacity, before->size);
}

bool parse_bundle(struct line *line)
{
    struct log *log = line->log;
    const uint64_t size = line->says.bundle.bytes;
    struct bundled *bundled;

    if (!whole(log))
        return false;
    if (size == 0 || size > BUNDLE_MAX)
        return log_error(log, log->line, "bundle: got bytes=%llu, want 1 to %u",
                         (unsigned long long)size, BUNDLE_MAX);
    bundled = add(log, line->says.bundle.file);
    bundled->capacity = size;
    bundled->bytes = arena_keep(&log->memory, zeroed(bundled->capacity, 1));
    return true;
}

static bool open(struct log *log, struct bundled *bundled)
{
    const char *wrong = bundle_open(&bundled->workload, bundled->bytes, bundled->size);
    struct workload w = bundled->workload;
    struct span name;

    if (wrong)
        return log_error(log, bundled->line, "bundle \"%.*s\": %s", SPAN(bundled->file),
                         wrong);
    bundled->workload.name = NULL; /* so that it does not find itself */
    name = (struct span){ w.name, strlen(w.name) };
    if (own_workload(name) || bundled_workload(log, name))
        return log_error(log, bundled->line,
                         "bundle \"%.*s\": there is a workload %s already",
                         SPAN(bundled->file), w.name);
    bundled->workload = w;
    return true;
}

bool parse_bytes(struct line *line)
{
    struct bundled *bundled = newest(line->log);

    if (!bundled || bundled->size == bundled->capacity)
        return here(line->log, "bytes: no line bundle before it that lacks any");
    if (!line_base64(line, bundled->line, bundled->bytes, &bundled->size,
                     bundled->capacity))
        return false;
    return bundled->size < bundled->capacity || open(line->log, bundled);
}

bool parse_rejected(struct line *line)
{
    if (!whole(line->log))
        return false;
    add(line->log, line->says.rejected.file)->wrong = line->says.rejected.why;
    return true;
}

bool bundles_complete(struct log *log)
{
    return whole(log);
}

const struct workload *bundled_workload(const struct log *log, struct span name)
{
    for (size_t i = 0; i < log->bundled_count; i++)
        if (log->bundled[i]->workload.name && span_is(name, log->bundled[i]->workload.name))
            return &log->bundled[i]->workload;
    return NULL;
}
