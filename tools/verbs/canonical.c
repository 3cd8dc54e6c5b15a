/*
 * `cat`: a log without trailers and without addresses that differ from machine to
 * machine, folded in the one way that common/fold.c folds, so that the logs of two
 * machines can be compared with diff.
 */
#include "canonical.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folded.h"
#include "heap.h"
#include "infos.h"
#include "json_log.h"
#include "processors.h"
#include "read.h"
#include "verbs.h"

#define DATA_BYTES_PER_LINE 144 /* as the kernel writes them */

static void print_base64(const char *word, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += DATA_BYTES_PER_LINE) {
        char buffer[LOG_LINE_MAX];
        struct text text = text_into(buffer, sizeof(buffer));
        size_t rest = size - at;

        text_base64(&text, bytes + at,
                    rest < DATA_BYTES_PER_LINE ? rest : DATA_BYTES_PER_LINE);
        printf("%s %s\n", word, buffer);
    }
}

static void print_bundled(const struct bundled *bundled)
{
    if (bundled->wrong.length) {
        printf("rejected file=\"%.*s\" why=\"%.*s\"\n", SPAN(bundled->file),
               SPAN(bundled->wrong));
        return;
    }
    printf("bundle file=\"%.*s\" bytes=%zu\n", SPAN(bundled->file), bundled->size);
    print_base64("bytes", bundled->bytes, bundled->size);
}

/* The bytes are portable: the same trace gives the same ones on every machine. */
static void print_packed(const struct run *run)
{
    const struct run_lines *lines = run->lines;

    printf("packed records=%llu bytes=%llu coder=%d\n", (unsigned long long)run->records,
           (unsigned long long)lines->size, PACK_CODER);
    print_base64("data", lines->bytes, lines->size);
}

static void print_ran(const struct log_map *map, const struct run *run)
{
    printf("ran n=%zu outcome=%s records=%llu", run->number, outcome_names[run->outcome],
           (unsigned long long)run->records);
    if (!method_is_interrupted(
            run->method)) /* so many, and so late, as the processor's skid has it */
        printf(" events=%llu", (unsigned long long)run->events);
    printf(" lost=%llu", (unsigned long long)run->lost);
    if (run->debug_status.text.length)
        printf(" dr6=%.*s", SPAN(run->debug_status.text));
    if (run->has_result)
        printf(" result=0x%llx", (unsigned long long)run->result);
    if (run->outcome == CRASHED) {
        char *at = place_text(map, run->crashed_at, LOG_TO);

        printf(" vector=%llu at=%s", (unsigned long long)run->vector, at);
        free(at);
    }
    putchar('\n');
}

/* By its name, which is the same on every machine. */
static void print_counter(const struct log *log, const struct run *run)
{
    const struct pmu *pmu = pmu_find(&log->cpu.id);
    const struct pmu_event *event = counted_event(log, run);

    printf(" event=");
    for (enum event_name i = 0; event && i < EVENT_NAMES; i++)
        if (pmu_event_named(pmu, i) == event)
            printf("%s", event_names[i]);
    if (!event)
        printf("0x%llx/0x%llx", (unsigned long long)run->drained.event,
               (unsigned long long)run->drained.umask);
    printf(" period=%llu delivery=%s%s", (unsigned long long)run->drained.period,
           run->drained.nmi ? "nmi" : "fixed", run->drained.freezes ? " freeze=1" : "");
}

/* False: not all of its records can be unpacked. */
static bool print_run(struct log *log, const struct run *run, bool packed)
{
    struct log_map map = map_of(log, run->workload);

    printf("%s n=%zu method=%s workload=%s", run->skipped ? "skip" : "run", run->number,
           run->method->name, run->workload->own->name);
    if (run->filtered)
        printf(" filter=%s", filter_words(run->filter));
    if (run->turn)
        printf(" processor=%zu", run->processor);
    if (run->skipped) {
        printf(" why=%.*s\n", SPAN(run->reason));
        return true;
    }
    if (run->method->ring_buffer)
        printf(" buffer=%llu", (unsigned long long)run->capacity);
    if (run->method->pmi_drained)
        printf(" buffer=%llu threshold=%llu delivery=%s",
               (unsigned long long)run->drained.buffer,
               (unsigned long long)run->drained.threshold,
               run->drained.nmi ? "nmi" : "fixed");
    if (run->method->counter_driven)
        print_counter(log, run);
    putchar('\n');
    if (packed && run->lines && run->lines->bytes) {
        print_packed(run);
    } else {
        folded_print(log, &map, run);
        if (!records_hold(log, run))
            return false;
        records_free(run, run + 1 < log->runs + log->run_count ? run + 1 : NULL);
    }
    print_ran(&map, run);
    return true;
}

