/* severity.h */
#include "severity.h"

#include <stdlib.h>

#include "heap.h"
#include "judge_parts.h"
#include "unconfirmed.h"

/*
 * Which SMIs and stray NMIs excuse what a check finds.  The recorder is not at fault for
 * what either does to a run: it takes debug traps away and adds records of its own, but
 * takes none of a trace, unless a counter was to freeze it: RSM may turn the recording on
 * again.  It changes no status, and what the log says of the machine least of all.
 */
static const enum {
    NO_HIT,
    ANY_HIT,
    AN_NMI,
    HIT_THAT_SHOWS
} excused_by[FINDINGS_OF] = {
    [OF_BUILD] = ANY_HIT,      [OF_RECORDS] = HIT_THAT_SHOWS,
    [OF_RESULT] = ANY_HIT,     [OF_REST] = ANY_HIT,
    [OF_INTERRUPTS] = ANY_HIT, [OF_NUMBER] = AN_NMI, /* two NMIs may merge */
};

/*
 * True if an SMI or a stray NMI that changes what this method records also leaves records
 * of its own.  An NMI need not: a filter can remove its handler, LER holds only the branch
 * before it, a method may take it for an interrupt of its own, and the log has no code to
 * decode packets of the handler.  With a filter, packets stop at an SMI as they do between
 * rings.
 */
static bool hit_shows(const struct run *run)
{
    const struct method_facts *method = run->method;

    if (method->blind_handlers || method->counter_driven ||
        (method->packets && run->filter))
        return false;
    return !run->ran.nmis || (!run->filter && !method->last_event && !method->pmi_drained &&
                              !method->packets);
}

static bool is_excused_by_hit(const struct log *log, const struct run *run,
                              enum finding_of of)
{
    switch (run_was_hit(run) ? excused_by[of] : NO_HIT) {
    case ANY_HIT:
        return true;
    case AN_NMI:
        return run->ran.nmis;
    case HIT_THAT_SHOWS:
        return !hit_shows(run) || hit_left_records(log, run);
    default:
        return false;
    }
}

/*
 * Returns why what would be a failure of the recorder need not be one, or NULL.  What hit
 * the run is told apart from what is in doubt about its platform.
 */
static char *excuse_of(const struct log *log, const struct run *run, struct finding *f)
{
    char *smis;

    if (f->of == OF_SKIP)
        return NULL;
    if (is_excused_by_hit(log, run, f->of)) {
        f->hit_by = rule_of_hit(run->ran.smis, run->ran.nmis);
        return format_text("it is no failure, since %s hit this run",
                           !run->ran.nmis   ? "an SMI"
                           : !run->ran.smis ? "an unexpected NMI"
                                            : "an SMI and an unexpected NMI");
    }
    smis = uncounted_smis(log, run);
    f->hit_by = smis ? rule_named("hit-uncounted") : NULL;
    return smis ? smis : doubt_on_platform(run);
}

/* What is in doubt fails on an emulator alone, which was written from that very rule. */
static enum verdict verdict_of(enum finding_kind kind, bool silicon)
{
    static const enum verdict verdicts[] = {
        [CANNOT_BE] = ERROR,   [CERTAIN] = FAIL, [IN_DOUBT] = FAIL,
        [PROPERTY] = MEASURED, [NOTED] = PASS,   [NOT_DONE] = SKIP,
    };

    return kind == IN_DOUBT && silicon ? MEASURED : verdicts[kind];
}

static void weigh(const struct log *log, const struct run *run, struct finding *f,
                  struct arena *memory)
{
    f->verdict = verdict_of(f->kind, on_silicon(run->cpu));
    f->because = NULL;
    f->hit_by = NULL;
    if (f->verdict == FAIL)
        f->because = arena_keep(memory, excuse_of(log, run, f));
    else if (f->kind == IN_DOUBT && is_other_build(run->workload))
        f->verdict = SKIP; /* it adds nothing to a run that is not compared */
    else
        f->because = f->doubt;
    if (f->verdict == FAIL && f->because)
        f->verdict = MEASURED;
}

/* A run that fails need not have run what its time is held against, which comes last. */
void run_decide(const struct log *log, struct run *run)
{
    const struct finding *worst = NULL;

    run->verdict = PASS;
    for (size_t i = 0; i < run->findings.count; i++) {
        struct finding *f = &run->findings.at[i];

        weigh(log, run, f, &run->findings.memory);
        if (f->verdict > run->verdict && !(f->of == OF_TIME && run->verdict == FAIL)) {
            run->verdict = f->verdict;
            worst = f;
        }
    }
    run->why = NULL;
    if (!worst)
        return;
    run->where = worst->where;
    run->context = worst->context;
    run->why = arena_keep(&run->findings.memory,
                          format_text("%s%s%s", worst->why, worst->because ? "; " : "",
                                      worst->because ? worst->because : ""));
}

bool run_shows_its_branches(const struct run *run)
{
    if (run->verdict != MEASURED)
        return run->verdict != ERROR;
    for (size_t i = 0; i < run->findings.count; i++) {
        const struct finding *f = &run->findings.at[i];

        if (f->hit_by || (f->rule && f->rule->accounts))
            return false;
    }
    return !run_was_hit(run) && !(run->method->packets && run->lines->wrong);
}

void complaints_decide(struct log *log)
{
    struct findings *all = &log->findings;
    size_t kept = 0;

    for (size_t i = 0; i < all->complaint_count; i++) {
        struct complaint *one = &all->complaints[i];

        one->verdict = verdict_of(one->kind, one->cpu && on_silicon(one->cpu));
        if (one->verdict == FAIL)
            all->complaints[kept++] = *one;
    }
    all->complaint_count = kept;
}

enum verdict log_verdict(const struct log *log)
{
    enum verdict worst = PASS;

    for (size_t i = 0; i < log->findings.complaint_count; i++)
        if (log->findings.complaints[i].verdict > worst)
            worst = log->findings.complaints[i].verdict;
    for (size_t i = 0; i < log->run_count; i++)
        if (log->runs[i].verdict != SKIP && log->runs[i].verdict > worst)
            worst = log->runs[i].verdict;
    return log->log_error ? ERROR : worst;
}

/* A log without a run that was made shows nothing, and does not pass. */
const char *log_last_word(const struct log *log)
{
    const enum verdict verdict = log_verdict(log);
    bool any = false;

    for (size_t i = 0; i < log->run_count; i++)
        any = any || log->runs[i].verdict != SKIP;
    return verdict == ERROR ? "ERROR" : verdict == FAIL ? "FAIL" : any ? "PASS" : "SKIP";
}
