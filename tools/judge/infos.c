/*
 * The extra information of last-branch records: judges what no processor can say, and shows
 * it for people and for programs.  The type of branch is judged in judge_records.c.
 */
#include "infos.h"

#include <inttypes.h>
#include <stdlib.h>

#include "heap.h"
#include "judge_parts.h"
#include "unconfirmed.h"

/* Sums over all runs of a log. */
struct info_sum {
    uint32_t words;
    size_t records, mispredicted, in_tsx;
    uint32_t *cycles; /* those that are known */
    size_t timed, capacity;
};

static void add_cycles(struct info_sum *sum, uint32_t cycles)
{
    sum->cycles = grow(sum->cycles, &sum->capacity, sum->timed, sizeof(*sum->cycles));
    sum->cycles[sum->timed++] = cycles;
}

static void add_run(struct info_sum *sum, const struct run *run)
{
    sum->words |= run->info;
    sum->records += run->info_count;
    for (size_t i = 0; i < run->info_count; i++) {
        const struct info *info = &run->infos[i].info;

        sum->mispredicted += info->values[INFO_MISPREDICTED];
        sum->in_tsx += info->values[INFO_IN_TSX];
        if (run->info & INFO_HAS(INFO_CYCLES) && info->values[INFO_CYCLES] != INFO_UNKNOWN)
            add_cycles(sum, info->values[INFO_CYCLES]);
    }
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The lower one of two; some are known. */
static uint32_t median(struct info_sum *sum)
{
    qsort(sum->cycles, sum->timed, sizeof(*sum->cycles), by_number);
    return sum->cycles[(sum->timed - 1) / 2];
}

static void judge_transactions(struct run *run)
{
    for (size_t i = 0; i < run->info_count; i++) {
        const uint32_t *values = run->infos[i].info.values;

        if (values[INFO_IN_TSX] || values[INFO_ABORT]) {
            run_broke(run, "lbr-tsx", run->infos[i].line,
                      format_text("record %zu: got in_tsx=%" PRIu32 " and abort=%" PRIu32
                                  ", but no workload has a transaction",
                                  i + 1, values[INFO_IN_TSX], values[INFO_ABORT]));
            return;
        }
    }
}

/*
 * The first record's cycles began before the run.  The emulator counts no more than the
 * bytes of code since the record before.
 */
static void judge_cycles_of(const struct log *log, struct run *run)
{
    const struct run_records records = run_records(log, run);
    const bool exact = rule_place_of(run).emulated && !run->filter;
    uint64_t sum = 0;

    for (size_t i = 1; i < run->info_count && i < records.count; i++) {
        const uint64_t cycles = run->infos[i].info.values[INFO_CYCLES];
        const uint64_t bytes = records.at[i].from - records.at[i - 1].to;

        if (exact && cycles > bytes + 1 && bytes + 1) {
            run_broke(run, "lbr-cycles", run->infos[i].line,
                      format_text("record %zu: got cycles=%" PRIu64 " after %" PRIu64
                                  " bytes of code",
                                  i + 1, cycles, bytes));
            return;
        }
        sum += cycles == INFO_UNKNOWN ? 0 : cycles;
    }
    if (sum / CLOCKS_A_TICK > run->ran.ticks)
        run_broke(run, "lbr-cycles", run->end_line,
                  format_text("the records took %" PRIu64 " cycles, but the run %" PRIu64
                              " ticks",
                              sum, run->ran.ticks));
}

void judge_infos(const struct log *log, struct run *run)
{
    judge_transactions(run);
    if (run->info & INFO_HAS(INFO_CYCLES))
        judge_cycles_of(log, run);
}

void infos_report(const struct log *log)
{
    struct info_sum sum = { 0 };

    for (size_t i = 0; i < log->run_count; i++)
        add_run(&sum, &log->runs[i]);
    if (sum.records > 0) {
        printf("\n  info: of %zu records", sum.records);
        if (sum.words & INFO_HAS(INFO_MISPREDICTED))
            printf(", %zu mispredicted", sum.mispredicted);
        if (sum.words & INFO_HAS(INFO_IN_TSX))
            printf(", %zu in a transaction", sum.in_tsx);
        if (sum.timed > 0)
            printf(", median of cycles %" PRIu32, median(&sum));
        putchar('\n');
    }
    free(sum.cycles);
}

static struct text value_text(char *buffer, size_t capacity, enum info_word word,
                              const struct info *info)
{
    struct text text = text_into(buffer, capacity);

    info_put_value(&text, word, info->values[word]);
    return text;
}

/* As wide as its name, and as the longest type. */
static int column_width(enum info_word word)
{
    return word == INFO_TYPE ? 5 : (int)strlen(info_names[word]);
}

static void print_row(const struct run *run, const struct info *info)
{
    char value[16];

    for (enum info_word i = 0; i < INFO_WORDS; i++) {
        if (!(run->info & INFO_HAS(i)))
            continue;
        value_text(value, sizeof(value), i, info);
        printf("%*s  ", column_width(i), value);
    }
}

static void print_title(const struct run *run)
{
    fputs("\n  ", stdout);
    for (enum info_word i = 0; i < INFO_WORDS; i++)
        if (run->info & INFO_HAS(i))
            printf("%*s  ", column_width(i), info_names[i]);
    puts("record");
}

void infos_show(const struct log *log, const struct run *run)
{
    struct log_map map = map_of(log, run->workload);
    struct run_records records;

    if (run->info_count == 0)
        return;
    records = run_records(log, run);
    print_title(run);
    for (size_t i = 0; i < run->info_count && i < records.count; i++) {
        char *from = place_text(&map, records.at[i].from, LOG_FROM);
        char *to = place_text(&map, records.at[i].to, LOG_TO);

        fputs("  ", stdout);
        print_row(run, &run->infos[i].info);
        printf("%s -> %s\n", from, to);
        free(from);
        free(to);
    }
}

static void json_info(struct json *json, uint32_t words, const struct info *info)
{
    json_object(json, NULL);
    for (enum info_word i = 0; i < INFO_WORDS; i++) {
        uint32_t value = info->values[i];

        if (!(words & INFO_HAS(i)) || value == INFO_UNKNOWN)
            json_null(json, info_names[i]);
        else if (i == INFO_TYPE)
            json_text(json, info_names[i], info_types[value]);
        else
            json_count(json, info_names[i], value);
    }
    json_close(json);
}

void json_infos(struct json *json, const struct run *run)
{
    json_array(json, "info");
    for (size_t i = 0; i < run->info_count; i++)
        json_info(json, run->info, &run->infos[i].info);
    json_close(json);
}
