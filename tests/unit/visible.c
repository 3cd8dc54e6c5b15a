// LINK: common/facts/model.c common/branch/pack.c common/log/portable.c
// LINK: common/facts/filter.c common/facts/info.c common/facts/method_facts.c
// LINK: common/expected/expected.c common/expected/skip_reason.c
// LINK: common/expected/record_filter.c common/branch/workload.c common/base/text.c
// LINK: common/facts/skip_code.c
#include "common/expected/visible.c"

#include "skip_reason.h"

#include "test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define AT   0x1000
#define CALL 0x5000
#define BACK 0x5002

static struct workload of_rows(const struct taken *rows, size_t count)
{
    return (struct workload){ .expect = rows, .rows = (uint32_t)count, .size = 0x100 };
}

#define ROW(from, to, kind, times)    \
    {                                 \
        from, "", to, "", kind, times \
    }
#define CALL_IN      ROW(CALLER, 0x00, KIND_ICALL, 1)
#define RETURN(from) ROW(from, CALLER, KIND_RET, 1)

/* What a source gives, as "from-to" in hex offsets, C for the caller, F for all ones. */
static const char *given(struct source *source)
{
    static char line[2000];
    char *end = line;
    struct transfer t;

    line[0] = '\0';
    while (source->next(source, &t) && end - line < 1900) {
        if (t.from == CALL)
            end += sprintf(end, "C-");
        else if (t.from == 0xffffffffffffffff)
            end += sprintf(end, "F-");
        else
            end += sprintf(end, "%x-", (unsigned)(t.from - AT));
        if (t.to == BACK)
            end += sprintf(end, "C ");
        else if (t.to == 0xffffffffffffffff)
            end += sprintf(end, "F ");
        else
            end += sprintf(end, "%x ", (unsigned)(t.to - AT));
    }
    return line;
}

static const char *seen(const struct taken *rows, size_t count, const char *method,
                        uint64_t keep)
{
    static struct workload workload;
    static struct expected expected;
    static struct visible visible;

    workload = of_rows(rows, count);
    expected_of(&expected, &workload, AT, CALL, BACK, NULL);
    visible_of(&visible, &expected.source, method_named(method), keep);
    return given(&visible.source);
}

/* The expected trace. */

TEST(rows_are_given_as_often_as_they_say)
{
    static const struct taken rows[] = { CALL_IN, ROW(5, 2, KIND_JCC, 3), RETURN(7) };

    CHECK_TEXT(seen(rows, COUNT(rows), "bts", 0), "C-0 5-2 5-2 5-2 7-C ");
}

TEST(groups_repeat_and_nest)
{
    static const struct taken rows[] = {
        CALL_IN,
        ROW(0, 0, ROW_REPEAT, 2),
        ROW(1, 2, KIND_JMP, 1),
        ROW(0, 0, ROW_REPEAT, 3),
        ROW(3, 4, KIND_JCC, 2),
        ROW(0, 0, ROW_END, 0),
        ROW(5, 6, KIND_JMP, 1),
        ROW(0, 0, ROW_END, 0),
        RETURN(7),
    };

    CHECK_TEXT(seen(rows, COUNT(rows), "bts", 0),
               "C-0 1-2 3-4 3-4 3-4 3-4 3-4 3-4 5-6 1-2 3-4 3-4 3-4 3-4 3-4 3-4 5-6 7-C ");
}

TEST(groups_nest_four_deep)
{
    static const struct taken rows[] = {
        ROW(0, 0, ROW_REPEAT, 2),
        ROW(0, 0, ROW_REPEAT, 1),
        ROW(0, 0, ROW_REPEAT, 2),
        ROW(0, 0, ROW_REPEAT, 2),
        ROW(1, 2, KIND_JMP, 1),
        ROW(0, 0, ROW_END, 0),
        ROW(3, 4, KIND_JMP, 1),
        ROW(0, 0, ROW_END, 0),
        ROW(0, 0, ROW_END, 0),
        ROW(0, 0, ROW_END, 0),
        RETURN(7),
    };

    CHECK_TEXT(seen(rows, COUNT(rows), "bts", 0),
               "1-2 1-2 3-4 1-2 1-2 3-4 1-2 1-2 3-4 1-2 1-2 3-4 7-C ");
}

TEST(a_group_of_one_is_given_once)
{
    static const struct taken rows[] = { ROW(0, 0, ROW_REPEAT, 1), ROW(1, 2, KIND_JMP, 1),
                                         ROW(0, 0, ROW_END, 0), RETURN(7) };

    CHECK_TEXT(seen(rows, COUNT(rows), "bts", 0), "1-2 7-C ");
}

TEST(rewinding_begins_anew_in_the_middle_of_a_group)
{
    static const struct taken rows[] = { ROW(0, 0, ROW_REPEAT, 2), ROW(1, 2, KIND_JMP, 2),
                                         ROW(0, 0, ROW_END, 0), RETURN(7) };
    struct workload workload = of_rows(rows, COUNT(rows));
    struct transfer ignored;
    struct expected expected;

    expected_of(&expected, &workload, AT, CALL, BACK, NULL);
    for (int i = 0; i < 3; i++)
        expected.source.next(&expected.source, &ignored);
    expected.source.rewind(&expected.source);
    CHECK_TEXT(given(&expected.source), "1-2 1-2 1-2 1-2 7-C ");
}

/* The views. */

static const struct taken loop[] = { CALL_IN, ROW(5, 2, KIND_JCC, 3), RETURN(7) };

TEST(depth_keeps_the_newest)
{
    CHECK_TEXT(seen(loop, COUNT(loop), "lbr", 4), "5-2 5-2 5-2 7-C ");
    CHECK_TEXT(seen(loop, COUNT(loop), "lbr", 1), "7-C ");
    CHECK_TEXT(seen(loop, COUNT(loop), "lbr", 5), "C-0 5-2 5-2 5-2 7-C ");
    CHECK_TEXT(seen(loop, COUNT(loop), "lbr", 6), "C-0 5-2 5-2 5-2 7-C ");
}

