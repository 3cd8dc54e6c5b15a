/*
 * Judges a run of a program in C whose code is not this program's copy: another compiler
 * made the image.
 *
 * The expected trace of such a program is recorded where it is built, so there is none here
 * for that code.  What can be compared is compared: each record with the code in the log,
 * the result with this program's, and the methods with each other (cross.c).  That proves
 * less than an expected trace does: all methods may lack the same round of a loop.  So such
 * a run fails or is skipped, but never passes.
 */
#include "judge_parts.h"

#include <stdlib.h>

#include "expected_trace.h"
#include "heap.h"
#include "hit.h"
#include "place.h"
#include "unconfirmed.h"
#include "walk.h"

static char *wrong_result(const struct run *run)
{
    const uint64_t want = run->workload->own->result;

    if (!run->ran.result.is || run->ran.result.value == want)
        return NULL;
    return format_text(
        "the program returned 0x%llx, want 0x%llx, unless its source is another",
        (unsigned long long)run->ran.result.value, (unsigned long long)want);
}

/* True if the records of this run are one way through the code, at least from the first. */
static bool is_one_way(const struct run *run)
{
    const struct method_facts *method = run->method;

    return run->records > 0 && !run->filter && !run->gaps && !method->silent &&
           !method->last_event && !method->sampled && !method->sampled_windows;
}

/* Says why a program in C cannot have run like this from range to range, or returns NULL.
 */
static const char *wrong_range(const struct run *run, const struct range *range)
{
    switch (range->gap) {
    case GAP_OLDER:
        return run_is_full(run) ? NULL : "the record of the call is not the first (lost)";
    case GAP_NEWER:
        return "no record is of the return to the caller (lost)";
    case GAP_UNRECORDED:
        return "the code does not lead there from the record before (lost)";
    case GAP_NO_CODE:
        return "the log has no code there (extra)";
    default:
        return range->by.kind == KIND_EXC ? "no branch in the code leads there (wrong)"
                                          : NULL;
    }
}

static char *range_text(const struct log *log, const struct run *run,
                        const struct range *range, const char *why)
{
    const struct log_map map = map_of(log, run->workload);
    const bool ends = range->by.from != BRANCH_UNKNOWN;
    const char *place = ends ? scratch_take(transfer_text(&map, &range->by))
                             : scratch_take(place_text(&map, range->first, LOG_TO));
    char *text = format_text("%s %s: %s", ends ? "record" : "at", place, why);

    return text;
}

static char *wrong_way(const struct log *log, const struct run *run)
{
    struct walk walk;
    struct range range;
    char *text = NULL;

    walk_of(&walk, log, run);
    while (!text && walk_next(&walk, &range)) {
        const char *why = wrong_range(run, &range);

        text = why ? range_text(log, run, &range, why) : NULL;
    }
    walk_free(&walk);
    return text;
}

/* What a hit does to records can be told only from an expected trace. */
void judge_way(const struct log *log, struct run *run)
{
    const bool result = !run_broke(run, "run-result", run->end_line, wrong_result(run));
    const struct rule_run hit = rule_run_of(log, run);

    judge_flags(log, run);
    if (result && (!run->method->every_insn || judge_steps(log, run, NULL, true)) &&
        is_one_way(run) && !hit_traps_max(&hit, 0))
        run_broke(run, "build-way", run->end_line, wrong_way(log, run));
}
