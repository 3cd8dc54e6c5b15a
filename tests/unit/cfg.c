// LINK: workloads everybranch
#include "tools/trace/cfg.c"

#include "test.h"
#include "traced.h"

static struct traced t;
static struct cfg cfg;

static void of(const uint8_t *code, uint32_t size)
{
    cfg_free(&cfg);
    traced(&t, "bts", code, size);
    profile_begin(&cfg.profile, &t.own);
}

static void one_run(void)
{
    profile_add(&cfg.profile, &t.log, &t.run);
    profile_end(&cfg.profile);
    cfg_of(&cfg);
}

static bool block(size_t number, uint64_t begin, uint64_t end, uint64_t times)
{
    return number < cfg.block_count && cfg.blocks[number].place == CFG_RAN &&
           cfg.blocks[number].begin == begin && cfg.blocks[number].end == end &&
           cfg.blocks[number].times == times;
}

static bool ghost(size_t number, enum cfg_place place, uint64_t begin)
{
    return number < cfg.block_count && cfg.blocks[number].place == place &&
           cfg.blocks[number].begin == begin;
}

static bool edge(size_t from, size_t to, enum cfg_kind kind, uint64_t times)
{
    for (size_t i = 0; i < cfg.edge_count; i++)
        if (cfg.edges[i].from == from && cfg.edges[i].to == to && cfg.edges[i].kind == kind)
            return cfg.edges[i].times == times;
    return false;
}

static const uint8_t looping[] = {
    0xff, 0xc8,                   /* 00  dec eax  */
    0x90,                         /* 02  nop      */
    0x75, 0xfb,                   /* 03  jnz 00   */
    0xe8, 0x03, 0x00, 0x00, 0x00, /* 05  call 0d  */
    0x74, 0xf6,                   /* 0a  jz 02    */
    0xc3,                         /* 0c  ret      */
    0xc3,                         /* 0d  ret      */
};

TEST(a_branch_into_the_middle_cuts_a_block)
{
    of(looping, sizeof(looping));
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x03), AT(0x00));
    record(&t, AT(0x03), AT(0x00));
    record(&t, AT(0x05), AT(0x0d));
    record(&t, AT(0x0d), AT(0x0a));
    record(&t, AT(0x0a), AT(0x02)); /* only here does anybody land on 02 */
    record(&t, AT(0x05), AT(0x0d));
    record(&t, AT(0x0d), AT(0x0a));
    record(&t, AT(0x0c), BACK);
    one_run();
    CHECK(cfg.block_count == 7 && cfg.edge_count == 10);
    CHECK(block(0, 0x00, 0x02, 3));
    CHECK(block(1, 0x02, 0x05, 4));
    CHECK(block(2, 0x05, 0x0a, 2));
    CHECK(block(3, 0x0a, 0x0c, 2));
    CHECK(block(4, 0x0c, 0x0d, 1));
    CHECK(block(5, 0x0d, 0x0e, 2));
    CHECK(cfg.blocks[6].place == CFG_CALLER);
    CHECK(edge(0, 1, CFG_NEXT, 3));
    CHECK(edge(1, 0, CFG_TAKEN, 2));
    CHECK(edge(1, 2, CFG_NOT_TAKEN, 2));
    CHECK(edge(2, 5, CFG_CALL, 2));
    CHECK(edge(2, 3, CFG_AFTER, 2));
    CHECK(edge(3, 1, CFG_TAKEN, 1));
    CHECK(edge(3, 4, CFG_NOT_TAKEN, 1));
    CHECK(edge(4, 6, CFG_RETURN, 1));
    CHECK(edge(5, 3, CFG_RETURN, 2));
    CHECK(edge(6, 0, CFG_CALL, 1));
    CHECK(cfg.profile.insns == 3 + 4 + 4 + 2 + 2 + 1 + 2 && cfg.profile.transfers == 9);
}

TEST(a_function_is_what_is_reached_without_a_call)
{
    for (size_t i = 0; i < 5; i++) /* of the graph above */
        CHECK(cfg.blocks[i].function == 0);
    CHECK(cfg.blocks[5].function == 5);
}

static const uint8_t skipping[] = {
    0x74, 0x01, /* 00  jz 03  */
    0x90,       /* 02  nop    */
    0xc3,       /* 03  ret    */
};

