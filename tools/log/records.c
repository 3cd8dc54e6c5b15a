/* records.h */
#include "records.h"

#include <stdlib.h>

#include "heap.h"
#include "pack.h"
#include "parse.h"
#include "portable.h"

static void unfold(struct run_lines *lines)
{
    struct branch *out = lines->records;

    for (size_t i = 0; i < lines->count; i++) {
        const struct record_line *line = &lines->at[i];
        uint64_t count = (line->again ? line->again : 1ull) * line->times;

        if (line->again)
            for (; count > 0; count--, out++)
                *out = out[-(ptrdiff_t)line->again];
        else
            for (; count > 0; count--)
                *out++ = line->branch;
    }
    lines->record_count = (uint64_t)(out - lines->records);
}

/* True if the method can have made such a record. */
static bool is_plausible(const struct method_facts *method, const struct branch *record)
{
    if (!method->stops)
        return record->info == 0 &&
               (record->to != BRANCH_UNKNOWN || record->from == BRANCH_UNKNOWN);
    return record->from == BRANCH_UNKNOWN &&
           record->info <= (method->sampled ? LATE_MAX : STOP_NOT_TAKEN);
}

/*
 * Unpacks `count` records, or as many as there are before one that cannot be a record.
 * Most records came before, and are found by the unpacker's number for them.
 */
static uint64_t unpack(const struct log *log, const struct run *run, struct branch *out,
                       uint64_t count, bool *bytes_left)
{
    static struct pack pack;
    static struct branch known[PACK_KNOWN_MAX];
    const struct log_map map = map_of(log, run->workload);
    uint32_t known_count = 0;
    uint64_t done = 0;
    struct branch packed;

    unpack_begin(&pack, run->lines->bytes, run->lines->size);
    while (done < count && unpack_next(&pack, &packed)) {
        uint32_t number = pack_number(&pack);

        if (number < known_count) {
            out[done++] = known[number];
            continue;
        }
        if (!is_plausible(run->method, &packed))
            break;
        portable_to(&map, &packed, &out[done]);
        if (number == known_count)
            known[known_count++] = out[done];
        done++;
    }
    *bytes_left = done == count && !unpack_ended(&pack);
    return done;
}

struct run_records run_records(const struct log *log, const struct run *run)
{
    struct run_lines *lines = run->lines;

    if (!lines)
        return (struct run_records){ NULL, 0 };
    if (lines->stops != run->method->stops || lines->sampled != run->method->sampled)
        records_free(run, NULL);
    if (!lines->records && lines->packets) {
        packets_decode(log, run);
    } else if (!lines->records) {
        lines->records = malloc((run->records ? run->records : 1) * sizeof(struct branch));
        if (!lines->records)
            out_of_memory();
        lines->stops = run->method->stops;
        lines->sampled = run->method->sampled;
        if (lines->bytes)
            lines->record_count =
                unpack(log, run, lines->records, run->records, &lines->bytes_left);
        else
            unfold(lines);
    }
    return (struct run_records){ lines->records, lines->record_count };
}

bool first_record(const struct log *log, const struct run *run, struct branch *out)
{
    bool bytes_left;

    if (!run->lines)
        return false;
    if (run->lines->packets) {
        const struct run_records records = run_records(log, run);

        if (records.count)
            *out = records.at[0];
        return records.count > 0;
    }
    if (run->lines->bytes)
        return unpack(log, run, out, 1, &bytes_left) == 1;
    *out = run->lines->at[0].branch;
    return true;
}

void records_free(const struct run *run, const struct run *next)
{
    struct run_lines *lines = run->lines;

    if (!lines || (next && next->lines == lines))
        return;
    free(lines->records);
    lines->records = NULL;
}

void lines_free(struct run_lines *lines)
{
    if (!lines)
        return;
    free(lines->records);
    free(lines->wrong);
    lines->records = NULL; /* several runs may share them */
    lines->wrong = NULL;
}

bool records_hold(struct log *log, const struct run *run)
{
    uint64_t count;

    if (!run->lines || !run->lines->bytes || run->lines->packets)
        return true;
    count = run_records(log, run).count;
    if (run->lines->bytes_left)
        return log_error(log, run->lines->line,
                         "packed: there are bytes left after record %llu, the last one",
                         (unsigned long long)count);
    return count == run->records ||
           log_error(log, run->lines->line,
                     "packed: record %llu cannot be unpacked to a record of %s",
                     (unsigned long long)count + 1, run->method->name);
}

size_t line_of_record(const struct run *run, uint64_t index)
{
    const struct run_lines *lines = run->lines;
    uint64_t before = 0;

    if (!lines)
        return run->line;
    for (size_t i = 0; i < lines->count; i++) {
        const struct record_line *line = &lines->at[i];

        before += (line->again ? line->again : 1ull) * line->times;
        if (before > index)
            return line->line;
    }
    return lines->count ? lines->at[lines->count - 1].line : lines->line;
}

struct source *transfers_of(struct recorded *recorded, const struct log *log,
                            const struct run *run)
{
    const struct cpu_part *cpu = run->cpu;
    const struct loaded *loaded = run->workload;
    const struct run_records records = run_records(log, run);

    recorded_of(recorded, records.at, records.count, run->method, loaded->own, loaded->at,
                log->machine.caller.call);
    recorded->decoded = loaded->decoded;
    if (cpu->row)
        recorded_on(recorded, cpu->row, &cpu->id);
    return &recorded->source;
}
