/* severity.h */
#include "severity.h"

#include "heap.h"
#include "hit.h"
#include "judge_parts.h"
#include "beyond.h"
#include "known.h"
#include "unconfirmed.h"

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

static void weigh(const struct run *run, struct finding *f, struct arena *memory)
{
    const struct rule_place place = rule_place_of(run);

    f->verdict = verdict_of(f->kind, f->rule, &place);
    f->because = NULL;
    f->hit_by = f->verdict == MEASURED && hit_is_rule(f->rule) ? f->rule : NULL;
    if (f->verdict == FAIL && !run->skipped &&
        (f->because = arena_keep(memory, doubt_on_platform(run))))
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

void run_decide(struct run *run)
{
    const struct finding *worst = NULL;

    run->verdict = PASS;
    for (size_t i = 0; i < run->findings.count; i++) {
        struct finding *f = &run->findings.at[i];

        weigh(run, f, &run->findings.memory);
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
        const struct rule_place place =
            one->cpu ? rule_place_on(one->cpu) : (struct rule_place){ .emulated = true };

        one->verdict = verdict_of(BROKEN, rule_named(one->rule), &place);
        if (one->verdict == FAIL)
            all->complaints[kept++] = *one;
    }
    all->complaint_count = kept;
}

/* A log without one passed run shows no recorder that is right, and does not pass. */
enum verdict log_verdict(const struct log *log)
{
    enum verdict worst = log_has_passed(log) ? PASS : SKIP;

    for (size_t i = 0; i < log->findings.complaint_count; i++)
        if (log->findings.complaints[i].verdict > worst)
            worst = log->findings.complaints[i].verdict;
    for (size_t i = 0; i < log->run_count; i++)
        if (log->runs[i].verdict > worst && log->runs[i].verdict != SKIP)
            worst = log->runs[i].verdict;
    return log->log_error ? ERROR : worst;
}

bool log_has_passed(const struct log *log)
{
    for (size_t i = 0; i < log->run_count; i++)
        if (log->runs[i].end_line && log->runs[i].verdict == PASS)
            return true;
    return false;
}

/* Beside runs that passed, those that are measured fail nothing. */
const char *log_last_word(const struct log *log)
{
    static const char *const words[VERDICTS] = {
        [PASS] = "PASS", [SKIP] = "SKIP",   [MEASURED] = "MEASURED",
        [FAIL] = "FAIL", [ERROR] = "ERROR",
    };
    const enum verdict verdict = log_verdict(log);

    return words[verdict == MEASURED && log_has_passed(log) ? PASS : verdict];
}
