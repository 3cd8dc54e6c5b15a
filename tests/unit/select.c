// LINK: workloads everybranch
#include "tools/report/select.c"

#include <unistd.h>

#include "test.h"
#include "traced.h"

static struct loaded places[2], *workloads[] = { &places[0], &places[1] };
static struct workload owns[2] = { { .name = "first" }, { .name = "second" } };
static struct run runs[8];
static struct log the_log;

static void empty(void)
{
    for (int i = 0; i < 2; i++)
        places[i] = (struct loaded){ .own = &owns[i], .number = (size_t)i, .at = CODE };
    the_log = (struct log){ .name = "made.log",
                            .machine.caller = { .call = CALL, .back = BACK },
                            .workloads = workloads,
                            .workload_count = 2,
                            .runs = runs };
}

/* A run of so many events whose one record is from there to the workload. */
static struct run *ran_from(uint64_t from, const char *method, int workload,
                            uint64_t events)
{
    size_t n = the_log.run_count++;

    runs[n] = (struct run){ .method = method_named(method),
                            .workload = &places[workload],
                            .number = n + 1,
                            .line = 10 * (n + 1),
                            .ran.events = events };
    add_line(&runs[n], (struct branch){ from, CODE, 0 }, 0, 1);
    return &runs[n];
}

/* Its one record is whole: it begins with the call. */
static struct run *ran(const char *method, int workload, uint64_t events)
{
    return ran_from(method_named(method)->stops ? BRANCH_UNKNOWN : CALL, method, workload,
                    events);
}

/* The numbers of the runs that are chosen, as digits; what is said goes to the file. */
static const char *chosen(struct selection wish)
{
    static char digits[9];
    const struct run **out;
    size_t count = select_runs(&the_log, &wish, &out);

    for (size_t i = 0; i < count; i++)
        digits[i] = (char)('0' + out[i]->number);
    digits[count] = 0;
    free(out);
    return digits;
}

static char said[500];

/* The same, with standard error kept in said[]. */
static const char *refused(struct selection wish)
{
    FILE *file = tmpfile();
    int was = dup(STDERR_FILENO);
    const char *digits;

    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    digits = chosen(wish);
    fflush(stderr);
    dup2(was, STDERR_FILENO);
    close(was);
    rewind(file);
    said[fread(said, 1, sizeof(said) - 1, file)] = 0;
    fclose(file);
    return digits;
}

TEST(the_buffer_that_sees_handlers_is_first)
{
    empty();
    ran("step", 0, 9);
    ran("btf", 0, 5);
    ran("btf+lbr", 0, 5);
    ran("lbr", 0, 0);
    ran("bts", 0, 0);
    ran("bts-pmi", 0, 3);
    CHECK_TEXT(chosen((struct selection){ 0 }), "5");
}

TEST(to_see_handlers_is_worth_events)
{
    empty();
    ran("btf+lbr", 0, 5);
    ran("bts-each", 0, 50);
    CHECK_TEXT(chosen((struct selection){ 0 }), "2");
}

TEST(without_it_the_fewest_events_that_tell_from_are)
{
    empty();
    ran("step", 0, 9);
    ran("btf", 0, 5);
    ran("btf+lbr", 0, 5);
    CHECK_TEXT(chosen((struct selection){ 0 }), "3");
    empty();
    ran("btf", 0, 5);
    ran("step", 0, 9);
    CHECK_TEXT(chosen((struct selection){ 0 }), "2");
}

TEST(a_whole_trace_is_before_a_ring_that_turned)
{
    empty();
    ran("step", 0, 9);
    ran_from(CODE, "bts", 0, 0);
    CHECK_TEXT(chosen((struct selection){ 0 }), "1");
}

TEST(what_lost_records_or_did_not_end_is_last)
{
    empty();
    ran("bts", 0, 0)->ran.lost = 1;
    ran("step", 0, 9);
    CHECK_TEXT(chosen((struct selection){ 0 }), "2");
    empty();
    ran("bts", 0, 0)->ran.outcome = CRASHED;
    ran("btf", 0, 9)->ran.lost = 1;
    CHECK_TEXT(chosen((struct selection){ 0 }), "2");
}

TEST(what_records_all_is_before_what_is_filtered_or_silent)
{
    empty();
    ran("none", 0, 0);
    ran("bts", 0, 0)->filter = 1;
    ran("step", 0, 9);
    CHECK_TEXT(chosen((struct selection){ 0 }), "3");
    the_log.run_count--;
    CHECK_TEXT(chosen((struct selection){ 0 }), "2");
}

TEST(samples_are_no_trace)
{
    empty();
    ran("pmi", 0, 1);
    ran("btf", 0, 9)->ran.outcome = CRASHED;
    CHECK_TEXT(chosen((struct selection){ 0 }), "2");
}

TEST(of_equals_the_first_is_taken)
{
    empty();
    ran("bts", 0, 0);
    ran("bts", 0, 0);
    CHECK_TEXT(chosen((struct selection){ 0 }), "1");
    CHECK_TEXT(chosen((struct selection){ .run = 2 }), "2");
}

TEST(each_workload_has_its_own)
{
    empty();
    ran("step", 0, 9);
    ran("bts", 0, 0)->skipped = true;
    ran("step", 1, 9);
    ran("bts", 1, 0);
    CHECK_TEXT(chosen((struct selection){ 0 }), "14");
    CHECK_TEXT(chosen((struct selection){ .method = "step" }), "13");
    CHECK_TEXT(chosen((struct selection){ .method = "bts" }), "4");
    CHECK_TEXT(chosen((struct selection){ .workloads = "second" }), "4");
    CHECK_TEXT(chosen((struct selection){ .workloads = "second,first" }), "14");
    CHECK_TEXT(chosen((struct selection){ .run = 3 }), "3");
}

TEST(what_is_not_there_is_said)
{
    empty();
    ran("step", 0, 9);
    ran("bts", 0, 0)->skipped = true;
    runs[1].skip = SKIP_NO_APIC;
    ran("bts", 1, 0);
    CHECK_TEXT(refused((struct selection){ .run = 4 }), "");
    CHECK_TEXT(said, "everybranch: made.log: no run 4; it has 3\n");
    CHECK_TEXT(refused((struct selection){ .run = 2 }), "");
    CHECK_TEXT(said, "everybranch: made.log:20: run 2, bts first, was skipped: "
                     "the local APIC is off: no interrupt would come\n");
    CHECK_TEXT(refused((struct selection){ .method = "lbr" }), "");
    CHECK_TEXT(said, "everybranch: made.log: no run by method lbr; it has step, bts\n");
    CHECK_TEXT(refused((struct selection){ .workloads = "first,sec" }), "");
    CHECK_TEXT(said,
               "everybranch: made.log: no run of workload sec; it has first, second\n");
    CHECK_TEXT(refused((struct selection){ .method = "step", .workloads = "second" }), "");
    CHECK_TEXT(said,
               "everybranch: made.log: no run is of both that method and that workload\n");
    empty();
    CHECK_TEXT(refused((struct selection){ 0 }), "");
    CHECK_TEXT(said, "everybranch: made.log: there is no run in it\n");
}
