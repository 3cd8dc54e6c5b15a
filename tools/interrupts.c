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

    return drained->entries == drained->returns &&
           (drained->entries == run->events || drained->entries + 1 == run->events);
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
    uint64_t each = drained->threshold - 1; /* the first one is an IRETQ */
    uint64_t asked = run->events * each + drained->skid;

    if (!left_their_own(run))
        return format_text("%llu entries and %llu returns of %llu interrupts were found "
                           "among the records, want one each (%s)",
                           (unsigned long long)drained->entries,
                           (unsigned long long)drained->returns,
                           (unsigned long long)run->events,
                           drained->entries > run->events ? "doubled" : "lost");
    if (too_many(run))
        return format_text("%llu records, but %llu interrupts emptied a buffer of %llu",
                           (unsigned long long)run->records,
                           (unsigned long long)run->events,
                           (unsigned long long)drained->buffer);
    if (run->records < asked)
        return format_text("%llu interrupts, but records for %llu at a threshold of %llu: "
                           "some came before it",
                           (unsigned long long)run->events,
                           (unsigned long long)(run->records - drained->skid) / each,
                           (unsigned long long)drained->threshold);
    if (run->records - asked >= each)
        return format_text("%llu interrupts, but records for %llu at a threshold of %llu: "
                           "some did not come",
                           (unsigned long long)run->events,
                           (unsigned long long)(run->records - drained->skid) / each,
                           (unsigned long long)drained->threshold);
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
