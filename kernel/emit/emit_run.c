/* A run: what is asked for before it, and what it came to. */
#include "emit.h"

#include "filter.h"
#include "method_facts.h"
#include "pmi_collector.h"
#include "put.h"
#include "text.h"

static struct span filter_of(const struct run_request *run, char name[FILTER_TEXT_SIZE])
{
    return run->filtered ? span_of(filter_text(run->filter, name)) : (struct span){ 0 };
}

static struct log_number processor_of(const struct run_request *run)
{
    return run->smp ? log_number(run->processor) : (struct log_number){ 0 };
}

static void take_interrupt_config(struct run_line *line, const struct interrupt_config *how)
{
    line->nmi = how->nmi;
    line->freeze = how->freezes;
    line->period = how->period;
    if (how->period) {
        line->event = (struct log_event){ how->event, how->umask };
    } else {
        line->buffer = log_number(how->buffer);
        line->threshold = log_number(how->threshold);
    }
}

void emit_run(const struct run_request *run)
{
    char filter[FILTER_TEXT_SIZE], words[LOG_LINE_MAX];
    struct text info = text_into(words, sizeof words);
    struct run_line line = { .n = run->number,
                             .method = span_of(run->method->name),
                             .workload = span_of(run->workload->name),
                             .filter = filter_of(run, filter),
                             .processor = processor_of(run) };
    put_map.workload = run->workload;
    put_map.workload_at = (uint64_t)run->workload->code;
    if (run->info) {
        info_put_words(&info, run->info);
        line.info = span_of(words);
    }
    if (run->method->ring_buffer)
        line.buffer = log_number(run->capacity);
    if (run->packet_buffer)
        line.buffer = log_number(run->packet_buffer);
    if (method_is_interrupted(run->method))
        take_interrupt_config(&line, &run->interrupt_config);
    put(WORD_RUN, &line);
}

void emit_ran(const struct run_request *run, const struct run_result *run_result,
              const struct run_tries *run_tries)
{
    const struct window_exit *window_exit = &run_result->window_exit;
    struct ran_line line = run_result->trace.ran;
    char words[LOG_LINE_MAX];
    struct text place = text_into(words, sizeof words);
    line.n = run->number;
    line.outcome = window_exit->outcome;
    line.records = run_result->trace.count;
    line.ticks = window_exit->ticks;
    line.open = window_exit->open;
    if (run_tries->any)
        line.tries = run_tries->tries;
    if (run->smp)
        line.armed.is = LOG_THERE;
    if (method_is_interrupted(run->method))
        pmi_collector_fields(&line, &run->interrupt_config, run->cpu->pmu);
    if (run->workload->flags & WORKLOAD_RESULT && window_exit->outcome == ENDED)
        line.result = log_number(window_exit->result);
    if (window_exit->outcome == CRASHED) {
        line.vector = log_number(window_exit->vector);
        log_put_end(&place, &put_map, window_exit->at, LOG_TO);
        line.at = span_of(words);
    }
    put(WORD_RAN, &line);
}

void emit_skip(const struct run_request *run, const struct skip_reason *reason)
{
    char filter[FILTER_TEXT_SIZE], words[LOG_LINE_MAX];
    struct text why = text_into(words, sizeof words);
    skip_put(&why, reason);
    put(WORD_SKIP, &(struct skip_line){ .n = run->number,
                                        .method = span_of(run->method->name),
                                        .workload = span_of(run->workload->name),
                                        .filter = filter_of(run, filter),
                                        .processor = processor_of(run),
                                        .why = span_of(words) });
}
