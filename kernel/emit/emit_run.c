/* A run: what is asked for before it, and what it came to. */
#include "emit.h"

#include "filter.h"
#include "method_facts.h"
#include "put.h"
#include "text.h"

static void put_processor(const struct run *run)
{
    if (run->smp)
        put_decimal("processor", run->processor);
}

static void put_filter(const struct run *run)
{
    char name[FILTER_TEXT_SIZE];
    if (run->filtered)
        put_text("filter", filter_text(run->filter, name));
}

static void put_interrupt_config(const struct interrupt_config *how)
{
    if (how->period) {
        put_key("event");
        event_put(&put_line, how->event, how->umask);
        put_decimal("period", how->period);
    } else {
        put_decimal("buffer", how->buffer);
        put_decimal("threshold", how->threshold);
    }
    put_text("delivery", how->nmi ? "nmi" : "fixed");
    if (how->freezes)
        put_decimal("freeze", 1);
}

void emit_run(const struct run *run)
{
    put_map.workload = run->workload;
    put_map.workload_at = (uint64_t)run->workload->code;
    put_begin("run");
    put_decimal("n", run->number);
    put_text("method", run->method->name);
    put_text("workload", run->workload->name);
    put_filter(run);
    put_processor(run);
    if (run->info) {
        put_key("info");
        info_put_words(&put_line, run->info);
    }
    if (run->method->ring_buffer)
        put_decimal("buffer", run->capacity);
    if (method_is_interrupted(run->method))
        put_interrupt_config(&run->interrupt_config);
    put_finish();
}

void emit_infos(const struct run *run, const struct info *infos, size_t count)
{
    for (size_t at = 0, same; at < count; at += same) {
        for (same = 1; at + same < count && info_same(&infos[at], &infos[at + same]);
             same++) {
        }
        put_begin("info");
        for (enum info_word i = 0; i < INFO_WORDS; i++) {
            if (!(run->info & INFO_HAS(i)))
                continue;
            put_key(info_names[i]);
            info_put_value(&put_line, i, infos[at].values[i]);
        }
        if (same > 1)
            put_times(same);
        put_finish();
    }
}

/* ` dr6=0xffff4ff0:12,0xffff0ff0:1`: a value, and at how many exceptions it was that. */
static void put_debug_status(const struct debug_status *status)
{
    for (size_t i = 0; i < status->count; i++) {
        if (i)
            text_string(&put_line, ",");
        else
            put_key("dr6");
        text_string(&put_line, "0x");
        text_hex(&put_line, status->at[i].dr6);
        if (!status->at[i].times)
            continue;
        text_string(&put_line, ":");
        text_decimal(&put_line, status->at[i].times);
    }
    if (status->others) {
        text_string(&put_line, ",other:");
        text_decimal(&put_line, status->others);
    }
}

/* ` differed=0,17,4`: of each try the record at which it was not as expected, or 0. */
static void put_differed(const uint64_t *differed, uint32_t repeated)
{
    put_key("differed");
    for (uint32_t i = 0; i <= repeated; i++) {
        if (i)
            text_string(&put_line, ",");
        text_decimal(&put_line, differed[i]);
    }
}

void emit_ran(const struct run *run, const struct run_result *run_result,
              const struct tries *tries)
{
    const struct window_exit *window_exit = &run_result->window_exit;
    const struct trace *trace = &run_result->trace;
    const struct interrupts *interrupts = &trace->interrupts;
    put_begin("ran");
    put_decimal("n", run->number);
    put_text("outcome", outcome_names[window_exit->outcome]);
    put_decimal("records", trace->count);
    put_decimal("events", trace->events);
    put_decimal("lost", trace->lost);
    put_decimal("ticks", window_exit->ticks);
    if (trace->wrong_path)
        put_decimal("wrong_path", trace->wrong_path);
    if (trace->inserts.counted)
        put_decimal("inserts", trace->inserts.count);
    else if (trace->inserts.asked)
        put_text("inserts", "absent");
    if (run->smp) {
        put_decimal("armed", run_result->armed);
        put_decimal("open", window_exit->open);
    }
    put_if_any("repeated", run_result->repeated);
    if (tries->any)
        put_differed(tries->differed, run_result->repeated);
    put_if_any("smis", run_result->hit.smis);
    put_if_any("nmis", run_result->hit.nmis);
    put_debug_status(&trace->debug_status);
    if (method_is_interrupted(run->method)) {
        if (run->interrupt_config.period)
            put_decimal("counted", interrupts->counted);
        put_decimal("entries", interrupts->entries);
        put_decimal("returns", interrupts->returns);
        if (!interrupts->late_unknown) {
            put_decimal("skid", interrupts->skid);
            put_decimal("most", interrupts->most);
        }
        put_decimal("unmasked", interrupts->unmasked);
    }
    if (run->workload->flags & WORKLOAD_RESULT && window_exit->outcome == ENDED)
        put_hex("result", window_exit->result);
    if (window_exit->outcome == CRASHED) {
        put_decimal("vector", window_exit->vector);
        put_key("at");
        log_put_end(&put_line, &put_map, window_exit->at, LOG_TO);
    }
    put_finish();
}

void emit_repeats(const struct run *run, const struct repeats *repeats)
{
    put_begin("cost");
    put_decimal("n", run->number);
    put_decimal("asked", repeats->asked);
    put_decimal("made", repeats->made);
    put_decimal("least", repeats->least);
    put_decimal("most", repeats->most);
    put_finish();
}

void emit_skip(const struct run *run, const struct skip_reason *reason)
{
    put_begin("skip");
    put_decimal("n", run->number);
    put_text("method", run->method->name);
    put_text("workload", run->workload->name);
    put_filter(run);
    put_processor(run);
    put_key("why");
    skip_put(&put_line, reason);
    put_finish();
}
