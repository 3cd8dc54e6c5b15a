/*
 * A run made by hand: a few bytes of code, and the records that a method left of them.
 */
#pragma once

#include <stdlib.h>

#include "ends.h"
#include "lines.h"

#define IMAGE 0x6000 /* all of the kernel's, 0x4000 long */

#define AT(offset) (CODE + (uint64_t)(offset))
#define WHO_KNOWS  BRANCH_UNKNOWN

struct traced {
    struct log log;
    struct loaded loaded, *workload;
    struct workload own;
    struct run run;
};

static inline struct run *traced(struct traced *t, const char *method, const uint8_t *code,
                                 uint32_t size)
{
    *t = (struct traced){
        .own = { .name = "made", .code = code, .size = size },
        .loaded = { .own = &t->own, .at = CODE },
        .workload = &t->loaded,
        .log = { .name = "made.log",
                 .machine = { .caller = { .call = CALL, .back = BACK },
                              .image = { .base = IMAGE, .size = 0x4000 } } },
        .run = { .method = method_named(method),
                 .workload = &t->loaded,
                 .cpu = &t->log.machine.cpu },
    };
    t->log.workloads = &t->workload;
    t->log.workload_count = 1;
    t->log.runs = &t->run;
    t->log.run_count = 1;
    return &t->run;
}

static inline void record(struct traced *t, uint64_t from, uint64_t to)
{
    add_line(&t->run, (struct branch){ from, to, 0 }, 0, 1);
}

static inline void again(struct traced *t, uint32_t records, uint32_t times)
{
    add_line(&t->run, (struct branch){ 0 }, records, times);
}
