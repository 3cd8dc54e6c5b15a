/* severity.h */
#include "severity.h"

#include <stdlib.h>

#include "heap.h"
#include "judge_parts.h"
#include "beyond.h"
#include "known.h"
#include "unconfirmed.h"

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

/*
 * The recorder is not at fault for what an SMI or a stray NMI does to a run: it takes debug
 * traps away and adds records of its own, but takes none of a trace, unless a counter was
 * to freeze it: RSM may turn the recording on again.  It changes no status, and what the
 * log says of the machine least of all.
 */
static bool is_excused_by_hit(const struct log *log, const struct run *run,
                              const struct rule *rule)
{
    switch (run_was_hit(run) ? rule->excused_by : NO_HIT) {
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

    if (run->skipped)
        return NULL;
    if (is_excused_by_hit(log, run, f->rule)) {
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

/*
 * What silicon does otherwise than a rule says which no manual states and no recording
 * shows, is measured: the rule was wrong as likely as the hardware.  An emulator was
 * written from that very rule, and has no property of silicon alone.
 */
static enum verdict verdict_of(enum finding_kind kind, const struct rule *rule,
                               const struct rule_place *place)
{
    const bool is_sure =
        place->emulated || is_confirmed(rule_basis_of(rule, place).confidence);

    switch (kind) {
    case NOT_DONE:
        return SKIP;
    case NOTED:
        return PASS;
    case ALLOWED:
        return rule_holds_on_platform(rule, place) ? MEASURED : FAIL;
    default:
        return rule->of_log ? ERROR : is_sure ? FAIL : rule->noted ? PASS : MEASURED;
    }
}

static void weigh(const struct log *log, const struct run *run, struct finding *f,
                  struct arena *memory)
{
    const struct rule_place place = rule_place_of(run);

    f->verdict = verdict_of(f->kind, f->rule, &place);
    f->because = NULL;
    f->hit_by = NULL;
    if (f->verdict == FAIL && (f->because = arena_keep(memory, excuse_of(log, run, f))))
        f->verdict = MEASURED;
    else if (f->verdict == MEASURED && f->kind == BROKEN && is_other_build(run->workload))
        f->verdict = SKIP; /* it adds nothing to a run that is not compared */
    else if (f->verdict == MEASURED)
        f->because = arena_keep(memory, rule_text(f->rule, &place));
}

/* A run that fails need not have run what its time is held against, which comes last. */
static bool yields(const struct finding *f, enum verdict worst)
{
    return worst == FAIL && f->rule == rule_named("log-time");
}

void run_decide(const struct log *log, struct run *run)
{
    const struct finding *worst = NULL;

    run->verdict = PASS;
    for (size_t i = 0; i < run->findings.count; i++) {
        struct finding *f = &run->findings.at[i];

        weigh(log, run, f, &run->findings.memory);
        if (f->verdict > run->verdict && !yields(f, run->verdict)) {
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

        if (f->hit_by || f->rule->accounts)
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
        struct rule_place place;

        place =
            one->cpu ? rule_place_on(one->cpu) : (struct rule_place){ .emulated = true };
        one->verdict = verdict_of(BROKEN, rule_named(one->rule), &place);
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