static const struct taken interrupt[] = {
    CALL_IN,
    ROW(0x00, 0x20, KIND_INT, 1), /* INT 48                        */
    ROW(0x22, 0x28, KIND_JMP, 1), /* in its handler                */
    ROW(0x2a, 0x02, KIND_IRET, 1),
    ROW(0x02, 0x10, KIND_JMP, 1), /* the instruction after it      */
    ROW(0x10, 0x02, KIND_JMP, 1), /* and there once more, stopped  */
    ROW(0x02, 0x10, KIND_JMP, 1),
    RETURN(0x12),
};

TEST(records_show_handlers)
{
    CHECK_TEXT(seen(interrupt, COUNT(interrupt), "bts", 0),
               "C-0 0-20 22-28 2a-2 2-10 10-2 2-10 12-C ");
}

TEST(stepping_on_branches_is_blind_in_handlers)
{
    CHECK_TEXT(seen(interrupt, COUNT(interrupt), "btf", 0), "C-0 2-10 10-2 2-10 12-C ");
    CHECK_TEXT(seen(interrupt, COUNT(interrupt), "btf+lbr", 0), "C-0 2-10 10-2 2-10 12-C ");
}

TEST(stepping_misses_the_branch_to_which_iret_returns_once)
{
    CHECK_TEXT(seen(interrupt, COUNT(interrupt), "step", 0), "C-0 10-2 2-10 12-C ");
}

TEST(a_branch_that_faulted_and_is_resumed_was_stopped_at)
{
    static const struct taken rows[] = {
        CALL_IN,
        ROW(0x04, 0x20, KIND_EXC, 1), /* a jump that faults */
        ROW(0x22, 0x04, KIND_IRET, 1),
        ROW(0x04, 0x10, KIND_IJMP, 1),
        RETURN(0x10),
    };

    CHECK_TEXT(seen(rows, COUNT(rows), "step", 0), "C-0 4-10 10-C ");
}

/* The INT returns to a jump that faults: no stop was there before it either. */
TEST(a_resumed_branch_after_an_iret_was_not_stopped_at)
{
    static const struct taken rows[] = {
        CALL_IN,
        ROW(0x02, 0x20, KIND_INT, 1),
        ROW(0x22, 0x04, KIND_IRET, 1),
        ROW(0x04, 0x30, KIND_EXC, 1),
        ROW(0x32, 0x04, KIND_IRET, 1),
        ROW(0x04, 0x10, KIND_IJMP, 1),
        RETURN(0x10),
    };

    CHECK_TEXT(seen(rows, COUNT(rows), "step", 0), "C-0 10-C ");
}

TEST(handlers_within_handlers_are_one_blind_stretch)
{
    static const struct taken rows[] = {
        CALL_IN,
        ROW(0x02, 0x20, KIND_INT, 1),
        ROW(0x21, 0x30, KIND_EXC, 1),
        ROW(0x32, 0x23, KIND_IRET, 1),
        ROW(0x24, 0x26, KIND_JMP, 1),
        ROW(0x28, 0x04, KIND_IRET, 1),
        RETURN(0x10),
    };

    CHECK_TEXT(seen(rows, COUNT(rows), "btf", 0), "C-0 10-C ");
}

TEST(an_iret_made_by_hand_is_a_branch_like_others)
{
    static const struct taken rows[] = { CALL_IN, ROW(4, 6, KIND_IRET, 1),
                                         ROW(6, 9, KIND_JMP, 1), RETURN(9) };

    CHECK_TEXT(seen(rows, COUNT(rows), "step", 0), "C-0 4-6 6-9 9-C ");
    CHECK_TEXT(seen(rows, COUNT(rows), "lbr", 32), "C-0 4-6 6-9 9-C ");
}

/* POPF at 2 clears TF, the one at 10 sets it again; at 13 stands a jump. */
static const struct taken popf[] = {
    CALL_IN,
    ROW(0x02, 0x03, KIND_TF_CLEARED, 1),
    ROW(0x04, 0x08, KIND_JMP, 1),
    ROW(0x09, 0x20, KIND_INT, 1),
    ROW(0x21, 0x0b, KIND_IRET, 1),
    ROW(0x10, 0x11, KIND_TF_SET, 1),
    ROW(0x11, 0x13, KIND_JMP, 1),
    ROW(0x13, 0x18, KIND_JMP, 1),
    RETURN(0x18),
};

TEST(stepping_sees_nothing_while_tf_is_clear)
{
    CHECK_TEXT(seen(popf, COUNT(popf), "btf", 0), "C-0 11-13 13-18 18-C ");
    CHECK_TEXT(seen(popf, COUNT(popf), "btf+lbr", 0), "C-0 11-13 13-18 18-C ");
    CHECK_TEXT(seen(popf, COUNT(popf), "step", 0), "C-0 13-18 18-C ");
}

TEST(marks_are_no_records)
{
    CHECK_TEXT(seen(popf, COUNT(popf), "bts", 0), "C-0 4-8 9-20 21-b 11-13 13-18 18-C ");
    CHECK_TEXT(seen(popf, COUNT(popf), "lbr", 4), "21-b 11-13 13-18 18-C ");
}

/* SYSCALL at 4 masks TF, a jump in its handler, SYSRET at 22 to 6, where there is a stop.
 */
