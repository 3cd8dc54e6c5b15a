/*
 * The truth, row by row: groups of rows that repeat, or all of it packed.
 */
#include "truth.h"

#include "portable.h"

static void truth_rewind(struct source *source)
{
    struct truth *truth = (struct truth *)source;

    truth->row = truth->done = truth->depth = 0;
    truth->given = 0;
    if (truth->workload->packed)
        unpack_begin(truth->unpack, truth->workload->packed,
                     (size_t)truth->workload->packed_size);
}

/* The next transfer of a packed truth. */
static bool unpacked_next(struct truth *truth, struct transfer *out)
{
    const struct log_map map = { .workload = truth->workload,
                                 .workload_at = truth->at,
                                 .call = truth->call,
                                 .back = truth->back };
    struct branch packed, branch;

    if (truth->given == truth->workload->transfers)
        return false;
    if (!unpack_next(truth->unpack, &packed))
        return false;
    truth->given++;
    portable_to(&map, &packed, &branch);
    *out = (struct transfer){ branch.from, branch.to, (enum kind)branch.info };
    return true;
}

/* Passes the marks of groups; false at the end of the rows. */
static bool to_next_row(struct truth *truth)
{
    for (; truth->row < truth->workload->rows; truth->row++) {
        const struct taken *row = &truth->workload->expect[truth->row];

        if (row->kind == ROW_REPEAT && truth->depth < ROW_DEPTH_MAX) {
            truth->group[truth->depth].row = truth->row;
            truth->group[truth->depth++].left = row->times;
        } else if (row->kind == ROW_END && truth->depth > 0) {
            if (truth->group[truth->depth - 1].left-- > 1)
                truth->row = truth->group[truth->depth - 1].row;
            else
                truth->depth--;
        } else if (row->kind < KIND_COUNT && truth->done < row->times) {
            return true;
        } else {
            truth->done = 0;
        }
    }
    return false;
}

static bool truth_next(struct source *source, struct transfer *out)
{
    struct truth *truth = (struct truth *)source;
    const struct taken *row;

    if (truth->workload->packed)
        return unpacked_next(truth, out);
    if (!to_next_row(truth))
        return false;
    row = &truth->workload->expect[truth->row];
    truth->done++;
    out->from = row->from == CALLER ? truth->call : truth->at + (uint64_t)row->from;
    out->to = row->to == CALLER ? truth->back : truth->at + (uint64_t)row->to;
    out->kind = (enum kind)row->kind;
    return true;
}

void truth_of(struct truth *truth, const struct workload *workload, uint64_t at,
              uint64_t call, uint64_t back, struct pack *unpack)
{
    *truth = (struct truth){
        .source = { truth_next, truth_rewind },
        .workload = workload,
        .at = at,
        .call = call,
        .back = back,
        .unpack = unpack,
    };
    truth_rewind(&truth->source);
}
