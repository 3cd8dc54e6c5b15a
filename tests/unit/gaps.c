// LINK: workloads everybranch
/* A stream whose newest records may be copies, on a Skylake. */
#include "tools/judge/gaps.c"

#include "traced.h"

#include "test.h"

/* In: X three times, Y, X three times, and out; X is 10 -> 4, and Y 14 -> 0. */
#define X AT(0x10), AT(0x4)
#define Y AT(0x14), AT(0x0)

static const struct taken rows[] = {
    { .from = CALLER, .to = 0, .times = 1, .kind = KIND_ICALL },
    { .from = 0x10, .to = 4, .times = 3, .kind = KIND_JCC },
    { .from = 0x14, .to = 0, .times = 1, .kind = KIND_JCC },
    { .from = 0x10, .to = 4, .times = 3, .kind = KIND_JCC },
    { .from = 0x18, .to = CALLER, .times = 1, .kind = KIND_RET },
};

static struct run *stream(struct traced *t)
{
    static const uint8_t code[0x20];
    struct run *run = traced(t, "lbr-stream", code, sizeof(code));

    t->own.expect = rows;
    t->own.rows = 5;
    t->log.machine.cpu.row = model_named("skylake");
    t->log.machine.cpu.facilities[FACILITY_PMI] =
        (struct facility_line){ .interrupts = log_number(100), .typical = 50, .most = 100 };
    run->asked.period = 10;
    run->ran = (struct ran_line){ .events = 2,
                                  .entries = log_number(2),
                                  .returns = 2,
                                  .skid = log_number(50),
                                  .most = 20 };
    t->log.machine.cpu.lbr_depth = 4;
    run->gaps = 2;
    return run;
}

static void gap(struct traced *t)
{
    record(t, BRANCH_UNKNOWN, BRANCH_UNKNOWN);
}

/* Judges a stream whose second segment is the third X and that many copies of it. */
static struct run *judged(struct traced *t, size_t copies)
{
    struct run *run = stream(t);

    record(t, CALL, AT(0));
    record(t, X);
    record(t, X);
    gap(t);
    record(t, X);
    while (copies-- > 0)
        record(t, X);
    gap(t);
    record(t, Y);
    record(t, X);
    record(t, X);
    record(t, X);
    record(t, AT(0x18), BACK);
    judge_gaps(&t->log, run);
    run_decide(run);
    return run;
}

/*
 * The third X and its copy would fit as the X after Y, too, and then the last segment would
 * fit nowhere.
 */
TEST(a_copy_does_not_move_its_segment_past_the_next_one)
{
    struct traced t;
    struct run *run = judged(&t, 1);

    CHECK(run->verdict != FAIL);
    CHECK(run_found_by(run, "lbr-doubled"));
    arena_release(&run->findings.memory);
}

/* The second X of the first segment is a copy: the second segment begins with the genuine
 * one. */
TEST(a_segment_may_begin_with_the_branch_whose_place_a_copy_seemed_to_take)
{
    struct traced t;
    struct run *run = stream(&t);

    run->gaps = 1;
    record(&t, CALL, AT(0));
    record(&t, X);
    record(&t, X);
    gap(&t);
    record(&t, X);
    record(&t, X);
    record(&t, Y);
    record(&t, X);
    record(&t, X);
    record(&t, X);
    record(&t, AT(0x18), BACK);
    judge_gaps(&t.log, run);
    run_decide(run);
    CHECK(run->verdict != FAIL);
    CHECK(run_found_by(run, "lbr-doubled"));
    arena_release(&run->findings.memory);
}

/* One may be in the first segment, whose second X is a copy then, and one in the second. */
TEST(three_copies_of_a_record_are_one_too_many)
{
    struct traced t;
    struct run *run = judged(&t, 2);

    CHECK(run->verdict != FAIL);
    arena_release(&run->findings.memory);
    run = judged(&t, 3);

    CHECK(run->verdict == FAIL);
    arena_release(&run->findings.memory);
}