static const struct taken masked[] = {
    CALL_IN,
    ROW(0x04, 0x20, KIND_TF_MASKED, 1),
    ROW(0x04, 0x20, KIND_FAR, 1),
    ROW(0x20, 0x22, KIND_JMP, 1),
    ROW(0x22, 0x06, KIND_TF_LOADED, 1),
    ROW(0x22, 0x06, KIND_FAR, 1),
    ROW(0x06, 0x08, KIND_JMP, 1),
    ROW(0x22, 0x06, KIND_FAR, 1), /* not masked: told as it is */
    RETURN(0x10),
};

TEST(stepping_leaps_over_a_system_call_that_masks_tf)
{
    CHECK_TEXT(seen(masked, COUNT(masked), "btf", 0), "C-0 22-6 6-8 22-6 10-C ");
    CHECK_TEXT(seen(masked, COUNT(masked), "btf+lbr", 0), "C-0 22-6 6-8 22-6 10-C ");
    CHECK_TEXT(seen(masked, COUNT(masked), "step", 0), "C-0 4-6 6-8 22-6 10-C ");
    CHECK_TEXT(seen(masked, COUNT(masked), "bts", 0), "C-0 4-20 20-22 22-6 6-8 22-6 10-C ");
}

/* There the SYSCALL traps, and the SYSRET does not: the jump after it is not seen. */
TEST(where_tf_counts_before_a_system_call_that_masks_it_traps)
{
    struct workload workload = of_rows(masked, COUNT(masked));
    struct expected expected;
    struct visible visible;

    expected_of(&expected, &workload, AT, CALL, BACK, NULL);
    expected.tf_before = true;
    visible_of(&visible, &expected.source, method_named("step"), 0);
    CHECK_TEXT(given(&visible.source), "C-0 4-20 22-6 10-C ");
    visible.source.rewind(&visible.source);
    CHECK_TEXT(given(&visible.source), "C-0 4-20 22-6 10-C ");
    visible_of(&visible, &expected.source, method_named("bts"), 0);
    CHECK_TEXT(given(&visible.source), "C-0 4-20 20-22 22-6 6-8 22-6 10-C ");
}

TEST(stepping_misses_the_branch_after_mov_ss)
{
    static const struct taken rows[] = {
        CALL_IN,
        ROW(0x02, 0x04, KIND_TF_HELD, 1),
        ROW(0x04, 0x08, KIND_JMP, 1),
        ROW(0x08, 0x04, KIND_JMP, 1), /* back, and stopped at this time */
        ROW(0x04, 0x08, KIND_JMP, 1),
        RETURN(0x10),
    };

    CHECK_TEXT(seen(rows, COUNT(rows), "step", 0), "C-0 8-4 4-8 10-C ");
    CHECK_TEXT(seen(rows, COUNT(rows), "btf", 0), "C-0 4-8 8-4 4-8 10-C ");
}

TEST(a_debug_exception_ends_lbr_and_leaves_no_record)
{
    static const struct taken rows[] = {
        CALL_IN,
        ROW(0x02, 0x04, KIND_JMP, 1),
        ROW(0x04, 0x20, KIND_DB, 1),
        ROW(0x21, 0x05, KIND_IRET, 1),
        RETURN(0x10),
    };

    CHECK_TEXT(seen(rows, COUNT(rows), "lbr", 32), "C-0 2-4 ");
    CHECK_TEXT(seen(rows, COUNT(rows), "lbr", 1), "2-4 ");
    CHECK_TEXT(seen(rows, COUNT(rows), "bts", 0), "C-0 2-4 21-5 10-C ");
}

#define UNKNOWN "6e6f676e" /* BRANCH_UNKNOWN - AT, of which given() prints 32 bits */

/* SDM vol. 3C, "Event Injection": DEBUGCTL stays as it is, and the delivery is recorded. */
TEST(an_injected_debug_exception_is_recorded_and_ends_nothing)
{
    static const struct taken rows[] = {
        CALL_IN,
        ROW(0x02, 0x04, KIND_JMP, 1),
        ROW(0x04, 0x20, KIND_DB, 1),
        ROW(0x21, 0x05, KIND_IRET, 1),
        RETURN(0x10),
    };
    struct workload workload = of_rows(rows, COUNT(rows));
    struct record_filter record_filter = { .db_recorded = true };
    struct expected expected;
    struct visible visible;

    expected_of(&expected, &workload, AT, CALL, BACK, NULL);
    visible_through(&visible, &expected.source, method_named("lbr"), 32, record_filter);
    CHECK_TEXT(given(&visible.source), "C-0 2-4 " UNKNOWN "-20 21-5 10-C ");
    visible_through(&visible, &expected.source, method_named("lbr"), 3, record_filter);
    CHECK_TEXT(given(&visible.source), UNKNOWN "-20 21-5 10-C ");
    record_filter.left_out = LEAVES_OUT(FILTER_FAR); /* which an interrupt counts as */
    visible_through(&visible, &expected.source, method_named("lbr"), 32, record_filter);
    CHECK_TEXT(given(&visible.source), "C-0 2-4 10-C ");
}

TEST(rewinding_forgets_a_cleared_tf_and_a_debug_exception)
{
    static const struct taken rows[] = { CALL_IN, ROW(2, 3, KIND_TF_CLEARED, 1),
                                         ROW(4, 0x20, KIND_DB, 1), RETURN(0x10) };
    struct workload workload = of_rows(rows, COUNT(rows));
    struct expected expected;
    struct visible visible;

    expected_of(&expected, &workload, AT, CALL, BACK, NULL);
    visible_of(&visible, &expected.source, method_named("btf"), 0);
    given(&visible.source);
    visible.source.rewind(&visible.source);
    CHECK_TEXT(given(&visible.source), "C-0 ");
    visible_of(&visible, &expected.source, method_named("lbr"), 32);
    CHECK_TEXT(given(&visible.source), "C-0 ");
}