static void print_workload(const struct workload *w)
{
    printf("workload name=%s size=0x%x stubs=%u about=\"%s\"\n", w->name, w->size,
           w->stub_count, w->about);
}

static void print_cpu(const struct log *log)
{
    printf("cpu microcode=%.*s brand=\"%.*s\"\n", SPAN(log->cpu.microcode),
           SPAN(log->cpu.brand));
    printf("model name=%s\n", log->cpu.row ? log->cpu.row->name : "unknown");
    for (size_t i = 0; i < FACILITY_COUNT; i++)
        if (log->cpu.facilities[i].line)
            printf("facility name=%s outcome=%s evidence=\"%.*s\"\n", facility_names[i],
                   probe_result_name(log->cpu.facilities[i].probe_result),
                   SPAN(log->cpu.facilities[i].evidence));
}

/* How they were started, and their APICs' numbers, differ from machine to machine. */
static void print_processors_of(const struct log *log)
{
    if (log->processors_line)
        printf("processors started=%llu together=%s\n",
               (unsigned long long)log->processors_started,
               log->different ? "different" : "same");
    for (size_t i = 0; i < log->processor_count; i++) {
        const struct log of = log_of_processor(log, i);

        printf("processor n=%zu like=%zu\n", i, log->processors[i].like);
        if (i && log->processors[i].like == i)
            print_cpu(&of);
    }
}

static void print_machine(const struct log *log)
{
    printf("everybranch log=%d build=%.*s\n", LOG_VERSION, SPAN(log->build));
    printf("firmware vendor=\"%.*s\" revision=%.*s\n", SPAN(log->vendor),
           SPAN(log->revision));
    if (log->bios_line)
        printf("bios vendor=\"%.*s\" version=\"%.*s\" date=\"%.*s\" secure_boot=%.*s\n",
               SPAN(log->bios_vendor), SPAN(log->bios_version), SPAN(log->bios_date),
               SPAN(log->secure_boot));
    if (log->system_line)
        printf("system vendor=\"%.*s\" product=\"%.*s\" board_vendor=\"%.*s\" "
               "board_product=\"%.*s\"\n",
               SPAN(log->system_vendor), SPAN(log->system_product), SPAN(log->board_vendor),
               SPAN(log->board_product));
    if (log->left_line)
        printf("left debugctl=%.*s%s%.*s%s%.*s\n", SPAN(log->left.debugctl),
               log->left.lbr_ctl.length ? " lbr_ctl=" : "", SPAN(log->left.lbr_ctl),
               log->left.counters.length ? " counters=" : "", SPAN(log->left.counters));
    print_cpu(log);
    print_processors_of(log);
    for (size_t i = 0; i < log->bundled_count; i++)
        print_bundled(log->bundled[i]);
    for (size_t i = 0; i < log->planned_count && !log->by_command; i++)
        print_workload(log->planned[i]->own);
    for (size_t i = 0; i < log->workload_count && log->by_command; i++)
        print_workload(log->workloads[i]->own);
}

static void print_logged(const struct logged *logged)
{
    if (logged->kind == TOLD_LINE)
        printf("%.*s\n", SPAN(logged->text));
    else if (logged->kind != TOLD_FACILITY) /* those stand at the top */
        printf("%s text=\"%.*s\"\n", logged->kind == TOLD_COMMAND ? "command" : "answer",
               SPAN(logged->text));
}

static void print_end(const struct log *log)
{
    uint64_t records = 0;
    size_t skipped = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        records += log->runs[i].records;
        skipped += log->runs[i].skipped;
    }
    printf("end runs=%zu ran=%zu skipped=%zu records=%llu\n", log->run_count,
           log->run_count - skipped, skipped, (unsigned long long)records);
}

