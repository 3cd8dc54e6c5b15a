/* causes.h */
#include "causes.h"

#include <stdlib.h>
#include <string.h>

#include "heap.h"

static struct cause *new_cause(struct causes *causes, enum verdict verdict)
{
    causes->at = grow(causes->at, &causes->capacity, causes->count, sizeof(*causes->at));
    causes->at[causes->count] = (struct cause){ .verdict = verdict };
    return &causes->at[causes->count++];
}

static void add_run(struct cause *cause, const struct run *run)
{
    cause->runs = grow(cause->runs, &cause->run_capacity, cause->run_count, sizeof(void *));
    cause->runs[cause->run_count++] = run;
}

static void add_complaint(struct cause *cause, const struct complaint *complaint)
{
    cause->complaints = grow(cause->complaints, &cause->complaint_capacity,
                             cause->complaint_count, sizeof(void *));
    cause->complaints[cause->complaint_count++] = complaint;
}

static bool same_end(uint64_t a, uint64_t b)
{
    return a == b || a == BRANCH_UNKNOWN || b == BRANCH_UNKNOWN;
}

/* A stop of `btf` has no FROM, so it is the same as any record with its TO. */
static bool same_transfer(bool a_ended, const struct transfer *a, bool b_ended,
                          const struct transfer *b)
{
    if (a_ended || b_ended)
        return a_ended && b_ended;
    return same_end(a->from, b->from) && a->to == b->to;
}

static bool same_difference(const struct difference *a, const struct difference *b)
{
    return same_transfer(a->got_ended, &a->got, b->got_ended, &b->got) &&
           same_transfer(a->want_ended, &a->want, b->want_ended, &b->want);
}

static bool same_cause(const struct run *a, const struct run *b)
{
    if (a->verdict != b->verdict || !a->context != !b->context)
        return false;
    if (a->context)
        return a->workload == b->workload &&
               same_difference(&a->context->d, &b->context->d);
    return strcmp(a->why, b->why) == 0;
}

/* The cause of a run's failure, or NULL. */
static struct cause *cause_of_run(const struct causes *causes, const struct run *run)
{
    for (size_t i = 0; i < causes->count; i++)
        for (size_t j = 0; j < causes->at[i].run_count; j++)
            if (causes->at[i].runs[j] == run && causes->at[i].verdict != MEASURED)
                return &causes->at[i];
    return NULL;
}

static void take_run(struct causes *causes, const struct run *run)
{
    for (size_t i = 0; i < causes->count; i++)
        if (causes->at[i].run_count && same_cause(causes->at[i].runs[0], run)) {
            add_run(&causes->at[i], run);
            return;
        }
    add_run(new_cause(causes, run->verdict), run);
}

/* Returns the run that the complaint is about, by this method; or NULL. */
static const struct run *run_of(const struct log *log, const struct complaint *complaint,
                                const char *method)
{
    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (run->method->name == method && run->workload->own->name == complaint->subject &&
            run->processor == complaint->processor && run->filter == complaint->filter &&
            !run->skipped)
            return run;
    }
    return NULL;
}

static void add_right(struct cause *cause, const struct run *run)
{
    if (!run || run->verdict != PASS)
        return;
    for (size_t i = 0; i < cause->right_count; i++)
        if (cause->right[i] == run->method)
            return;
    cause->right[cause->right_count++] = run->method;
}

/* The cause of an earlier complaint about the same run. */
static struct cause *cause_of_like(const struct causes *causes, const struct complaint *one)
{
    for (size_t i = 0; i < causes->count; i++)
        if (causes->at[i].complaint_count &&
            complaints_of_one(causes->at[i].complaints[0], one))
            return &causes->at[i];
    return NULL;
}

/* Two methods contradict each other: a failed run explains that, or it is its own cause. */
static void take_disagreement(struct causes *causes, const struct log *log,
                              const struct complaint *complaint)
{
    const struct run *one = run_of(log, complaint, complaint->method);
    const struct run *other = run_of(log, complaint, complaint->other);
    struct cause *of_one = cause_of_run(causes, one), *cause = NULL;

    if (!of_one && cause_of_run(causes, other)) {
        add_right(cause_of_run(causes, other), one);
    } else if (of_one) {
        of_one->is_divided |= cause_of_run(causes, other) == of_one;
        add_right(of_one, other);
    } else {
        cause = cause_of_like(causes, complaint);
        add_complaint(cause ? cause : new_cause(causes, FAIL), complaint);
    }
}

/* True for a run that would show a wrong row of EXPECT wherever in the trace it is. */
static bool is_witness(const struct run *run)
{
    return !run->skipped && run->end_line && run->ran.outcome == ENDED &&
           !run->method->silent && !run->method->last_event && !run->method->sampled &&
           !run->method->sampled_windows && !run->gaps && !run_is_full(run);
}

static bool is_in(const struct cause *cause, const struct run *run)
{
    for (size_t i = 0; i < cause->run_count; i++)
        if (cause->runs[i] == run)
            return true;
    return false;
}

/* Two methods at least, and none that passes or differs otherwise. */
static bool is_unanimous(const struct cause *cause, const struct log *log)
{
    const struct run *first = cause->run_count ? cause->runs[0] : NULL;
    bool others = false;

    if (!first || !first->context || cause->verdict != FAIL || cause->right_count ||
        cause->is_divided)
        return false;
    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (run->workload != first->workload)
            continue;
        if (is_in(cause, run))
            others |= run->method != first->method;
        else if (is_witness(run))
            return false;
    }
    return others;
}

void causes_of(struct causes *causes, const struct log *log)
{
    const struct findings *findings = &log->findings;

    *causes = (struct causes){ 0 };
    for (size_t i = 0; i < findings->complaint_count; i++)
        if (!findings->complaints[i].other)
            add_complaint(new_cause(causes, FAIL), &findings->complaints[i]);
    for (size_t i = 0; i < log->run_count; i++)
        if (log->runs[i].end_line && log->runs[i].verdict >= MEASURED)
            take_run(causes, &log->runs[i]);
    for (size_t i = 0; i < findings->complaint_count; i++)
        if (findings->complaints[i].other)
            take_disagreement(causes, log, &findings->complaints[i]);
    for (size_t i = 0; i < causes->count; i++)
        causes->at[i].is_unanimous = is_unanimous(&causes->at[i], log);
}

void causes_free(struct causes *causes)
{
    for (size_t i = 0; i < causes->count; i++) {
        free(causes->at[i].runs);
        free(causes->at[i].complaints);
    }
    free(causes->at);
}

size_t cause_methods(const struct cause *cause, const struct method_facts *out[METHODS_MAX])
{
    size_t count = 0;

    for (size_t i = 0; i < cause->run_count; i++) {
        size_t before = 0;

        while (before < count && out[before] != cause->runs[i]->method)
            before++;
        if (before == count)
            out[count++] = cause->runs[i]->method;
    }
    return count;
}

size_t failures_of_no_run(const struct causes *causes)
{
    size_t count = 0;

    for (size_t i = 0; i < causes->count; i++)
        count += causes->at[i].complaint_count > 0;
    return count;
}
