/*
 * The lines `bundle`, `bytes` and `rejected`: workloads that were loaded from the stick.
 *
 * Their truth comes with the log, for this program has no other copy; it is what the
 * file says, and the kernel does no more than hand it on.
 */
#include "parse.h"

#include <stdlib.h>
#include <string.h>

#include "bundle.h"
#include "heap.h"

static struct brought *newest(const struct log *log)
{
    return log->brought_count ? log->brought[log->brought_count - 1] : NULL;
}

static struct brought *add(struct log *log, struct span file)
{
    struct brought *brought = calloc(1, sizeof(*brought));

    log->brought = more_room(log->brought, &log->brought_room, log->brought_count,
                             sizeof(struct brought *));
    if (!brought)
        abort();
    brought->file = file;
    brought->line = log->line;
    log->brought[log->brought_count++] = brought;
    return brought;
}

/* Whether the one before this line is whole. */
static bool whole(struct log *log)
{
    const struct brought *before = newest(log);

    return !before || before->size == before->room ||
           trouble(log, before->line, "bundle: bytes=%zu, but %zu follow it", before->room,
                   before->size);
}

bool parse_bundle(struct line *line)
{
    struct log *log = line->log;
    struct value v[2];
    struct brought *brought;

    if (!whole(log) || !line_fields(line, "file=q bytes=d", v))
        return false;
    if (v[1].number == 0 || v[1].number > BUNDLE_MAX)
        return trouble(log, log->line, "bundle: got bytes=%.*s, want 1 to %u",
                       SPAN(v[1].text), BUNDLE_MAX);
    brought = add(log, v[0].text);
    brought->room = v[1].number;
    brought->bytes = calloc(brought->room, 1);
    return brought->bytes || here(log, "bundle: no memory for it");
}

static bool open(struct log *log, struct brought *brought)
{
    const char *wrong = bundle_open(&brought->workload, brought->bytes, brought->size);
    struct workload w = brought->workload;
    struct span name;

    if (wrong)
        return trouble(log, brought->line, "bundle \"%.*s\": %s", SPAN(brought->file),
                       wrong);
    brought->workload.name = NULL; /* so that it does not find itself */
    name = (struct span){ w.name, strlen(w.name) };
    if (own_workload(name) || brought_workload(log, name))
        return trouble(log, brought->line,
                       "bundle \"%.*s\": there is a workload %s already",
                       SPAN(brought->file), w.name);
    brought->workload = w;
    return true;
}

bool parse_bytes(struct line *line)
{
    struct brought *brought = newest(line->log);

    if (!brought || brought->size == brought->room)
        return here(line->log, "bytes: no line bundle before it that lacks any");
    if (!line_base64(line, brought->line, brought->bytes, &brought->size, brought->room))
        return false;
    return brought->size < brought->room || open(line->log, brought);
}

bool parse_rejected(struct line *line)
{
    struct value v[2];

    if (!whole(line->log) || !line_fields(line, "file=q why=q", v))
        return false;
    add(line->log, v[0].text)->wrong = v[1].text;
    return true;
}

bool bundles_complete(struct log *log)
{
    return whole(log);
}

const struct workload *brought_workload(const struct log *log, struct span name)
{
    for (size_t i = 0; i < log->brought_count; i++)
        if (log->brought[i]->workload.name && span_is(name, log->brought[i]->workload.name))
            return &log->brought[i]->workload;
    return NULL;
}

void brought_free(struct log *log)
{
    for (size_t i = 0; i < log->brought_count; i++) {
        free(log->brought[i]->bytes);
        free(log->brought[i]);
    }
    free(log->brought);
}