bool canonical(struct log *log, bool packed)
{
    print_machine(log);
    for (size_t run = 0, logged = 0; run < log->run_count || logged < log->logged_count;) {
        bool logged_first =
            logged < log->logged_count &&
            (run == log->run_count || log->logged[logged].line < log->runs[run].line);

        if (logged_first)
            print_logged(&log->logged[logged++]);
        else if (!print_run(log, &log->runs[run++], packed))
            return false;
    }
    print_end(log);
    return true;
}

/* Stops are told as such: the branches between them are `show`'s to work out. */
static void json_stop(struct json *json, struct place_words *words, const struct run *run,
                      const struct branch *stop, uint64_t times)
{
    json_object(json, NULL);
    json_span(json, "to", place_word(words, stop->to, LOG_TO));
    if (run->method->sampled || !stop->info)
        json_null(json, "taken");
    else
        json_bool(json, "taken", stop->info == STOP_TAKEN);
    json_count(json, "late", run->method->sampled ? stop->info : 0);
    json_count(json, "times", times);
    json_close(json);
}

static void json_stops(struct json *json, const struct log *log, const struct log_map *map,
                       const struct run *run)
{
    static struct place_words words;
    const struct run_records stops = run_records(log, run);

    place_words_of(&words, map);
    json_array(json, "records");
    for (uint64_t at = 0, end = 0; at < stops.count; at = end) {
        while (end < stops.count && branch_same(&stops.at[end], &stops.at[at]))
            end++;
        json_stop(json, &words, run, &stops.at[at], end - at);
    }
    json_close(json);
}

/* For programs: each run's records, equal neighbours as one. */
static void json_records(struct json *json, const struct log *log, const struct run *run)
{
    struct recorded recorded;
    struct log_map map = map_of(log, run->workload);

    json_object(json, NULL);
    json_run_names(json, run);
    json_text(json, "outcome", run->skipped ? "skipped" : outcome_names[run->outcome]);
    if (run->skipped) {
        char *why = skip_sentence(log, run);

        json_text(json, "why", why);
        free(why);
    } else {
        json_null(json, "why");
    }
    json_count(json, "count", run->records);
    json_count(json, "events", run->events);
    json_count(json, "lost", run->lost);
    if (run->method->stops)
        json_stops(json, log, &map, run);
    else
        json_transfers(json, "records", transfers_of(&recorded, log, run), &map);
    json_infos(json, run);
    json_close(json);
    records_free(run, NULL);
}

static void json_canonical(const struct log *log)
{
    struct json json;

    json_begin(&json, stdout, "cat");
    json_text(&json, "log", log->name);
    json_machine(&json, "machine", log);
    json_facilities(&json, log);
    json_array(&json, "runs");
    for (size_t i = 0; i < log->run_count; i++)
        json_records(&json, log, &log->runs[i]);
    json_close(&json);
    json_end(&json, EXIT_AS_EXPECTED);
}

static bool all_hold(struct log *log)
{
    bool whole = true;

    for (size_t i = 0; i < log->run_count; i++) {
        whole = whole && records_hold(log, &log->runs[i]);
        records_free(&log->runs[i], i + 1 < log->run_count ? &log->runs[i + 1] : NULL);
    }
    return whole;
}

/*
 * Text is printed up to a record that cannot be unpacked.  JSON that breaks off is none,
 * and packed bytes are printed whatever they hold, so for these all is unpacked before.
 */
static bool print(struct log *log, bool json, bool packed)
{
    if (!json && !packed)
        return canonical(log, packed);
    if (!all_hold(log))
        return false;
    if (json)
        json_canonical(log);
    else
        canonical(log, packed);
    return true;
}

int verb_cat(const struct given *given)
{
    struct log log;
    bool whole;

    log_read(&log, given->operands[0]);
    whole = !log.log_error && print(&log, given->json, given_has(given, "packed"));
    if (!whole) {
        char *where = where_text(&log, log.error_line);

        fprintf(stderr, "everybranch: %s: %s\n", where, log.log_error);
        free(where);
    }
    log_free(&log);
    return whole ? EXIT_AS_EXPECTED : EXIT_UNUSABLE;
}