/* What is kept is the newest of what is seen, not of what happened. */
TEST(keeping_counts_what_is_seen)
{
    struct method_facts blind_ring = { .blind_handlers = true, .ring_lbr = true };
    struct workload workload = of_rows(interrupt, COUNT(interrupt));
    struct expected expected;
    struct visible visible;

    expected_of(&expected, &workload, AT, CALL, BACK, NULL);
    visible_of(&visible, &expected.source, &blind_ring, 4);
    CHECK_TEXT(given(&visible.source), "2-10 10-2 2-10 12-C ");
}

TEST(rewinding_a_view_forgets_where_it_was)
{
    for (int stop_after = 0; stop_after < 6; stop_after++) {
        struct method_facts blind_ring = { .blind_handlers = true, .every_insn = true };
        struct workload workload = of_rows(interrupt, COUNT(interrupt));
        struct transfer ignored;
        struct expected expected;
        struct visible visible;

        expected_of(&expected, &workload, AT, CALL, BACK, NULL);
        visible_of(&visible, &expected.source, &blind_ring, 3);
        for (int i = 0; i < stop_after; i++)
            visible.source.next(&visible.source, &ignored);
        visible.source.rewind(&visible.source);
        CHECK_TEXT(given(&visible.source), "10-2 2-10 12-C ");
    }
}

/* Filters. */

/* One of each kind; of what lies from 0x80 on a part of ring 3 is. */
static const struct taken kinds[] = {
    CALL_IN,
    ROW(0x02, 0x04, KIND_JCC, 2),
    ROW(0x04, 0x06, KIND_JMP, 1),
    ROW(0x06, 0x08, KIND_IJMP, 1),
    ROW(0x08, 0x10, KIND_CALL, 1),
    ROW(0x12, 0x80, KIND_IRET, 1),
    ROW(0x82, 0x84, KIND_JMP, 1),
    ROW(0x86, 0x20, KIND_INT, 1),
    ROW(0x22, 0x24, KIND_FAR, 1),
    ROW(0x24, 0x26, KIND_RET, 1),
    RETURN(0x28),
};
static const struct part user_part = { 0x80, 0x90, PART_RING3, 0 };

static const char *through(const struct taken *rows, size_t count, const char *model,
                           const char *method, const char *filter, uint64_t keep)
{
    static struct workload workload;
    static struct expected expected;
    static struct visible visible;
    uint32_t bits;

    CHECK(filter_read(filter, strlen(filter), &bits));
    workload = of_rows(rows, count);
    workload.parts = &user_part;
    workload.part_count = 1;
    expected_of(&expected, &workload, AT, CALL, BACK, NULL);
    visible_through(
        &visible, &expected.source, method_named(method), keep,
        record_filter_for(method_named(method), model_named(model), bits, &workload, AT));
    given(&visible.source);
    visible.source.rewind(&visible.source);
    return given(&visible.source);
}

#define KINDS_THROUGH(model, method, filter, keep) \
    through(kinds, COUNT(kinds), model, method, filter, keep)

TEST(a_filter_leaves_out_its_kinds)
{
    CHECK_TEXT(KINDS_THROUGH("skylake", "lbr", "none", 32),
               "C-0 2-4 2-4 4-6 6-8 8-10 12-80 82-84 86-20 22-24 24-26 28-C ");
    CHECK_TEXT(KINDS_THROUGH("skylake", "lbr", "jcc", 32),
               "C-0 4-6 6-8 8-10 12-80 82-84 86-20 22-24 24-26 28-C ");
    CHECK_TEXT(KINDS_THROUGH("skylake", "lbr", "call+icall+ret", 32),
               "2-4 2-4 4-6 6-8 12-80 82-84 86-20 22-24 ");
    CHECK_TEXT(KINDS_THROUGH("skylake", "lbr", "far", 32),
               "C-0 2-4 2-4 4-6 6-8 8-10 82-84 24-26 28-C ");
    CHECK_TEXT(KINDS_THROUGH("archlbr", "lbr", "jcc+jmp+ijmp+far", 32),
               "C-0 8-10 24-26 28-C ");
}

TEST(of_bts_a_ring_is_that_which_a_branch_leaves)
{
    CHECK_TEXT(KINDS_THROUGH("core2", "bts", "kernel", 0), "82-84 86-20 ");
    CHECK_TEXT(KINDS_THROUGH("core2", "bts", "user", 0),
               "C-0 2-4 2-4 4-6 6-8 8-10 12-80 22-24 24-26 28-C ");
    CHECK_TEXT(KINDS_THROUGH("core2", "bts", "kernel+user", 0), "");
}

TEST(of_last_branch_records_it_is_that_which_a_branch_enters)
{
    static const char *const rows[] = { "silvermont", "nehalem", "skylake", "zen4" };

    for (size_t i = 0; i < COUNT(rows); i++) {
        CHECK_TEXT(KINDS_THROUGH(rows[i], "lbr", "kernel", 16), "12-80 82-84 ");
        CHECK_TEXT(KINDS_THROUGH(rows[i], "lbr", "user", 16),
                   "C-0 2-4 2-4 4-6 6-8 8-10 86-20 22-24 24-26 28-C ");
        CHECK_TEXT(KINDS_THROUGH(rows[i], "lbr", "kernel+user", 16), "");
    }
}

TEST(architectural_lbr_hides_a_from_in_a_ring_that_is_left_out)
{
    CHECK_TEXT(KINDS_THROUGH("archlbr", "lbr", "kernel", 32), "F-80 82-84 ");
    CHECK_TEXT(KINDS_THROUGH("archlbr", "lbr", "user", 32),
               "C-0 2-4 2-4 4-6 6-8 8-10 F-20 22-24 24-26 28-C ");
    CHECK_TEXT(KINDS_THROUGH("archlbr", "lbr", "user+far", 32),
               "C-0 2-4 2-4 4-6 6-8 8-10 24-26 28-C ");
    CHECK_TEXT(KINDS_THROUGH("archlbr", "lbr", "none", 32),
               "C-0 2-4 2-4 4-6 6-8 8-10 12-80 82-84 86-20 22-24 24-26 28-C ");
}

