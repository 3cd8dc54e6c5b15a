/*
 * The records of a run, taken out of their folds one at a time: a line may stand for
 * thousands of millions of records.
 */
#include "unfold.h"

#include "parse.h"
#include "portable.h"
#include "processors.h"
#include "recent.h"

/* The next line of packed bytes. */
static size_t more_bytes(struct pack_bytes *source, const uint8_t **bytes)
{
    struct unfold *unfold =
        (struct unfold *)((char *)source - offsetof(struct unfold, source));

    *bytes = unfold->bytes;
    return items_bytes(&unfold->items, unfold->bytes);
}

static void begin_packed(struct unfold *unfold)
{
    struct recent *recent = unfold->log->recent;

    unfold->again = recent_has(recent, unfold->run);
    unfold->turn = unfold->again ? recent->turn : recent_begin(recent, unfold->run);
    if (!unfold->again)
        unpack_begin_from(&unfold->pack, &unfold->source);
}

static bool next_item(struct unfold *unfold)
{
    if (!items_next(&unfold->items, &unfold->item))
        return false;
    unfold->left = item_records(&unfold->item);
    if (unfold->item.packed)
        begin_packed(unfold);
    return true;
}

/* Whether the method can have made such a record. */
static bool is_plausible(const struct method_facts *method, const struct branch *record)
{
    if (!method->stops)
        return record->info == 0;
    return record->from == BRANCH_UNKNOWN &&
           record->info <= (method->sampled ? LATE_MAX : STOP_NOT_TAKEN);
}

/* A record that did not come before, or of which nobody knows whether it did. */
static bool take_new(struct unfold *unfold, const struct branch *packed, uint32_t number,
                     struct branch *out)
{
    if (!is_plausible(unfold->run->method, packed))
        return false;
    portable_to(&unfold->map, packed, out);
    recent_add(unfold->log->recent, unfold->turn, number, out);
    return true;
}

static bool unpacked(struct unfold *unfold, struct branch *out)
{
    struct recent *recent = unfold->log->recent;
    const struct branch *known;
    struct branch packed;
    uint32_t number;

    if (unfold->broken || !unpack_next(&unfold->pack, &packed)) {
        unfold->broken = true;
        return false;
    }
    number = pack_number(&unfold->pack);
    known = recent_known(recent, unfold->turn, number);
    if (known) {
        *out = *known;
        recent_add(recent, unfold->turn, number, known);
    } else if (!take_new(unfold, &packed, number, out)) {
        unfold->broken = true;
        return false;
    }
    if (--unfold->left == 0) {
        unfold->broken = !unpack_ended(&unfold->pack);
        if (!unfold->broken)
            recent_end(recent, unfold->turn);
    }
    return true;
}

/* Another run was kept since: those that were given are unpacked once more. */
static void unpack_from_here(struct unfold *unfold)
{
    uint64_t left = unfold->left;
    struct branch given;

    unfold->again = false;
    unfold->left = unfold->item.times;
    unpack_begin_from(&unfold->pack, &unfold->source);
    while (unfold->left > left && unpacked(unfold, &given))
        ;
}

static bool next_packed(struct unfold *unfold, struct branch *out)
{
    const struct recent *recent = unfold->log->recent;

    if (unfold->again && recent->turn != unfold->turn)
        unpack_from_here(unfold);
    if (!unfold->again)
        return unpacked(unfold, out);
    *out = recent->by_number[recent->numbers[unfold->item.times - unfold->left--]];
    return true;
}

static bool unfold_next(struct records *records, struct branch *out)
{
    struct unfold *unfold = (struct unfold *)records;
    const struct item *item = &unfold->item;

    if (unfold->left == 0 && !next_item(unfold))
        return false;
    if (item->packed) /* a packed run has no other records, so none of these comes again */
        return next_packed(unfold, out);
    unfold->left--;
    *out = item->again ? unfold->past[(unfold->total - item->again) % FOLD_REACH]
                       : item->branch;
    unfold->past[unfold->total++ % FOLD_REACH] = *out;
    return true;
}

static void unfold_rewind(struct records *records)
{
    struct unfold *unfold = (struct unfold *)records;

    items_of(&unfold->items, unfold->log, unfold->run);
    unfold->left = unfold->total = 0;
    unfold->broken = false;
}

void unfold_of(struct unfold *unfold, const struct log *log, const struct run *run)
{
    unfold->records = (struct records){ unfold_next, unfold_rewind };
    unfold->log = log;
    unfold->run = run;
    unfold->map = map_of(log, run->workload);
    unfold->source.more = more_bytes;
    unfold->item = (struct item){ .line = run->line };
    unfold_rewind(&unfold->records);
}

size_t line_of_record(const struct log *log, const struct run *run, uint64_t index)
{
    static struct unfold unfold;
    struct branch ignored;

    unfold_of(&unfold, log, run);
    for (uint64_t i = 0; i <= index; i++)
        unfold.records.next(&unfold.records, &ignored);
    return unfold.item.line;
}

bool unfold_whole(const struct unfold *unfold)
{
    return !unfold->broken && unfold->left == 0 &&
           unfold->items.given == unfold->run->item_count;
}

uint64_t unfold_pass(struct unfold *unfold, uint64_t behind)
{
    const struct item *item = &unfold->item;
    uint64_t body = item->again ? item->again : 1;
    uint64_t passed = unfold->left - unfold->left % body;

    if (unfold->left == 0 || item->packed || item_records(item) - unfold->left < behind)
        return 0;
    unfold->left -= passed; /* unfold->past is the same behind whole bodies */
    return passed;
}

bool unfold_holds(const struct unfold *unfold)
{
    struct log *log = (struct log *)unfold->log; /* says so, and is otherwise as it was */
    uint64_t given = unfold->item.times - unfold->left;

    if (!unfold->run->packed || unfold_whole(unfold))
        return true;
    if (unfold->left == 0)
        return log_error(log, unfold->run->items_line,
                         "packed: there are bytes left behind record %llu, the last one",
                         (unsigned long long)given);
    return log_error(log, unfold->run->items_line,
                     "packed: record %llu cannot be unpacked to a record of %s",
                     (unsigned long long)given + 1, unfold->run->method->name);
}

bool records_hold(const struct log *log, const struct run *run)
{
    static struct unfold unfold;
    struct branch record;

    if (!run->packed || run->whole)
        return true;
    unfold_of(&unfold, log, run);
    while (unfold.records.next(&unfold.records, &record))
        ;
    return unfold_holds(&unfold);
}

struct source *got_of(struct got *got, const struct log *log, const struct run *run)
{
    const struct loaded *loaded = run->workload;
    const struct log of = log_of_processor(log, run->processor);

    unfold_of(&got->unfold, log, run);
    recorded_from(&got->recorded, &got->unfold.records, run->method, loaded->own,
                  loaded->at, log->call);
    if (of.cpu.row && model_lbr_offsets(of.cpu.row, &of.cpu.id) &&
        method_shows_lbr(run->method))
        recorded_as_offsets(&got->recorded);
    if (of.cpu.row && of.cpu.row->lbr.fuses && method_fuses(run->method))
        recorded_as_fused(&got->recorded);
    return &got->recorded.source;
}
