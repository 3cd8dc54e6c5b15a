/*
 * fused.h.  No source says which instructions a processor fuses with the branch after them.
 * But the code does not change, so all records of a branch have one such FROM, or the
 * branch itself.  And the processor ran what it fused: the record before does not lead past
 * it.
 */
#include "fused.h"

#include "code.h"
#include "decode.h"
#include "heap.h"
#include "judge_parts.h"
#include "pmu.h"
#include "transfers.h"
#include "unconfirmed.h"

/* True if a near branch goes there: not an event, and nothing that hit the run. */
static bool is_near_target(const struct rule_run *run, const struct transfer *t)
{
    const struct rule_record record = rule_record_of(run, t);

    return !rule_stub_at(&record, t->to) &&
           (t->to - run->at < run->workload->size || t->to == run->back);
}

/* Returns a run judged before with another such FROM of the branch at this offset; or
 * NULL. */
static const struct run *find_other(const struct log *log, const struct run *run,
                                    uint64_t offset)
{
    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *other = &log->runs[i];

        if (other->fused_from && other->cpu == run->cpu &&
            other->workload == run->workload && other->fused_from[offset] &&
            other->fused_from[offset] != run->fused_from[offset])
            return other;
    }
    return NULL;
}

void judge_fused(const struct log *log, struct run *run)
{
    const struct rule_run place = rule_run_of(log, run);
    const bool all_shown = !run->filter && !run->method->blind_handlers;
    const struct log_map map = map_of(log, run->workload);
    struct recorded got;
    struct source *records = transfers_of(&got, log, run);
    uint64_t before = BRANCH_UNKNOWN; /* where the record before leads */
    struct transfer t;

    if (!run->findings.count || !rule_is_of_run("lbr-fused-same", run))
        return;
    run->fused_from = arena_keep(&run->findings.memory,
                                 zeroed(place.workload->size, sizeof(*run->fused_from)));
    for (uint64_t i = 0; records->next(records, &t); before = t.to, i++) {
        const uint64_t branch = fused_branch(place.workload, place.at, &t);
        const uint64_t offset = branch - place.at;
        const struct run *other = run;

        if (branch == BRANCH_UNKNOWN || !is_near_target(&place, &t))
            continue;
        if (!run->fused_from[offset]) {
            run->fused_from[offset] = t.from;
            other = find_other(log, run, offset);
        } else if (run->fused_from[offset] == t.from) {
            other = NULL;
        }
        if (!other && !(all_shown && before > t.from && before <= branch))
            continue;
        run_broke(run, "lbr-fused-same", line_of_transfer(&got, run, i),
                  format_text(
                      "record %llu: got %s, %s (wrong end)", (unsigned long long)i + 1,
                      scratch_take(transfer_text(&map, &t)),
                      !other         ? "but the branch before leads past its FROM"
                      : other == run ? "but this branch has another FROM before"
                                     : scratch_text("but this branch has "
                                                    "another FROM in %s (line %zu)",
                                                    other->method->name, other->end_line)));
        return;
    }
}
