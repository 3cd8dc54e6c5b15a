/*
 * The records of a log as perf's own file, so that `perf script` can be timed on what this
 * project's tools are timed on, and what it prints be held against what these print:
 * samples with branch stacks of 32.
 *
 *      perfdata LOG >perf.data
 *
 * The layout is that of the kernel's tools/perf/Documentation/perf.data-file-format.txt
 * and of <linux/perf_event.h>.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "tools/log/read.h"
#include "tools/log/records.h"

#define STACK 32

struct section {
    uint64_t offset, size;
};

struct file_head {
    char magic[8];
    uint64_t size, attr_size;
    struct section attrs, data, event_types;
    uint64_t features[4];
};

struct attr_with_ids {
    struct perf_event_attr attr;
    struct section ids;
};

struct sample {
    struct perf_event_header header;
    uint64_t ip;
    uint32_t pid, tid;
    uint64_t time, count;
    struct perf_branch_entry stack[STACK]; /* newest first */
};

static struct sample sample = {
    .header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, 0 }, .pid = 1, .tid = 1
};

static bool is_wanted(const struct run *run)
{
    return !run->skipped && !run->method->stops;
}

static void put_sample(void)
{
    size_t size =
        sizeof(sample) - (STACK - sample.count) * sizeof(struct perf_branch_entry);

    if (sample.count == 0)
        return;
    sample.header.size = (uint16_t)size;
    sample.ip = sample.stack[0].to;
    sample.time++;
    fwrite(&sample, size, 1, stdout);
    sample.count = 0;
}

static void put_run(const struct log *log, const struct run *run)
{
    const struct run_records records = run_records(log, run);

    for (uint64_t i = 0; i < records.count; i++) {
        sample.count++;
        memmove(&sample.stack[1], &sample.stack[0], (STACK - 1) * sizeof(sample.stack[0]));
        sample.stack[0] = (struct perf_branch_entry){ .from = records.at[i].from,
                                                      .to = records.at[i].to };
        if (sample.count == STACK)
            put_sample();
    }
    put_sample();
}

/* The length of the data, which the head tells and a pipe cannot be told later. */
static uint64_t data_size(const struct log *log)
{
    const uint64_t whole = sizeof(sample), entry = sizeof(struct perf_branch_entry);
    uint64_t size = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        uint64_t rest = log->runs[i].records % STACK;

        if (!is_wanted(&log->runs[i]))
            continue;
        size += log->runs[i].records / STACK * whole;
        size += rest ? whole - (STACK - rest) * entry : 0;
    }
    return size;
}

static void put_head(const struct log *log)
{
    struct attr_with_ids attr = { .attr = { .type = PERF_TYPE_HARDWARE,
                                            .size = sizeof(struct perf_event_attr),
                                            .config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
                                            .sample_period = STACK } };
    struct file_head head = { .magic = { 'P', 'E', 'R', 'F', 'I', 'L', 'E', '2' },
                              .size = sizeof(head) };

    attr.attr.sample_type =
        PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_BRANCH_STACK;
    attr.attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
    head.attr_size = sizeof(attr);
    head.attrs = (struct section){ sizeof(head), sizeof(attr) };
    head.data = (struct section){ sizeof(head) + sizeof(attr), data_size(log) };
    fwrite(&head, sizeof(head), 1, stdout);
    fwrite(&attr, sizeof(attr), 1, stdout);
}

int main(int argc, char **argv)
{
    static struct log log;

    log_read(&log, argc == 2 ? argv[1] : "");
    if (log.log_error) {
        fprintf(stderr, "perfdata: %s\n", log.log_error);
        return 2;
    }
    put_head(&log);
    for (size_t i = 0; i < log.run_count; i++)
        if (is_wanted(&log.runs[i]))
            put_run(&log, &log.runs[i]);
    log_free(&log);
    return ferror(stdout) != 0;
}
