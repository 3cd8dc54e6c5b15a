/*
 * schedule.h.  A round is one run on each of several processors: in round N of a plan all
 * make run N at the same time.
 */
#include "schedule.h"

#include "display.h"
#include "emit.h"
#include "run.h"
#include "smp.h"
#include "text.h"

static size_t rounds;
static struct run_tries tries[SETTING_PROCESSORS_MAX]; /* of a round, for each processor */

static bool takes_part(size_t n)
{
    return smp_participant(n)->takes_part;
}

static struct skip_reason skip_reason_of(struct session *s, size_t n,
                                         const struct slot *slot)
{
    if (smp_has_lost())
        return (struct skip_reason){ SKIP_LOST, NULL };
    return run_skip_reason(s, smp_worker(n), slot->method, slot->workload);
}

/*
 * Saves the log before a round.  A round in which a method is new has a name of its own,
 * since nobody could tell which of its runs the machine died of.
 */
static void save_log(struct session *s, const struct slot *slot)
{
    char subject[SUBJECT_SIZE];
    bool is_new = false;
    for (size_t n = 0; n < smp_count(); n++)
        if (takes_part(n) && run_method_is_new(s, slot->method))
            is_new = true;
    struct text out = text_into(subject, sizeof subject);
    text_string(&out, SUBJECT_ROUND);
    text_decimal(&out, rounds + 1);
    run_save_before(s, is_new ? subject : NULL);
}

/* Reasons live in one place until the next one is asked for, so each is asked for twice. */
static void take_part(struct session *s, const struct slot *slot)
{
    barrier_begin();
    for (size_t n = 0; n < smp_count(); n++) {
        smp_worker(n)->buffers.filter = slot->filter;
        smp_participant(n)->takes_part = !skip_reason_of(s, n, slot).code;
    }
}

static void run_on_ap(struct ap *ap)
{
    ap->run_result = run_make(&ap->worker, ap->method, ap->workload);
    barrier_reach(STAGE_DONE);
}

/* The BSP waits at each stage of a round even if it makes no run itself. */
static struct run_result make_own(struct session *s, const struct slot *slot)
{
    struct run_result run_result = { 0 };
    if (takes_part(0)) {
        run_result = run_make(&s->bsp, slot->method, slot->workload);
        barrier_reach(STAGE_DONE);
    } else {
        barrier_wait(STAGE_ARMED);
        barrier_wait(STAGE_BACK);
    }
    barrier_wait(STAGE_DONE);
    return run_result;
}

/* Returns the BSP's result. */
static struct run_result make_all(struct session *s, const struct slot *slot)
{
    for (size_t n = 1; n < smp_count(); n++) {
        if (!takes_part(n))
            continue;
        smp_ap(n)->method = slot->method;
        smp_ap(n)->workload = slot->workload;
        smp_order(smp_ap(n), run_on_ap);
    }
    return make_own(s, slot);
}

/* An AP that is lost may still write its results: nothing of it is used. */
static struct run_result result_by(size_t n, const struct run_result *bsp_result)
{
    const struct run_result nothing = { .window_exit = { .outcome = GONE } };
    if (!n)
        return *bsp_result;
    return smp_participant(n)->gone ? nothing : smp_ap(n)->run_result;
}

/*
 * An SMI hits all processors, so the whole round is made again; not without one that is
 * gone.  `before`: how often it was made.
 */
static bool to_be_repeated(struct session *s, const struct slot *slot, uint32_t before,
                           const struct run_result *bsp_result)
{
    bool hit = false, lacks_one = false;
    for (size_t n = 0; n < smp_count(); n++) {
        if (!takes_part(n))
            continue;
        const struct worker *worker = smp_worker(n);
        const struct run_request run =
            run_describe(s, worker, slot->method, slot->workload);
        const struct run_result run_result = result_by(n, bsp_result);
        lacks_one = lacks_one || run_result.window_exit.outcome == GONE ||
                    run_result.window_exit.outcome == TIMEOUT;
        hit = run_try_differs(worker, &run, &run_result, before, &tries[n]) ||
              run_was_hit(&run_result) || hit;
    }
    return hit && !lacks_one;
}

static void log_run(struct session *s, const struct slot *slot, size_t n,
                    const struct run_result *bsp_result, uint32_t repeated)
{
    const struct worker *worker = smp_worker(n);
    struct run_request run = run_describe(s, worker, slot->method, slot->workload);
    run.number = ++s->totals.runs;
    run.smp = true;
    run.processor = n;
    if (!takes_part(n)) {
        struct skip_reason why = skip_reason_of(s, n, slot);
        run_skip(s, &run, &why);
        return;
    }
    display_begins(&run);
    emit_run(&run);
    struct run_result run_result = result_by(n, bsp_result);
    run_result.trace.ran.repeated = repeated;
    run_emit(s, &run, &run_result, &tries[n], worker->buffers.records);
}

static void make_round(struct session *s, const struct slot *slot)
{
    take_part(s, slot);
    save_log(s, slot);
    put(WORD_ROUND, &(struct round_line){ ++rounds, smp_count() });
    for (size_t n = 0; n < smp_count(); n++)
        tries[n] = (struct run_tries){ .any = false };
    struct run_result bsp_result = make_all(s, slot);
    uint32_t repeated = 0;
    while (to_be_repeated(s, slot, repeated, &bsp_result) && repeated + 1 < RUN_TRIES_MAX) {
        barrier_begin();
        bsp_result = make_all(s, slot);
        repeated++;
    }
    smp_emit_lost();
    for (size_t n = 0; n < smp_count(); n++)
        log_run(s, slot, n, &bsp_result, repeated);
}

static void make_one(struct session *s, const struct slot *slot)
{
    s->bsp.buffers.filter = slot->filter;
    if (smp_count() > 1)
        make_round(s, slot);
    else
        run_or_skip(s, slot->method, slot->workload);
}

void schedule_run(struct session *s, const struct plan_request *plan)
{
    size_t workloads = plan_workloads(plan), each = plan_runs(plan) / plan->times;
    s->filtered = *plan->filters;
    for (uint32_t i = 0; i < plan->times; i++)
        for (size_t n = 0; n < each; n++) {
            size_t across = each / workloads;
            const struct slot slot = plan_slot(plan, n % across, n / across);
            make_one(s, &slot);
        }
    s->filtered = false;
    s->bsp.buffers.filter = 0;
}
