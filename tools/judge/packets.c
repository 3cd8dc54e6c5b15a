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
#include "unconfirmed.h"

/* SDM vol. 3C, "IA32_RTIT_STATUS MSR", in which TriggerEn and others may be set, too. */
#define STATUS_ERROR   (1u << 4)
#define STATUS_STOPPED (1u << 5)
#define REGION_UNIT    4096 /* the sizes of regions are multiples of it */

/* After the return, the window runs one conditional branch, which is not taken. */
#define WINDOW_NOT_TAKEN 1

char *packets_misfit(const struct run *run)
{
    return format_text("%s, after %" PRIu64 " records (lost)", run->lines->wrong,
                       run->lines->before_wrong);
}

/*
 * Error says that the processor met a table or a region that it cannot use ("Operational
 * Errors").  Stopped says that the region with STOP is full, and so are all regions before
 * it ("ToPA STOP"); a single range has no STOP.
 */
char *packets_status_wrong(const struct run *run)
{
    const uint64_t bytes = run->lines->size;

    if (run->lines->status & STATUS_ERROR)
        return format_text("IA32_RTIT_STATUS is 0x%" PRIx64 " after the packets: Error is "
                           "set, so the processor could not write them all",
                           run->lines->status);
    if (run->lines->status & STATUS_STOPPED &&
        (!run->cpu->id.pt_topa || bytes == 0 || bytes % REGION_UNIT))
        return format_text("IA32_RTIT_STATUS is 0x%" PRIx64 " after %" PRIu64 " bytes of "
                           "packets: Stopped is set, but no region can be full",
                           run->lines->status, bytes);
    return NULL;
}

bool packets_filled(const struct run *run)
{
    return run->lost && run->lines->status & STATUS_STOPPED;
}

/*
 * An overflow is no fault of silicon: in rare circumstances its buffers are full (SDM vol.
 * 3C, "Internal Buffer Overflow").  The emulator has none unless it is told to.  A PSB
 * comes because PacketByteCnt is 0, a field that CPUID announces ("PSB Packet").  On a
 * processor without that field one always comes, too, by "CPUID Leaf 14H Enumeration of
 * Intel Processor Trace Capabilities" in the edition where PT is chapter 36, of which only
 * an excerpt was read, and no recording confirms it: it stays unconfirmed.
 */
const char *packets_excuse(const struct run *run)
{
    if (!on_silicon(run->cpu))
        return NULL;
    switch (run->lines->misfit) {
    case MISFIT_OF_OVERFLOW:
        return "it is no failure, since the processor's own buffers may overflow";
    case MISFIT_OF_BOUNDARY:
        if (run->cpu->id.pt_psb)
            return NULL;
        return "no failure is certain, since no recording shows that a PSB always comes "
               "without PacketByteCnt";
    default:
        return NULL;
    }
}

/*
 * True if this is the WRMSR of the window that turns tracing off: FUP has its address,
 * then comes TIP.PGD (SDM vol. 3C, "Packet Generation under Different Enable Conditions";
 * so do all ten ends in google/perf_data_converter, perf.data.intel_pt-4.14).
 */
static bool turns_off(const struct machine *machine, uint64_t at)
{
    const uint64_t offset = at - machine->window_at;

    return at >= machine->back && offset + 1 < machine->window_size &&
           machine->window[offset] == 0x0f && machine->window[offset + 1] == 0x30;
}

char *packets_wrong(const struct log *log, const struct run *run)
{
    const struct retired retired = retired_of(log, run);
    const bool kernel = record_filter_shows(run->filter, 0);
    const uint64_t want = retired.not_taken - retired.filtered;
    const uint64_t of_window = kernel ? WINDOW_NOT_TAKEN : 0;
    struct pt_packets got;

    if (!retired.known || run->lost)
        return NULL;
    got = pt_count(run->lines->bytes, run->lines->size);
    if (got.not_taken != want + of_window)
        return format_text("%" PRIu64 " bits say that a conditional branch was not taken, "
                           "want %" PRIu64 " of the workload and %" PRIu64 " of the window",
                           got.not_taken, want, of_window);
    if (kernel && !turns_off(&log->machine, run->lines->end))
        return format_text("no FUP and TIP.PGD say that the packets end where the window "
                           "turns tracing off");
    return NULL;
}