TEST(packets_show_that_end_of_a_branch_which_lies_in_a_ring_that_is_traced)
{
    CHECK_TEXT(KINDS_THROUGH("skylake", "pt", "kernel", 0), "F-80 82-84 86-F ");
    CHECK_TEXT(KINDS_THROUGH("skylake", "pt", "user", 0),
               "C-0 2-4 2-4 4-6 6-8 8-10 12-F F-20 22-24 24-26 28-C ");
    CHECK_TEXT(KINDS_THROUGH("skylake", "pt", "kernel+user", 0), "");
    CHECK_TEXT(KINDS_THROUGH("skylake", "pt", "none", 0),
               "C-0 2-4 2-4 4-6 6-8 8-10 12-80 82-84 86-20 22-24 24-26 28-C ");
}

TEST(a_filter_makes_room_for_older_records)
{
    CHECK_TEXT(KINDS_THROUGH("skylake", "lbr", "none", 4), "86-20 22-24 24-26 28-C ");
    CHECK_TEXT(KINDS_THROUGH("skylake", "lbr", "far", 4), "8-10 82-84 24-26 28-C ");
}

TEST(nehalem_takes_calls_along_with_jumps)
{
    CHECK_TEXT(KINDS_THROUGH("nehalem", "lbr", "ijmp", 16),
               "2-4 2-4 4-6 12-80 82-84 86-20 22-24 24-26 28-C ");
    CHECK_TEXT(KINDS_THROUGH("nehalem", "lbr", "jmp", 16),
               "C-0 2-4 2-4 6-8 12-80 86-20 22-24 24-26 28-C ");
}

TEST(the_last_exception_record_is_the_branch_before_the_last_event)
{
    static const struct taken rows[] = {
        CALL_IN,
        ROW(0x02, 0x04, KIND_JMP, 1),
        ROW(0x04, 0x20, KIND_INT, 1),
        ROW(0x22, 0x05, KIND_IRET, 1),
        ROW(0x06, 0x08, KIND_JCC, 3),
        ROW(0x09, 0x30, KIND_EXC, 1),
        ROW(0x32, 0x0a, KIND_IRET, 1),
        RETURN(0x10),
    };
    static const struct taken chained[] = { CALL_IN, ROW(0x02, 0x20, KIND_INT, 1),
                                            ROW(0x20, 0x30, KIND_EXC, 1), RETURN(0x32) };
    static const struct taken ended[] = { CALL_IN,
                                          ROW(0x02, 0x20, KIND_INT, 1),
                                          ROW(0x22, 0x03, KIND_IRET, 1),
                                          ROW(0x04, 0x30, KIND_DB, 1),
                                          ROW(0x05, 0x20, KIND_INT, 1),
                                          RETURN(0x10) };
    static const struct taken none[] = { CALL_IN, RETURN(0x10) };

    CHECK_TEXT(seen(rows, COUNT(rows), "ler", 1), "6-8 ");
    CHECK_TEXT(seen(rows, 5, "ler", 1), "2-4 ");
    CHECK_TEXT(seen(chained, COUNT(chained), "ler", 1), "2-20 ");
    CHECK_TEXT(seen(ended, COUNT(ended), "ler", 1), "C-0 ");
    CHECK_TEXT(seen(none, COUNT(none), "ler", 1), "");
}

/* Calls to 10, 20, 30, back from there; a call to the next instruction; and on to 40. */
static const struct taken calls[] = {
    CALL_IN,
    ROW(0x01, 0x10, KIND_CALL, 1),
    ROW(0x11, 0x20, KIND_CALL, 1),
    ROW(0x21, 0x30, KIND_ICALL, 1),
    ROW(0x31, 0x23, KIND_RET, 1),
    ROW(0x23, 0x28, KIND_CALL, 1), /* +0: five bytes */
    ROW(0x28, 0x30, KIND_JMP, 1),
    ROW(0x32, 0x40, KIND_CALL, 1),
};

TEST(a_return_takes_its_call_away)
{
    CHECK_TEXT(through(calls, COUNT(calls), "skylake", "lbr", "callstack", 32),
               "C-0 1-10 11-20 32-40 ");
    CHECK_TEXT(through(calls, COUNT(calls), "archlbr", "lbr", "callstack", 32),
               "C-0 1-10 11-20 32-40 ");
}

/* Three entries: the call in is gone by the third.  The returns go back to 1-10. */
static const struct taken overrun[] = {
    CALL_IN,
    ROW(0x01, 0x10, KIND_CALL, 1),
    ROW(0x11, 0x20, KIND_CALL, 1),
    ROW(0x21, 0x30, KIND_CALL, 1),
    ROW(0x31, 0x23, KIND_RET, 1),
    ROW(0x24, 0x13, KIND_RET, 1),
};

TEST(after_an_overrun_the_pointer_alone_goes_back)
{
    CHECK_TEXT(through(overrun, COUNT(overrun), "skylake", "lbr", "callstack", 3),
               "11-20 21-30 1-10 ");
    CHECK_TEXT(through(overrun, COUNT(overrun), "archlbr", "lbr", "callstack", 3), "1-10 ");
    CHECK_TEXT(through(overrun, COUNT(overrun), "skylake", "lbr", "callstack", 32),
               "C-0 1-10 ");
}

TEST(a_return_from_nowhere_leaves_an_empty_stack)
{
    static const struct taken rows[] = { ROW(0x10, 0x20, KIND_RET, 3),
                                         ROW(0x20, 0x30, KIND_CALL, 1) };

    CHECK_TEXT(through(rows, COUNT(rows), "skylake", "lbr", "callstack", 8), "20-30 ");
    CHECK_TEXT(through(rows, 1, "skylake", "lbr", "callstack", 8), "");
}

