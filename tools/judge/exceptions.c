/*
 * The bits that debug exceptions set in DR6, against the rules dr6-bs, dr6-others and
 * dr6-icebp.
 */
#include "judge_parts.h"

#include <string.h>

#include <stdlib.h>

#include "unconfirmed.h"
#include "heap.h"
#include "words.h"

#define DR6_BREAKPOINTS 0x000fu
#define DR6_BLD         0x0800u /* 0: a bus lock        */
#define DR6_BD          0x2000u /* an access to a DR    */
#define DR6_BS          0x4000u /* a single step        */
#define DR6_BT          0x8000u /* a task switch        */
#define ICEBP           0xf1

static bool is_bus_lock_alone(uint64_t dr6)
{
    return !(dr6 & DR6_BLD) && !(dr6 & DR6_BS);
}

/* The debug exceptions at which a method stopped: all except bus locks. */
static uint64_t counted(const struct debug_status *status)
{
    uint64_t events = status->others;

    for (size_t i = 0; i < status->count; i++)
        if (!is_bus_lock_alone(status->at[i].dr6))
            events += status->at[i].times;
    return events;
}

/* Before version 3 a log may have no dr6=; and Linux shows it to no process. */
static bool may_lack(const struct log *log, const struct run *run)
{
    return log->machine.version < 3 || run->cpu->under_linux ||
           !(workload_takes(run->workload->own, STUB_DB) ||
             (run->method->blind_handlers && run->ran.events));
}

char *exceptions_cannot_be(const struct log *log, const struct run *run)
{
    const struct debug_status *status = &run->ran.debug_status;
    bool sum = status->count == 1 && status->at[0].times == 0;

    if (status->count == 0)
        return may_lack(log, run) ? NULL : format_text("no dr6= of a debug exception");
    if (workload_takes(run->workload->own, STUB_DB))
        return sum ? NULL
                   : format_text(
                         "dr6= counts exceptions, which the workload handles itself");
    if (!run->method->blind_handlers || sum)
        return format_text("dr6= without a debug exception");
    if (counted(status) == run->ran.events)
        return NULL;
    return format_text("dr6= of %llu exceptions, but events=%llu",
                       (unsigned long long)counted(status),
                       (unsigned long long)run->ran.events);
}

static char *wrong_stop(uint64_t dr6, uint64_t times)
{
    const char *what = NULL;

    if (is_bus_lock_alone(dr6))
        what = "a bus lock (bit 11 clear), although DEBUGCTL asks for none";
    else if (!(dr6 & DR6_BS))
        what = "a step that does not set BS (bit 14)";
    else if (dr6 & (DR6_BD | DR6_BT))
        what = "a step that sets BD or BT (bits 13 and 15)";
    else if (!(dr6 & DR6_BLD))
        what = "a step that clears bit 11";
    return what ? format_text("DR6 was 0x%llx at %llu debug exception%s: %s",
                              (unsigned long long)dr6, (unsigned long long)times,
                              plural(times), what)
                : NULL;
}

static bool is_icebp(const struct workload *own, const struct taken *row)
{
    return row->from >= 0 && (uint32_t)row->from < own->size &&
           own->code[row->from] == ICEBP;
}

/* Judges the one value that all of the workload's own exceptions left together; *rule: the
 * one that it breaks. */
static char *wrong_sum(const struct workload *own, uint64_t dr6, const char **rule)
{
    size_t steps = 0, icebps = 0;
    const char *what = NULL;

    for (uint32_t i = 0; i < own->rows; i++)
        if (own->expect[i].kind == KIND_DB) {
            bool icebp = is_icebp(own, &own->expect[i]);

            icebps += icebp;
            steps += !icebp;
        }
    if (dr6 & (DR6_BD | DR6_BT))
        *rule = "dr6-others", what = "BD or BT (bits 13 and 15) is set";
    else if (icebps && !steps && dr6 & DR6_BS)
        *rule = "dr6-icebp", what = "BS (bit 14) is set, but ICEBP sets none";
    else if (steps && !(dr6 & DR6_BS))
        *rule = "dr6-bs", what = "a step does not set BS (bit 14)";
    return what ? format_text("DR6 was 0x%llx: %s", (unsigned long long)dr6, what) : NULL;
}

/* The rule that a stop with this DR6 breaks, if it breaks one. */
static const char *rule_of_stop(const struct run *run, uint64_t dr6)
{
    return run->method->every_insn && (dr6 & DR6_BLD) && !(dr6 & (DR6_BD | DR6_BT))
               ? "dr6-bs"
               : "dr6-others";
}

void judge_exceptions(struct run *run)
{
    const struct debug_status *status = &run->ran.debug_status;
    const struct workload *own = run->workload->own;

    if (workload_takes(own, STUB_DB)) {
        const char *rule = NULL;
        char *why = status->count ? wrong_sum(own, status->at[0].dr6, &rule) : NULL;

        if (why && strcmp(rule, "dr6-icebp") == 0 && rule_is_of_run("dr6-icebp-bs", run))
            run_found(run, ALLOWED, "dr6-icebp-bs", run->end_line, why);
        else
            run_broke(run, rule, run->end_line, why);
        return;
    }
    for (size_t i = 0; i < status->count; i++)
        run_broke(run, rule_of_stop(run, status->at[i].dr6), run->end_line,
                  wrong_stop(status->at[i].dr6, status->at[i].times));
    if (status->others)
        run_broke(run, "dr6-others", run->end_line,
                  format_text("DR6 had more than %d different values", DR6_VALUES));
}
