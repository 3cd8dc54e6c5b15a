/*
 * Stacks, pieces of streams and single edges, judged as they come.
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

void audit_edge(struct audit *audit, const struct traced_branch *branch)
{
    struct judged judged;

    audit->edges++;
    judge_branch(audit, 0, branch, &judged);
    count_branch(audit, &judged, 0);
}

void audit_straight(struct audit *audit, uint64_t first, uint64_t from, uint64_t times)
{
    struct traced_branch branches[] = { { .to = from, .times = times },
                                        { .to = first, .times = times } };
    struct judged older = { .branch = &branches[1],
                            .to = maps_place(&audit->maps, 0, first) };
    struct judged newer = { .branch = &branches[0],
                            .from = maps_place(&audit->maps, 0, from) };
    enum gap gap;

    audit->edges++;
    branches[0].from = from;
    if (!place_is_code(&audit->images, older.to) ||
        !place_is_code(&audit->images, newer.from))
        return;
    gap = straight_between(audit, older.to, newer.from);
    if (gap != GAP_NONE && gap != GAP_UNRECORDED)
        return;
    audit->checked[RULE_STRAIGHT] += times;
    if (gap == GAP_NONE)
        return;
    audit->broken_pairs += times;
    found_pair(audit,
               may_be_copy(audit, older.to, newer.from) ? FOUND_DOUBLED_ADDED : FOUND_LOST,
               &older, &newer, 0);
}