TEST(a_stream_asks_so_much_earlier_as_its_interrupts_are_late)
{
    CHECK(stream_period(32, 0, false) == 15 && stream_period(16, 0, false) == 7);
    CHECK(stream_period(4, 0, false) == 1);
    CHECK(stream_period(32, 5, false) == 10 && stream_period(32, 14, false) == 1);
    CHECK(stream_period(32, 100, false) == 1 && stream_period(8, 3, false) == 1);
}

/* A branch, those that come late, and the interrupt's own entry and IRETQ. */
TEST(a_stack_that_is_too_small_for_that_is_filled_up_to_the_overflow)
{
    CHECK(stream_fits(32, 29) && !stream_fits(32, 30));
    CHECK(stream_fits(4, 1) && !stream_fits(4, 2));
    CHECK(stream_period(32, 40, true) == 31 && stream_period(16, 100, true) == 15);
}

static const char *skip_reason(const char *model, const char *method,
                               const struct cpu_id *id, const char *filter)
{
    uint32_t bits;

    CHECK(filter_read(filter, strlen(filter), &bits));
    return skip_words[record_filter_skip_reason(method_named(method), model_named(model),
                                                id, bits)]
        .word;
}

TEST(a_filter_is_excused_by_what_the_processor_has)
{
    const struct cpu_id none = { .ds = true },
                        all = { .ds_cpl = true, .arch_lbr_filters = 7 };
    const struct cpu_id by_kind = { .arch_lbr_filters = ARCH_LBR_BY_KIND };

    CHECK_TEXT(skip_reason("skylake", "step", &all, "none"), "");
    CHECK_TEXT(skip_reason("skylake", "step", &all, "jcc"), "no-filter");
    CHECK_TEXT(skip_reason("skylake", "lbr", &none, "callstack"), "");
    CHECK_TEXT(skip_reason("core2", "lbr", &all, "jcc"), "lbr-filter");
    CHECK_TEXT(skip_reason("sandybridge", "lbr", &all, "callstack"), "no-callstack");
    CHECK_TEXT(skip_reason("archlbr", "lbr", &all, "user+callstack"), "");
    CHECK_TEXT(skip_reason("archlbr", "lbr", &by_kind, "jcc+far"), "");
    CHECK_TEXT(skip_reason("archlbr", "lbr", &by_kind, "jcc+user"), "filter-bit");
    CHECK_TEXT(skip_reason("archlbr", "lbr", &by_kind, "callstack"), "no-callstack");
    CHECK_TEXT(skip_reason("core2", "bts", &all, "kernel+user"), "");
    CHECK_TEXT(skip_reason("core2", "bts", &all, "kernel+jcc"), "bts-kind");
    CHECK_TEXT(skip_reason("core2", "bts", &none, "kernel"), "bts-ring");
    CHECK_TEXT(skip_reason("pentiumm", "bts", &all, "user"), "bts-ring");
    CHECK_TEXT(skip_reason("core2", "bts-pmi", &all, "kernel+user"), "");
    CHECK_TEXT(skip_reason("core2", "bts-each", &all, "user"), "");
    CHECK_TEXT(skip_reason("core2", "bts-each", &all, "far"), "bts-kind");
    CHECK_TEXT(skip_reason("pentiumm", "bts-pmi", &all, "kernel"), "bts-ring");
    CHECK_TEXT(skip_reason("skylake", "pt", &none, "kernel+user"), "");
    CHECK_TEXT(skip_reason("skylake", "pt", &all, "user+jcc"), "pt-kind");
    CHECK_TEXT(skip_reason("skylake", "pt", &all, "callstack"), "pt-kind");
}

/* An event that strikes with nothing before it that is left in leaves no record. */
TEST(the_last_exception_record_has_what_the_filter_leaves_in)
{
    static const struct taken rows[] = {
        ROW(0, 2, KIND_CALL, 1),
        ROW(2, 4, KIND_JCC, 1),
        ROW(4, 0x20, KIND_EXC, 1),
        ROW(0x22, 4, KIND_IRET, 1),
    };

    CHECK_TEXT(through(rows, COUNT(rows), "archlbr", "ler", "none", 1), "2-4 ");
    CHECK_TEXT(through(rows, COUNT(rows), "archlbr", "ler", "jcc", 1), "0-2 ");
    CHECK_TEXT(through(rows, COUNT(rows), "archlbr", "ler", "jcc+call", 1), "");
}

/* It obeys the filters: an event that is left out updates nothing. */
TEST(the_last_event_record_is_of_an_event_that_the_filter_leaves_in)
{
    static const struct taken rows[] = {
        ROW(2, 4, KIND_JCC, 1),        ROW(4, 0x20, KIND_EXC, 1),    /* in ring 0 */
        ROW(0x22, 6, KIND_IRET, 1),    ROW(6, 0x80, KIND_IRET, 1),   /* to ring 3...  */
        ROW(0x82, 0x84, KIND_JMP, 1),  ROW(0x86, 0x20, KIND_INT, 1), /* ...and back   */
        ROW(0x22, 0x88, KIND_IRET, 1), ROW(0x8a, 0x20, KIND_FAR, 1),
        ROW(0x20, 0x30, KIND_EXC, 1),
    };

    CHECK_TEXT(through(rows, 7, "archlbr", "ler", "none", 1), "82-84 ");
    CHECK_TEXT(through(rows, 7, "archlbr", "ler", "kernel", 1), "");
    CHECK_TEXT(through(rows, 7, "archlbr", "ler", "user", 1), "22-6 ");
    CHECK_TEXT(through(rows, COUNT(rows), "archlbr", "ler", "user", 1), "F-20 ");
}

