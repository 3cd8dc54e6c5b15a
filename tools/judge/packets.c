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
#include "judge_parts.h"
#include "pt_stream.h"
#include "retired.h"

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
bool judge_status(struct run *run)
{
    const uint64_t status = run->lines->status, bytes = run->lines->size;
    char *why = NULL;

    if (status & STATUS_ERROR)
        why = format_text("IA32_RTIT_STATUS is 0x%" PRIx64 " after the packets: Error is "
                          "set, so the processor could not write them all",
                          status);
    else if (status & STATUS_STOPPED &&
             (!run->cpu->id.pt_topa || bytes == 0 || bytes % REGION_UNIT))
        why = format_text("IA32_RTIT_STATUS is 0x%" PRIx64 " after %" PRIu64 " bytes of "
                          "packets: Stopped is set, but no region can be full",
                          status, bytes);
    return run_broke(run, status & STATUS_ERROR ? "pt-error" : "pt-stopped",
                     run->lines->line, why);
}

bool packets_filled(const struct run *run)
{
    return run->ran.lost && run->lines->status & STATUS_STOPPED;
}

/* A full buffer, whose size the user chooses, is no fault of the processor. */
bool judge_filled(const struct log *log, struct run *run)
{
    if (!packets_filled(run))
        return false;
    if (begins_as_expected(log, run, run->branches))
        run_found(run, ALLOWED, "pt-stopped", run->lines->line,
                  format_text("the buffer was full after %" PRIu64 " records, which are "
                              "right: buffer= makes it larger",
                              run->branches));
    else
        judge_records(log, run, "pt-until-full");
    return true;
}

/*
 * The packets end in something that they should not, or lead nowhere; what they showed
 * before must be right.  A PSB comes because PacketByteCnt is 0, a field that CPUID
 * enumerates; the rule pt-psb is of processors without that field.
 */
bool judge_misfit(const struct log *log, struct run *run)
{
    const bool begins = begins_as_expected(log, run, run->lines->before_wrong);

    if (run->lines->misfit == MISFIT_OF_OVERFLOW && begins)
        run_found(run, ALLOWED, "pt-overflow", run->lines->line, packets_misfit(run));
    else if (run->lines->misfit == MISFIT_OF_BOUNDARY && begins)
        run_broke(run, run->cpu->id.pt_psb ? "pt-psb-counted" : "pt-psb", run->lines->line,
                  packets_misfit(run));
    else
        run_broke(run, "pt-decodes", run->lines->line, packets_misfit(run));
    return false;
}

/*
 * True if this is the WRMSR of the window that turns tracing off: FUP has its address,
 * then comes TIP.PGD (SDM vol. 3C, "Packet Generation under Different Enable Conditions";
 * so do all ten ends in google/perf_data_converter, perf.data.intel_pt-4.14).
 */
static bool turns_off(const struct machine *machine, uint64_t at)
{
    const uint64_t offset = at - machine->caller.at.value;

    return at >= machine->caller.back && offset + 1 < machine->window_size &&
           machine->window[offset] == 0x0f && machine->window[offset + 1] == 0x30;
}

void judge_bits(const struct log *log, struct run *run)
{
    const struct retired retired = retired_of(log, run);
    const bool kernel = record_filter_shows(run->filter, 0);
    const uint64_t want = retired.not_taken - retired.filtered;
    const uint64_t of_window = kernel ? WINDOW_NOT_TAKEN : 0;
    struct pt_packets got;

    if (!retired.known || run->ran.lost)
        return;
    got = pt_count(run->lines->bytes, run->lines->size);
    if (got.not_taken != want + of_window)
        run_broke(run, "pt-tnt", run->lines->line,
                  format_text("%" PRIu64 " bits say that a conditional branch was not "
                              "taken, want %" PRIu64 " of the workload and %" PRIu64
                              " of the window",
                              got.not_taken, want, of_window));
    else if (kernel && !turns_off(&log->machine, run->lines->end))
        run_broke(run, "pt-end", run->lines->line,
                  format_text("no FUP and TIP.PGD say that the packets end where the "
                              "window turns tracing off"));
}