TEST(a_way_never_taken_is_there_with_nothing)
{
    of(skipping, sizeof(skipping));
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x00), AT(0x03));
    record(&t, AT(0x03), BACK);
    one_run();
    CHECK(cfg.block_count == 4);
    CHECK(block(0, 0x00, 0x02, 1) && block(2, 0x03, 0x04, 1));
    CHECK(ghost(1, CFG_NEVER, 0x02));
    CHECK(edge(0, 1, CFG_NOT_TAKEN, 0) && edge(0, 2, CFG_TAKEN, 1));

    of(skipping, sizeof(skipping));
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x03), BACK);
    one_run();
    CHECK(block(1, 0x02, 0x03, 1));
    CHECK(edge(0, 1, CFG_NOT_TAKEN, 1) && edge(0, 2, CFG_TAKEN, 0));
    CHECK(edge(1, 2, CFG_NEXT, 1));
}

static const uint8_t faulting[] = {
    0x90,       /* 00  nop */
    0x0f, 0x0b, /* 01  ud2 */
    0xc3,       /* 03  ret */
};

TEST(what_an_event_struck_never_ran)
{
    of(faulting, sizeof(faulting));
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x01), AT(0x03));
    record(&t, AT(0x03), BACK);
    one_run();
    CHECK(cfg.block_count == 4);
    CHECK(block(0, 0x00, 0x01, 1) && ghost(1, CFG_STRUCK, 0x01) && block(2, 0x03, 0x04, 1));
    CHECK(edge(0, 1, CFG_NEXT, 1) && edge(1, 2, CFG_EVENT, 1));
    CHECK(edge(2, 3, CFG_RETURN, 1));
}

TEST(what_is_not_known_is_in_no_direction)
{
    of(looping, sizeof(looping));
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x0c), BACK); /* the call at 05 cannot be passed over: one is lost */
    one_run();
    CHECK(cfg.profile.ran[0x00] == 1 && cfg.profile.ran[0x03] == 1);
    CHECK(cfg.profile.taken[0x03] == 0 && cfg.profile.passed[0x03] == 0);
    CHECK(cfg.profile.passed[0x02] == 1);
    CHECK(cfg.profile.gaps[GAP_UNRECORDED] == 1);
}

/* Code that overlaps: 00 is jmp 01, whose bytes from 01 on are another instruction. */
static const uint8_t overlapping[] = {
    0xeb, 0xff, /* 00  jmp 01        */
    0xc0,       /* 01  inc eax: ff c0 */
    0xc3,       /* 03  ret           */
};

TEST(instructions_may_overlap)
{
    of(overlapping, sizeof(overlapping));
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x00), AT(0x01));
    record(&t, AT(0x03), BACK);
    one_run();
    CHECK(cfg.block_count == 3);
    CHECK(block(0, 0x00, 0x02, 1) && block(1, 0x01, 0x04, 1));
    CHECK(edge(0, 1, CFG_JUMP, 1));
}

static const uint8_t jumping[] = {
    0x90,       /* 00  nop     */
    0x90,       /* 01  nop     */
    0xff, 0xe0, /* 02  jmp rax */
    0xc3,       /* 04  ret     */
};

TEST(so_does_one_that_is_not_direct)
{
    of(jumping, sizeof(jumping));
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x02), AT(0x01));
    record(&t, AT(0x02), AT(0x04));
    record(&t, AT(0x04), BACK);
    one_run();
    CHECK(block(0, 0x00, 0x01, 1) && block(1, 0x01, 0x04, 2) && block(2, 0x04, 0x05, 1));
    CHECK(edge(1, 1, CFG_JUMP, 1) && edge(1, 2, CFG_JUMP, 1));
}

TEST(a_ring_may_begin_anywhere)
{
    of(jumping, sizeof(jumping));
    t.run.method = method_named("lbr");
    record(&t, AT(0x02), AT(0x04)); /* what ran before 02 is not known */
    record(&t, AT(0x04), BACK);
    one_run();
    CHECK(block(0, 0x02, 0x04, 1) && block(1, 0x04, 0x05, 1));
    CHECK(!cfg.whole && edge(0, 1, CFG_JUMP, 1));
}

TEST(runs_add_up)
{
    of(skipping, sizeof(skipping));
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x00), AT(0x03));
    record(&t, AT(0x03), BACK);
    profile_add(&cfg.profile, &t.log, &t.run);
    t.loaded.at += 0x1000; /* another machine: it lies elsewhere */
    forget_lines(&t.run);
    record(&t, CALL, AT(0x1000));
    record(&t, AT(0x1003), BACK);
    one_run();
    CHECK(cfg.profile.runs == 2);
    CHECK(block(0, 0x00, 0x02, 2) && block(1, 0x02, 0x03, 1) && block(2, 0x03, 0x04, 2));
    CHECK(edge(0, 1, CFG_NOT_TAKEN, 1) && edge(0, 2, CFG_TAKEN, 1));
    CHECK(edge(3, 0, CFG_CALL, 2));
}