TEST(a_stream_needs_the_iretq_of_its_own_interrupts)
{
    static const char own[] = "own-iretq";
    const struct cpu_id all = { .ds_cpl = true, .arch_lbr_filters = 7 };

    CHECK_TEXT(skip_reason("skylake", "lbr-stream", &all, "jcc+call+icall+ret+ijmp+jmp"),
               "");
    CHECK_TEXT(skip_reason("skylake", "lbr-stream", &all, "jcc+far"), own);
    CHECK_TEXT(skip_reason("skylake", "lbr-stream", &all, "kernel"), own);
    CHECK_TEXT(skip_reason("skylake", "lbr-stream", &all, "user"),
               own); /* back to ring 3 */
    CHECK_TEXT(skip_reason("archlbr", "lbr-stream", &all, "ret"), "");
    CHECK_TEXT(skip_reason("archlbr", "lbr-stream", &all, "user+ret"), own);
    CHECK_TEXT(skip_reason("skylake", "lbr-stream", &all, "callstack"), own);
    CHECK_TEXT(skip_reason("zen4", "lbr-stream", &all, "jcc"), "");
    CHECK_TEXT(skip_reason("zen4", "lbr-stream", &all, "user"),
               own); /* returns there have none */
    CHECK_TEXT(skip_reason("zen4", "lbr-stream", &all, "kernel"), own);
    CHECK_TEXT(skip_reason("core2", "lbr-stream", &all, "kernel"), "lbr-filter");
}

TEST(only_one_last_exception_record_is_known_to_have_a_filter)
{
    static const char unknown[] = "ler-filter";
    static const char which[] = "ler-far";
    const struct cpu_id all = { .arch_lbr_filters = 7 }, none = { .arch_lbr_filters = 0 };

    CHECK_TEXT(skip_reason("archlbr", "ler", &all, "jcc+call+icall+ret+ijmp+jmp"), "");
    CHECK_TEXT(skip_reason("archlbr", "ler", &none, "jcc"), "filter-bit");
    CHECK_TEXT(skip_reason("archlbr", "ler", &all, "jcc+far"), which);
    CHECK_TEXT(skip_reason("archlbr", "ler", &all, "kernel"), "");
    CHECK_TEXT(skip_reason("archlbr", "ler", &all, "callstack"), which);
    CHECK_TEXT(skip_reason("skylake", "ler", &all, "jcc"), unknown);
    CHECK_TEXT(skip_reason("core2", "ler", &all, "jcc"), unknown);
    CHECK_TEXT(skip_reason("zen4", "ler", &all, "jcc"), unknown);
}

TEST(what_an_interrupt_leaves_behind_a_filter_depends_on_the_ring)
{
    const struct method_facts *each = method_named("bts-each"),
                              *pmi = method_named("bts-pmi");
    uint32_t kernel = LEAVES_OUT(FILTER_KERNEL), user = LEAVES_OUT(FILTER_USER);

    CHECK(record_filter_shows(0, 0) && record_filter_shows(0, 3));
    CHECK(!record_filter_shows(kernel, 0) && record_filter_shows(kernel, 3));
    CHECK(record_filter_shows(user, 0) && !record_filter_shows(user, 3));
    CHECK(method_threshold(each, 0) == 2 && method_threshold(each, user) == 2);
    CHECK(method_threshold(each, kernel) == 1 &&
          method_threshold(each, kernel | user) == 1);
    CHECK(method_threshold(pmi, 0) == 0 && method_threshold(pmi, kernel) == 0);
}

/* A log may break off in a handler: what comes after rewinding is not in it. */
TEST(rewinding_in_a_handler_leaves_it)
{
    static const struct taken rows[] = { ROW(2, 0x20, KIND_JMP, 1),
                                         ROW(4, 0x20, KIND_INT, 1),
                                         ROW(0x22, 2, KIND_IRET, 1) };
    struct workload workload = of_rows(rows, 2);
    struct transfer ignored;
    struct expected expected;
    struct visible visible;

    expected_of(&expected, &workload, AT, CALL, BACK, NULL);
    visible_of(&visible, &expected.source, method_named("step"), 0);
    while (visible.source.next(&visible.source, &ignored))
        ;
    visible.source.rewind(&visible.source);
    CHECK_TEXT(given(&visible.source), "2-20 ");
    workload.rows = 3; /* ends after an IRET that returns to the first branch */
    visible.source.rewind(&visible.source);
    while (visible.source.next(&visible.source, &ignored))
        ;
    visible.source.rewind(&visible.source);
    CHECK_TEXT(given(&visible.source), "2-20 ");
}

/* How many are kept, and why. */

TEST(each_method_keeps_what_its_place_holds)
{
    const struct model *skylake = model_named("skylake"), *core2 = model_named("core2");
    const struct model *archlbr = model_named("archlbr");

    CHECK(visible_capacity(method_named("lbr"), skylake, 99) == 32);
    CHECK(visible_capacity(method_named("lbr"), core2, 99) == 4);
    CHECK(visible_capacity(method_named("lbr"), archlbr, 16) == 16);
    CHECK(visible_capacity(method_named("bts"), core2, 99) == 99);
    CHECK(visible_capacity(method_named("bts-pmi"), core2, 0) == 0);
    CHECK(visible_capacity(method_named("bts-each"), core2, 0) == 0);
    CHECK(visible_capacity(method_named("step"), core2, 99) == 0);
    CHECK(visible_capacity(method_named("btf"), core2, 99) == 0);
    CHECK(visible_capacity(method_named("btf+lbr"), core2, 99) == 0);
    const struct method_facts eight = { .newest = 8 };
    CHECK(visible_capacity(&eight, skylake, 99) == 8);
    CHECK(visible_capacity(&eight, core2, 99) == 4);
}

