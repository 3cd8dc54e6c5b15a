/*
 * The records of a run, taken out of their folds one at a time: a line may stand for
 * thousands of millions of records.
 */
#include "tools.h"

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

void unfold_of(struct unfold *unfold, const struct run *run)
{
    unfold->records = (struct records){ unfold_next, unfold_rewind };
    unfold->run = run;
    unfold_rewind(&unfold->records);
}

struct source *got_of(struct got *got, const struct log *log, const struct run *run)
{
    const struct placed *placed = run->workload;

    unfold_of(&got->unfold, run);
    recorded_from(&got->recorded, &got->unfold.records, run->method, placed->own->code,
                  placed->own->size, placed->at, log->call);
    return &got->recorded.source;
}
