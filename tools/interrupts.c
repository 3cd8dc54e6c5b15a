/*
 * The interrupts that emptied a buffer of branch records, held against the records.
 *
 * Each comes at the threshold, of which one record was the IRETQ of the one before, and
 * leaves two records of its own.  So their number is known but for how late each came,
 * and between two of them no more can have been stored than the buffer holds.
 */
#include "tools.h"

/* The last one may have come when recording was off already, and then left nothing. */
static bool left_their_own(const struct run *run)
{
    const struct drained *drained = &run->drained;

    return drained->entries == drained->returns && drained->entries <= run->events &&
           run->events - drained->entries <= 1;
}

/* Records behind the threshold are records, and of some interrupt. */
static bool too_late(const struct run *run)
{
    const struct drained *drained = &run->drained;

    return drained->skid > run->records || drained->most > drained->skid ||
           (drained->skid > 0 &&
            (drained->most == 0 || (drained->skid - 1) / drained->most >= run->events));
}

/* So many interrupts the records make; of each threshold one record is an IRETQ. */
static uint64_t asked_for(const struct run *run)
{
    uint64_t each = run->drained.threshold > 1 ? run->drained.threshold - 1 : 1;

    return (run->records - run->drained.skid) / each;
}

/* More than the buffer can have held: the log is not of a run. */
static bool too_many(const struct run *run)
{
    const struct drained *drained = &run->drained;

    return run->records + drained->entries + drained->returns >
           (run->events + 1) * drained->buffer;
}

char *interrupts_wrong(const struct log *log, const struct run *run)
{
    const struct drained *drained = &run->drained;

    if (!left_their_own(run))
        return format_text("%llu entries and %llu returns of %llu interrupts were found "
                           "among the records, want one each (%s)",
                           (unsigned long long)drained->entries,
                           (unsigned long long)drained->returns,
                           (unsigned long long)run->events,
                           drained->entries > run->events ? "doubled" : "lost");
    if (too_late(run))
        return format_text(
            "skid=%llu most=%llu of %llu interrupts and %llu records cannot be",
            (unsigned long long)drained->skid, (unsigned long long)drained->most,
            (unsigned long long)run->events, (unsigned long long)run->records);
    if (run->events != asked_for(run))
        return format_text(
            "%llu interrupts, but records for %llu at a threshold of %llu: "
            "some %s",
            (unsigned long long)run->events, (unsigned long long)asked_for(run),
            (unsigned long long)drained->threshold,
            run->events > asked_for(run) ? "came before it" : "did not come");
    if (too_many(run))
        return format_text("%llu records, but %llu interrupts emptied a buffer of %llu",
                           (unsigned long long)run->records,
                           (unsigned long long)run->events,
                           (unsigned long long)drained->buffer);
    if (drained->unmasked > 0)
        return format_text("%llu of %llu interrupts did not mask their entry of the local "
                           "vector table, as the manual says that they do",
                           (unsigned long long)drained->unmasked,
                           (unsigned long long)run->events);
    if (drained->nmi && drained->skid > 0 && !on_silicon(log))
        return format_text("%llu interrupts came %llu records late in all, and one %llu: "
                           "on the emulator NMI is never late",
                           (unsigned long long)run->events,
                           (unsigned long long)drained->skid,
                           (unsigned long long)drained->most);
    return NULL;
}
