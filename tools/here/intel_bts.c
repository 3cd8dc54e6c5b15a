/*
 * The branch trace store, by Linux's PMU `intel_bts` (Linux, arch/x86/events/intel/bts.c):
 * the processor's records of 24 bytes, as they are, in an AUX buffer of
 * perf_event_open(2).
 *
 * The buffer is larger than any workload's trace.  Linux leaves out ring 0, but the two
 * system calls around the CALL have records that lead into ring 0 and out of it.
 */
#include "attempt.h"

#include <errno.h>

#include "bts_record.h"
#include "call.h"
#include "linux_file.h"
#include "perf_event.h"

#define AUX_BYTES (128u << 10)

_Static_assert(INTEL_BTS_RECORDS < AUX_BYTES / sizeof(struct bts_record),
               "the AUX buffer is too small");

#define PMU_TYPE "/sys/bus/event_source/devices/intel_bts/type"

/* Ends the records with the return: what follows is the system call's. */
static void cut_end(struct attempt *attempt)
{
    for (size_t i = 0; i < attempt->count; i++)
        if (attempt->records[i].to == (uintptr_t)call_back) {
            attempt->count = i + 1;
            return;
        }
}

static size_t newest_call(const struct bts_record *slots, size_t count)
{
    size_t at = count;

    while (at > 0 && slots[at - 1].from != (uintptr_t)call_call)
        at--;
    return at > 0 ? at - 1 : 0;
}

static void take(struct attempt *attempt, const struct perf_event *event)
{
    const uint64_t head = __atomic_load_n(&event->page->aux_head, __ATOMIC_ACQUIRE);
    const struct bts_record *slots = (const struct bts_record *)(const void *)event->aux;
    const size_t end = (head < AUX_BYTES ? head : AUX_BYTES) / sizeof(*slots);

    for (size_t i = newest_call(slots, end); i < end && attempt->count < INTEL_BTS_RECORDS;
         i++)
        attempt->records[attempt->count++] =
            (struct branch){ .from = slots[i].from, .to = slots[i].to };
}

void intel_bts_record(struct attempt *attempt, const struct traced_code *code)
{
    struct perf_event_attr attr = { .type = (uint32_t)linux_number(PMU_TYPE, 0),
                                    .sample_period = 1 };
    struct perf_event event;

    if (!attr.type) {
        errno = ENOENT;
        attempt_refuse(attempt, "perf_event_open of intel_bts");
        return;
    }
    if (!perf_event_open_own(&event, &attr, true, AUX_BYTES, attempt))
        return;
    perf_event_call(&event, attempt, code); /* so that all its pages are there */
    perf_event_call(&event, attempt, code);
    take(attempt, &event);
    cut_end(attempt);
    attempt_cut(attempt);
    attempt->outcome = ENDED;
}