static const struct stub stub_db = { 1, 0x20 }, stub_nmi = { 2, 0x20 },
                         stub_syscall = { STUB_SYSCALL, 0x20 };

TEST(only_what_stops_by_db_is_excused_where_the_workload_takes_it)
{
    struct workload workload = { .size = 0x100, .stubs = &stub_db, .stub_count = 1 };

    CHECK(skip_reason_for(method_named("step"), NULL, &workload, AT, 0));
    CHECK(skip_reason_for(method_named("btf"), NULL, &workload, AT, 0));
    CHECK(skip_reason_for(method_named("btf+lbr"), NULL, &workload, AT, 0));
    CHECK(!skip_reason_for(method_named("lbr"), NULL, &workload, AT, 0));
    CHECK(!skip_reason_for(method_named("bts"), NULL, &workload, AT, 0));
    workload.stubs = &stub_syscall;
    CHECK(!skip_reason_for(method_named("step"), NULL, &workload, AT, 0));
}

TEST(only_what_is_emptied_by_nmi_is_excused_where_the_workload_takes_it)
{
    struct workload workload = { .size = 0x100, .stubs = &stub_nmi, .stub_count = 1 };

    CHECK(skip_reason_for(method_named("bts-each"), NULL, &workload, AT, 0));
    CHECK(!skip_reason_for(method_named("bts-pmi"), NULL, &workload, AT, 0));
    CHECK(!skip_reason_for(method_named("bts"), NULL, &workload, AT, 0));
    CHECK(!skip_reason_for(method_named("step"), NULL, &workload, AT, 0));
    workload.stubs = &stub_db;
    CHECK(!skip_reason_for(method_named("bts-each"), NULL, &workload, AT, 0));
}

TEST(what_takes_nmi_is_excused_where_an_option_asks_for_nmi)
{
    struct workload workload = { .size = 0x100, .stubs = &stub_nmi, .stub_count = 1 };

    CHECK(skip_reason_by_nmi(&workload));
    workload.stubs = &stub_db;
    CHECK(!skip_reason_by_nmi(&workload));
}

TEST(what_takes_an_event_for_each_branch_is_excused_where_they_are_many)
{
    struct workload workload = { .size = 0x100, .flags = WORKLOAD_MANY };

    CHECK(skip_reason_for(method_named("step"), NULL, &workload, AT, 0));
    CHECK(skip_reason_for(method_named("btf"), NULL, &workload, AT, 0));
    CHECK(skip_reason_for(method_named("btf+lbr"), NULL, &workload, AT, 0));
    CHECK(skip_reason_for(method_named("bts-each"), NULL, &workload, AT, 0));
    CHECK(!skip_reason_for(method_named("lbr"), NULL, &workload, AT, 0));
    CHECK(!skip_reason_for(method_named("bts"), NULL, &workload, AT, 0));
    CHECK(!skip_reason_for(method_named("bts-pmi"), NULL, &workload, AT, 0));
    workload.flags = WORKLOAD_RING0 | WORKLOAD_APIC;
    CHECK(!skip_reason_for(method_named("step"), NULL, &workload, AT, 0));
}

TEST(far_pointers_excuse_only_above_4_gib)
{
    struct workload workload = { .size = 0x100, .flags = WORKLOAD_LOW };

    CHECK(!skip_reason_for(method_named("bts"), NULL, &workload, 0xffffff00, 0));
    CHECK(skip_reason_for(method_named("bts"), NULL, &workload, 0xffffff01, 0));
    workload.flags = WORKLOAD_RING0;
    CHECK(!skip_reason_for(method_named("bts"), NULL, &workload, UINT64_C(1) << 40, 0));
}

TEST(sysenter_is_excused_where_no_row_has_it)
{
    static const struct stub stub = { STUB_SYSENTER, 0x20 };
    const struct model lacking = { .name = "lacking" }, having = { .sysenter = true };
    struct workload workload = { .size = 0x100, .stubs = &stub, .stub_count = 1 };

    CHECK(skip_reason_for(method_named("step"), NULL, &workload, AT, 0));
    CHECK(skip_reason_for(method_named("bts"), &lacking, &workload, AT, 0));
    CHECK(!skip_reason_for(method_named("step"), &having, &workload, AT, 0));
    workload.stubs = &stub_syscall;
    CHECK(!skip_reason_for(method_named("step"), &lacking, &workload, AT, 0));
}

TEST(stock_qemu_excuses_only_what_it_gets_wrong)
{
    struct workload workload = { .size = 0x100, .flags = WORKLOAD_NOT_STOCK };

    CHECK(skip_reason_for(method_named("step"), NULL, &workload, AT, WORKLOAD_NOT_STOCK));
    CHECK(!skip_reason_for(method_named("step"), NULL, &workload, AT, 0));
    workload.flags = WORKLOAD_RING0;
    CHECK(!skip_reason_for(method_named("step"), NULL, &workload, AT, WORKLOAD_NOT_STOCK));
}

TEST(what_is_silent_gives_nothing_and_says_why)
{
    const struct taken rows[] = { ROW(0x10, 0x20, KIND_JMP, 3), ROW(0x22, 2, KIND_RET, 1) };
    struct workload workload = of_rows(rows, 2);
    const char *const silent[] = { "none", "tr" };

    for (size_t i = 0; i < 2; i++) {
        struct expected expected;
        struct visible visible;

        expected_of(&expected, &workload, AT, CALL, BACK, NULL);
        visible_of(&visible, &expected.source, method_named(silent[i]), 0);
        CHECK_TEXT(given(&visible.source), "");
    }
}

TEST(methods_are_found_by_their_whole_name)
{
    CHECK_TEXT(method_named("bts")->name, "bts");
    CHECK(method_named("btf") != method_named("btf+lbr"));
    CHECK(!method_named("bt") && !method_named("") && !method_named("step "));
}
