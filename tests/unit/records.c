// LINK: workloads everybranch
/* From the lines of a run to the array of its records. */
#include "tools/log/records.c"

#include "lines.h"
#include "log_run.h"
#include "test.h"

static struct log the_log = { .name = "made.log" };
static struct loaded loaded = { .at = 0x5e010000 };
static uint8_t bytes[1 << 16];
static struct pack packing;

static struct branch letter(char name)
{
    return (struct branch){ (uint64_t)name * 16, 0x7000, 0 };
}

static struct run run_by(const char *method)
{
    loaded.own = own_workload((struct span){ "loop", strlen("loop") });
    return (struct run){ .method = method_named(method), .workload = &loaded };
}

/* The records as the letters they were made of. */
static const char *letters(const struct run *run)
{
    static char text[64];
    const struct run_records records = run_records(&the_log, run);
    size_t i = 0;

    for (; i < records.count && i < sizeof(text) - 1; i++)
        text[i] = (char)(records.at[i].from / 16);
    text[i] = 0;
    return text;
}

TEST(lines_stand_for_runs_and_bodies)
{
    struct run run = run_by("bts");

    add_line(&run, letter('a'), 0, 1);
    add_line(&run, letter('b'), 0, 3);
    add_line(&run, letter('?'), 2, 1); /* bb */
    add_line(&run, letter('c'), 0, 1);
    add_line(&run, letter('?'), 3, 2); /* bbc bbc */
    CHECK_TEXT(letters(&run), "abbbbbcbbcbbc");
    CHECK(run.records == 13);
    forget_lines(&run);
}

TEST(a_body_may_overlap_itself)
{
    struct run run = run_by("bts");

    add_line(&run, letter('a'), 0, 1);
    add_line(&run, letter('b'), 0, 1);
    add_line(&run, letter('?'), 1, 4);
    CHECK_TEXT(letters(&run), "abbbbb");
    forget_lines(&run);
}

TEST(each_record_has_the_line_that_stands_for_it)
{
    struct run run = run_by("bts");

    add_line(&run, letter('a'), 0, 2);
    add_line(&run, letter('b'), 0, 1);
    add_line(&run, letter('?'), 3, 2);
    CHECK(line_of_record(&run, 0) == 1 && line_of_record(&run, 1) == 1);
    CHECK(line_of_record(&run, 2) == 2);
    CHECK(line_of_record(&run, 3) == 3 && line_of_record(&run, 8) == 3);
    CHECK(line_of_record(&run, 9) == 3); /* none has it: the last line */
    forget_lines(&run);
}

TEST(a_run_without_lines_has_no_records)
{
    struct run run = run_by("bts");
    struct branch first;

    run.line = 7;
    CHECK(run_records(&the_log, &run).count == 0);
    CHECK(!first_record(&the_log, &run, &first));
    CHECK(line_of_record(&run, 0) == 7);
    CHECK(records_hold(&the_log, &run));
}

/* Packs so many records, `different` of them different; more bytes than those if asked. */
static struct run packed(const char *method, uint64_t count, uint64_t different,
                         size_t more)
{
    struct run run = run_by(method);
    size_t size;

    pack_begin(&packing, bytes, sizeof(bytes));
    for (uint64_t i = 0; i < count; i++)
        pack_add(&packing, &(struct branch){ 0x7000000000 + i % different, 0x700000, 0 });
    size = pack_end(&packing);
    add_packed(&run, bytes, size + more, count);
    run.lines->line = 5;
    return run;
}

static bool are_right(const struct run *run, uint64_t count, uint64_t different)
{
    const struct run_records got = run_records(&the_log, run);

    for (uint64_t i = 0; i < got.count; i++)
        if (got.at[i].from != 0x7000000000 + i % different || got.at[i].to != 0x700000)
            return false;
    return got.count == count;
}

/* More different ones than the unpacker remembers. */
TEST(packed_records_come_back)
{
    const uint64_t different[] = { 1, 2, 1000, PACK_KNOWN_MAX, PACK_KNOWN_MAX + 1, 12000 };

    for (size_t i = 0; i < sizeof(different) / sizeof(*different); i++) {
        struct run run = packed("bts", 20000, different[i], 0);
        struct branch first;

        CHECK(first_record(&the_log, &run, &first) && first.from == 0x7000000000);
        CHECK(!run.lines->records); /* that one alone was unpacked */
        CHECK(are_right(&run, 20000, different[i]));
        CHECK(records_hold(&the_log, &run));
        forget_lines(&run);
    }
}

static const char *error_of(struct run run)
{
    static char text[200];
    struct log log = { .name = "made.log" };

    CHECK(!records_hold(&log, &run));
    CHECK(log.error_line == 5);
    snprintf(text, sizeof(text), "%s", log.log_error ? log.log_error : "");
    arena_release(&log.memory);
    forget_lines(&run);
    return text;
}

TEST(what_is_no_record_of_the_method_ends_them)
{
    CHECK_TEXT(error_of(packed("step", 9, 2, 0)),
               "packed: record 1 cannot be unpacked to a record of step");
}

TEST(bytes_after_the_last_record_are_an_error)
{
    CHECK_TEXT(error_of(packed("bts", 9, 2, 8)),
               "packed: there are bytes left after record 9, the last one");
}

TEST(bytes_that_end_early_are_an_error)
{
    struct run run = packed("bts", 9000, 9000, 0);

    run.lines->size /= 2;
    CHECK(run_records(&the_log, &run).count < 9000);
    CHECK(strstr(error_of(run), "cannot be unpacked to a record of bts"));
}

/* `run=N`: what is freed for one user is there for the next, of whatever method. */
TEST(runs_share_their_lines)
{
    static struct run runs[3];
    struct run *one = &runs[0], *other = &runs[1], *stops = &runs[2];

    *one = packed("bts", 9, 2, 0);
    *other = *one;
    *stops = *one;
    stops->method = method_named("step");
    CHECK(are_right(one, 9, 2));
    records_free(one, other);
    CHECK(one->lines->records); /* the next run has the same */
    records_free(one, NULL);
    CHECK(!one->lines->records);
    CHECK(are_right(other, 9, 2));
    CHECK(run_records(&the_log, stops).count == 0); /* they are no stops */
    CHECK(are_right(other, 9, 2));
}
