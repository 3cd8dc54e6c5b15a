/*
 * The records of a run, taken out of their folds one at a time: a line may stand for
 * thousands of millions of records.
 */
#include "portable.h"
#include "tools.h"

static bool unpacked(struct unfold *unfold, const struct item *item, struct branch *out)
{
    struct branch packed;

    if (unfold->given == 0)
        unpack_begin(&unfold->pack, item->packed, item->packed_size);
    if (!unpack_next(&unfold->pack, &packed))
        return false;
    portable_to(&unfold->map, &packed, out);
    return true;
}

static bool unfold_next(struct records *records, struct branch *out)
{
    struct unfold *unfold = (struct unfold *)records;
    const struct item *item;
    uint64_t stands_for;

    if (unfold->item >= unfold->run->item_count)
        return false;
    item = &unfold->run->items[unfold->item];
    stands_for = item->again ? item->again * item->times : item->times;
    if (unfold->given == stands_for) {
        if (unfold->item + 1 == unfold->run->item_count)
            return false;
        unfold->item++;
        unfold->given = 0;
        item++;
    }
    if (item->packed && !unpacked(unfold, item, out))
        return false;
    if (!item->packed)
        *out = item->again ? unfold->past[(unfold->total - item->again) % FOLD_REACH]
                           : item->branch;
    unfold->past[unfold->total++ % FOLD_REACH] = *out;
    unfold->given++;
    return true;
}

static void unfold_rewind(struct records *records)
{
    struct unfold *unfold = (struct unfold *)records;

    unfold->item = 0;
    unfold->given = unfold->total = 0;
}

void unfold_of(struct unfold *unfold, const struct log *log, const struct run *run)
{
    unfold->map = map_of(log, run->workload);
    unfold->records = (struct records){ unfold_next, unfold_rewind };
    unfold->run = run;
    unfold_rewind(&unfold->records);
}

struct source *got_of(struct got *got, const struct log *log, const struct run *run)
{
    const struct placed *placed = run->workload;

    unfold_of(&got->unfold, log, run);
    recorded_from(&got->recorded, &got->unfold.records, run->method, placed->own->code,
                  placed->own->size, placed->at, log->call);
    return &got->recorded.source;
}
