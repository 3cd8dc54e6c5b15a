/*
 * A run in rows: the records that a method left of the code above (assembled.h).
 *
 *     stubs 80:f 6:f
 *     run bts C-0 3-8 8-f again 2 x3
 *
 * `stubs` has vectors and their handlers, `part` has code in ring 3; both hold until the
 * next `code`.  A record without a "-" is a stop.  Before the records may come
 *
 *     at OFFSET          where its code lies, after CODE
 *     on MODEL FILTER    the processor and the filter of the run
 *     crashed AT         the run ended so, or it...
 *     unended            ...did not end
 */
#pragma once

#include "assembled.h"
#include "traced.h"

#include "filter.h"

static struct traced t;
static struct stub run_stubs[4];
static struct part run_part;

/* stubs VECTOR:OFFSET ..., in hex */
VERB(stubs)
{
    memset(run_stubs, 0, sizeof(run_stubs));
    for (size_t i = 0; !row_is_read() && i < 4; i++) {
        char *end;
        const char *word = row_word();

        run_stubs[i].vector = (uint32_t)strtoul(word, &end, 16);
        run_stubs[i].offset = (uint32_t)strtoul(end + 1, NULL, 16);
    }
}

/* part FROM TO: in ring 3, up to TO */
VERB(part)
{
    run_part.begin = (uint32_t)row_hex();
    run_part.end = (uint32_t)row_hex();
    run_part.flags = PART_RING3;
}

static inline uint32_t filter_from_row(void)
{
    const char *word = row_word();
    uint32_t bits = 0;

    if (!filter_read(word, strlen(word), &bits))
        row_fails("%s: no such filter", word);
    return bits;
}

static inline void run_options(void)
{
    if (row_has("at"))
        t.loaded.at += row_hex();
    if (row_has("on")) {
        t.log.machine.cpu.row = model_named(row_word());
        t.run.filter = filter_from_row();
    }
    if (row_has("crashed")) {
        t.run.ran.outcome = CRASHED;
        t.run.crashed_at = AT(row_hex());
    } else if (row_has("unended")) {
        t.run.ran.outcome = BUDGET;
    }
}

/* A record, or "again RECORDS xTIMES". */
static inline void run_record(void)
{
    const char *word = row_word();

    if (strcmp(word, "again") == 0) {
        uint32_t records = (uint32_t)row_number();

        again(&t, records, (uint32_t)strtoul(row_word() + 1, NULL, 10));
    } else if (strchr(word, '-')) {
        struct transfer ends = ends_read(word);

        record(&t, ends.from, ends.to);
    } else {
        record(&t, BRANCH_UNKNOWN, end_read(&word, BACK));
    }
}

VERB(run)
{
    traced(&t, row_word(), code_bytes, code_size);
    t.own.stubs = run_stubs;
    while (t.own.stub_count < 4 && run_stubs[t.own.stub_count].vector)
        t.own.stub_count++;
    t.own.parts = &run_part;
    t.own.part_count = run_part.end > 0;
    run_options();
    while (!row_is_read())
        run_record();
}
