/*
 * The processor of a run, its name in words, and what its lines stand for: which branches
 * pass, which event was counted.
 */
#include "log_run.h"

#include <stdio.h>

#include "heap.h"
#include "parsed.h"

size_t processors_of(const struct log *log)
{
    return log->machine.processor_count ? log->machine.processor_count : 1;
}

const struct cpu_part *cpu_of(const struct log *log, size_t processor)
{
    const struct machine *machine = &log->machine;
    size_t like =
        processor < machine->processor_count ? machine->processors[processor].said.like : 0;

    return like ? &machine->processors[like].part : &machine->cpu;
}

struct cpu_part *cpu_being_read(struct log *log)
{
    struct machine *machine = &log->machine;

    return machine->processor_read ? &machine->processors[machine->processor_read].part
                                   : &machine->cpu;
}

const char *row_name(const struct cpu_part *cpu)
{
    return cpu->row ? cpu->row->name : "unknown";
}

/* A processor that did not come back had its recorder armed as well. */
size_t runs_made_in_round(const struct log *log, size_t first)
{
    size_t made = 0;

    for (size_t i = first;
         i < log->run_count && log->runs[i].round_line == log->runs[first].round_line; i++)
        made += !log->runs[i].skipped && log->runs[i].end_line;
    return made;
}

const char *filter_words(uint32_t filter)
{
    static char text[FILTER_TEXT_SIZE];

    return filter_text(filter, text);
}

const char *filter_suffix(const struct run *run)
{
    static char suffix[sizeof(" filter=") + FILTER_TEXT_SIZE];

    snprintf(suffix, sizeof(suffix), " filter=%s", filter_words(run->filter));
    return run->filter ? suffix : "";
}

size_t filters_of(const struct log *log)
{
    return log->plan.filter_count ? log->plan.filter_count : 1;
}

struct record_filter run_record_filter(const struct run *run)
{
    const struct cpu_part *cpu = run->cpu;

    struct record_filter record_filter = record_filter_for(
        run->method, cpu->row, run->filter, run->workload->own, run->workload->at);

    record_filter.db_recorded =
        cpu->db_keeps_lbr && run->method->needs & NEEDS(FACILITY_LBR);
    record_filter.ends_in_event = cpu->under_linux;
    return record_filter;
}

bool run_has_tf_before(const struct run *run)
{
    return run->cpu && run->cpu->platform && run->cpu->platform->tf_before;
}

char *processor_text(const struct log *log, const struct run *run)
{
    return log->machine.processor_count > 1 ? format_text(" processor %zu", run->processor)
                                            : format_text("%s", "");
}

const struct pmu_event *counted_event(const struct run *run)
{
    const struct cpu_part *cpu = run->cpu;
    const struct pmu *pmu = pmu_find(&cpu->id);

    return pmu ? pmu_event_of(pmu, run->asked.event.event, run->asked.event.umask) : NULL;
}

bool counts_taken(const struct run *run)
{
    const struct pmu *pmu = pmu_find(&run->cpu->id);
    const struct pmu_event *event = counted_event(run);

    return pmu && event && !event->others && event == pmu_default(pmu);
}

bool counted_in_probe(const struct run *run)
{
    const struct facility_line *probe = &run->cpu->facilities[FACILITY_PMI];

    return counts_taken(run) && (probe->outcome == WORKS || probe->interrupts.value > 0);
}

size_t plan_once(const struct log *log)
{
    return log->plan.method_count * log->plan.workload_count * filters_of(log) *
           processors_of(log);
}

char *skip_sentence(const struct run *run)
{
    const struct cpu_part *cpu = run->cpu;
    char about[LOG_LINE_MAX], sentence[2 * LOG_LINE_MAX];
    struct text text = text_into(sentence, sizeof(sentence));

    for (enum facility i = 0; run->skip == SKIP_LACKS && i < FACILITY_COUNT; i++) {
        const struct facility_line *found = &cpu->facilities[i];

        if (span_is(run->skip_of, facility_names[i]) && found->line)
            return format_text("%s %s: %.*s", facility_names[i],
                               probe_result_name(found->outcome), SPAN(found->evidence));
    }
    snprintf(about, sizeof(about), "%.*s", SPAN(run->skip_of));
    skip_put_sentence(&text, &(struct skip_reason){ run->skip, about });
    return format_text("%s", sentence);
}
