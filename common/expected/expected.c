/*
 * The expected trace, row by row: groups of rows that repeat, or all of it packed.
 */
#include "expected.h"

#include "portable.h"

static void expected_rewind(struct source *source)
{
    struct expected *expected = (struct expected *)source;

    expected->row = expected->done = expected->depth = 0;
    expected->given = 0;
    expected->mark.kind = KIND_NONE;
    if (expected->workload->packed)
        unpack_begin(expected->unpack, expected->workload->packed,
                     (size_t)expected->workload->packed_size);
}

/* The next transfer of a packed expected trace. */
static bool unpacked_next(struct expected *expected, struct transfer *out)
{
    const struct log_map map = { .workload = expected->workload,
                                 .workload_at = expected->at,
                                 .call = expected->call,
                                 .back = expected->back };
    struct branch packed, branch;

    if (expected->given == expected->workload->transfers)
        return false;
    if (!unpack_next(expected->unpack, &packed))
        return false;
    expected->given++;
    portable_to(&map, &packed, &branch);
    *out = (struct transfer){ branch.from, branch.to, (enum kind)branch.info };
    return true;
}

/* Passes the marks of groups; false at the end of the rows. */
static bool to_next_row(struct expected *expected)
{
    for (; expected->row < expected->workload->rows; expected->row++) {
        const struct taken *row = &expected->workload->expect[expected->row];

        if (row->kind == ROW_REPEAT && expected->depth < ROW_DEPTH_MAX) {
            expected->group[expected->depth].row = expected->row;
            expected->group[expected->depth++].left = row->times;
        } else if (row->kind == ROW_END && expected->depth > 0) {
            if (expected->group[expected->depth - 1].left-- > 1)
                expected->row = expected->group[expected->depth - 1].row;
            else
                expected->depth--;
        } else if (row->kind < KIND_COUNT && expected->done < row->times) {
            return true;
        } else {
            expected->done = 0;
        }
    }
    return false;
}

static bool next_in_rows(struct expected *expected, struct transfer *out)
{
    const struct taken *row;

    if (!to_next_row(expected))
        return false;
    row = &expected->workload->expect[expected->row];
    expected->done++;
    out->from = row->from == CALLER ? expected->call : expected->at + (uint64_t)row->from;
    out->to = row->to == CALLER ? expected->back : expected->at + (uint64_t)row->to;
    out->kind = (enum kind)row->kind;
    return true;
}

/*
 * Where TF counts as it was before the instruction, SYSCALL and SYSRET are like POPF: there
 * is a stop after the one that clears TF, and none after the one that sets it.  So the mark
 * of POPF follows their transfer, instead of their own mark before it.
 */
static bool next_with_tf_before(struct expected *expected, struct transfer *out)
{
    enum kind kind;

    if (expected->mark.kind != KIND_NONE) {
        *out = expected->mark;
        expected->mark.kind = KIND_NONE;
        return true;
    }
    if (!next_in_rows(expected, out))
        return false;
    if (out->kind != KIND_TF_MASKED && out->kind != KIND_TF_LOADED)
        return true;
    kind = out->kind == KIND_TF_MASKED ? KIND_TF_CLEARED : KIND_TF_SET;
    expected->mark = (struct transfer){ out->from, out->to, kind };
    return next_in_rows(expected, out);
}

static bool expected_next(struct source *source, struct transfer *out)
{
    struct expected *expected = (struct expected *)source;

    if (expected->workload->packed)
        return unpacked_next(expected, out);
    return expected->tf_before ? next_with_tf_before(expected, out)
                               : next_in_rows(expected, out);
}

void expected_of(struct expected *expected, const struct workload *workload, uint64_t at,
                 uint64_t call, uint64_t back, struct pack *unpack)
{
    *expected = (struct expected){
        .source = { expected_next, expected_rewind },
        .workload = workload,
        .at = at,
        .call = call,
        .back = back,
        .unpack = unpack,
    };
    expected_rewind(&expected->source);
}
