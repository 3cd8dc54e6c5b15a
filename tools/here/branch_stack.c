/*
 * The last-branch records, sampled by Linux: perf_event_open(2) with
 * PERF_SAMPLE_BRANCH_STACK.
 *
 * A sample holds the stack as it is when a counter overflows.  So a counter of instructions
 * is made to overflow among the NOPs after the workload's return, where nothing branches.
 * The call is made once with the counter alone, which counts its instructions, and then
 * with the branch stack and a period that ends early in the NOPs.
 *
 * Linux filters out ring 0, but the record of a return from it remains.  If the trace has
 * one, the attempt is not used, since older records may have given way to it.
 */
#include "attempt.h"

#include <string.h>
#include <unistd.h>

#include "call.h"
#include "perf_event.h"

#define MARGIN 4096 /* NOPs before the overflow: a count is a little wrong */

/* As in struct perf_branch_entry, of which older headers have no `spec`. */
struct entry {
    uint64_t from, to, flags;
};
#define SPEC(flags)     ((flags) >> 24 & 3)
#define SPEC_WRONG_PATH 1

/* The layout that PERF_SAMPLE_IP | PERF_SAMPLE_BRANCH_STACK gives a sample. */
struct sample {
    struct perf_event_header header;
    uint64_t ip, count;
    struct entry entries[];
};

static struct perf_event_attr instructions(void)
{
    return (struct perf_event_attr){ .type = PERF_TYPE_HARDWARE,
                                     .config = PERF_COUNT_HW_INSTRUCTIONS };
}

/* Counts the instructions of a call; 0: Linux refused, or nothing counts. */
static uint64_t count_call(struct attempt *attempt, const struct traced_code *code)
{
    struct perf_event_attr attr = instructions();
    struct perf_event event;
    uint64_t count = 0;

    if (!perf_event_open_own(&event, &attr, false, 0, attempt))
        return 0;
    perf_event_call(&event, attempt, code);
    if (read(event.fd, &count, sizeof(count)) != sizeof(count))
        attempt_refuse(attempt, "read of a counter");
    perf_event_close(&event);
    return count;
}

static bool is_in_slide(uint64_t ip)
{
    return ip >= (uintptr_t)call_back && ip <= (uintptr_t)call_rest;
}

/* Linux gives the newest entry first. */
static void take_entries(struct attempt *attempt, const struct sample *sample)
{
    for (uint64_t i = sample->count; i-- > 0;) {
        const struct entry *entry = &sample->entries[i];

        if (SPEC(entry->flags) == SPEC_WRONG_PATH)
            attempt->ran.wrong_path++;
        else
            attempt->records[attempt->count++] =
                (struct branch){ .from = entry->from, .to = entry->to };
    }
}

/* Takes the sample in the NOPs; without one the attempt is not used. */
static bool take_sample(struct attempt *attempt, const struct perf_event *event)
{
    static _Alignas(8) uint8_t room[PERF_EVENT_RECORD_MAX];
    const struct perf_event_header *header;
    uint64_t at = 0;

    while ((header = perf_event_next(event, &at, room))) {
        const struct sample *sample = (const struct sample *)(const void *)header;

        if (header->type != PERF_RECORD_SAMPLE || !is_in_slide(sample->ip))
            continue;
        take_entries(attempt, sample);
        return true;
    }
    return false;
}

void branch_stack_sample(struct attempt *attempt, const struct traced_code *code)
{
    const uint64_t slide = (uint64_t)(call_rest - call_back);
    const uint64_t count = count_call(attempt, code);
    struct perf_event_attr attr = instructions();
    struct perf_event event;

    attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_BRANCH_STACK;
    attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
    attr.sample_period = count > slide ? count - slide + MARGIN : slide;
    if (attempt->error || !perf_event_open_own(&event, &attr, true, 0, attempt))
        return;
    perf_event_call(&event, attempt, code);
    if (take_sample(attempt, &event))
        attempt_cut(attempt);
    else
        attempt->interrupted = true;
    attempt->outcome = ENDED;
}

/*
 * Linux gives no entries of AMD's stack that branches on the wrong path made (Linux,
 * arch/x86/events/amd/lbr.c, amd_pmu_lbr_read).
 */
void branch_stack_fill(struct attempt *attempt, const struct model *model, uint64_t depth)
{
    const bool is_whole =
        attempt->count && attempt->records[0].from == (uintptr_t)call_call;
    const uint64_t given = attempt->count + attempt->ran.wrong_path;

    if (model && model->lbr.to_valid && !is_whole && given < depth)
        attempt->ran.wrong_path += depth - given;
}
