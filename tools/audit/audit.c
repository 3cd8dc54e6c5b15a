/*
 * Stacks and pieces of streams, judged as they come.
 */
#include "audit.h"

#include <stdlib.h>
#include <string.h>

void audit_begin(struct audit *audit, const char *file)
{
    memset(audit, 0, sizeof(*audit));
    audit->file = file;
    audit->maps.images = &audit->images;
    audit->maps.changes = 1;
}

void audit_free(struct audit *audit)
{
    for (size_t i = 0; i < FLAWS; i++)
        for (size_t n = 0; n < EXAMPLES; n++)
            free(audit->found[i].examples[n]);
    audit_edges_free(&audit->edges_kept);
    free(audit->cpuid);
    images_free(&audit->images);
}

/* Judges all branches; the first `fresh` of them were not counted before. */
static void judge_all(struct audit *audit, uint32_t pid,
                      const struct traced_branch *branches, size_t count, size_t fresh)
{
    for (size_t i = 0; i < count; i++) {
        judge_branch(audit, pid, &branches[i], &audit->judged[i]);
        if (i < fresh)
            count_branch(audit, &audit->judged[i], i);
    }
    judge_neighbours(audit, count);
}

void audit_stack(struct audit *audit, uint32_t pid, const struct traced_branch *branches,
                 size_t count)
{
    audit->oldest_first = false;
    audit->stacks++;
    if (count > audit->deepest)
        audit->deepest = count;
    judge_all(audit, pid, branches, count, count);
}

void audit_gap(struct audit *audit)
{
    size_t count = audit->stream.count, known = audit->stream.overlap;

    audit->oldest_first = true;
    if (count > known)
        judge_all(audit, audit->stream.pid, audit->stream.at + PIECE - count, count,
                  count - known);
    audit->stream.count = audit->stream.overlap = 0;
}

/* A piece begins with the last branch of the piece before. */
void audit_next(struct audit *audit, uint32_t pid, const struct traced_branch *branch)
{
    if (pid != audit->stream.pid)
        audit_gap(audit);
    audit->stream.pid = pid;
    if (audit->stream.count == PIECE) {
        audit_gap(audit);
        audit->stream.at[PIECE - 1] = audit->stream.at[0];
        audit->stream.count = audit->stream.overlap = 1;
    }
    audit->stream.at[PIECE - ++audit->stream.count] = *branch;
}
