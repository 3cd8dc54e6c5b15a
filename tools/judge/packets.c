/*
 * Checks what the packets of Processor Trace show besides records.
 *
 * A conditional branch that is not taken is no record, but a bit of a TNT packet.  The
 * bits that the stream has are counted from the packets alone, and those that it must have
 * from the expected trace; the walk of the packets is not used for either.
 */
#include "packets.h"

#include <inttypes.h>

#include "heap.h"
#include "pt_stream.h"
#include "retired.h"

/* After the return, the window runs one conditional branch, which is not taken. */
#define WINDOW_NOT_TAKEN 1

char *packets_misfit(const struct run *run)
{
    return format_text("%s, after %" PRIu64 " records (lost)", run->lines->wrong,
                       run->records);
}

char *packets_wrong(const struct log *log, const struct run *run)
{
    const struct retired want = retired_of(log, run);
    struct pt_packets got;

    if (!want.known)
        return NULL;
    got = pt_count(run->lines->bytes, run->lines->size);
    if (got.not_taken == want.not_taken + WINDOW_NOT_TAKEN)
        return NULL;
    return format_text("%" PRIu64 " bits say that a conditional branch was not taken, want "
                       "%" PRIu64 " of the workload and %d of the window",
                       got.not_taken, want.not_taken, WINDOW_NOT_TAKEN);
}
