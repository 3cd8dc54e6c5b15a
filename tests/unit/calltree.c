// LINK: workloads everybranch
#include "tools/trace/calltree.c"

#include "test.h"
#include "common/base/count_of.h"
#include "traced.h"

#define NOPS6 0x90, 0x90, 0x90, 0x90, 0x90, 0x90
/* Assembled by hand. */
static const uint8_t code[] = {
    0xe8,  0x0b, 0x00, 0x00, 0x00, /* 00 call 10    */
    0xe8,  0x16, 0x00, 0x00, 0x00, /* 05 call 20    */
    0xcd,  0x80,                   /* 0a int 80h    */
    0x0f,  0x05,                   /* 0c syscall    */
    0xc3,                          /* 0e ret        */
    0x90,                          /* 0f            */
    0xeb,  0x06,                   /* 10 jmp 18     */
    NOPS6,                         /* 12            */
    0x90,                          /* 18 nop        */
    0xc3,                          /* 19 ret        */
    NOPS6,                         /* 1a            */
    0x74,  0x07,                   /* 20 je 29      */
    0xe8,  0xf9, 0xff, 0xff, 0xff, /* 22 call 20    */
    0x90,                          /* 27 nop        */
    0xc3,                          /* 28 ret        */
    0xc3,                          /* 29 ret        */
    NOPS6,                         /* 2a            */
    0x48,  0xcf,                   /* 30 iretq      */
    0x48,  0x0f, 0x07,             /* 32 sysretq    */
    0xff,  0xd0,                   /* 35 call rax   */
    0xc3,                          /* 37 ret        */
    0xe8,  0x03, 0x00, 0x00, 0x00, /* 38 call 40    */
    0x90,  0x90, 0x90,             /* 3d            */
    0xc3,                          /* 40 ret        */
    0x0f,  0x0b,                   /* 41 ud2        */
    0xc3,                          /* 43 ret        */
    0x90,                          /* 44 nop        */
    0xeb,  0xd9,                   /* 45 jmp 20     */
    0x90,                          /* 47            */
    0xff,  0xe1,                   /* 48 jmp rcx    */
};
static const struct stub stubs[] = { { 0x80, 0x30 }, { 6, 0x30 }, { STUB_SYSCALL, 0x32 } };

static struct traced t;

static void given(const char *method)
{
    traced(&t, method, code, sizeof(code));
    t.own.stubs = stubs;
    t.own.stub_count = COUNT_OF(stubs);
}

/*
 * The tree in words: "+1:10c" enters at depth 1 the function at 10, called; j jumped to,
 * h handler, s system, u unknown; "r2" two instructions ran; "-1:2/4" leaves a frame of 2
 * instructions whose children had 4, with ~ where more may have run and ! where the
 * records end; "?" is a gap.
 */
static void print_step(void *to, const struct call *call)
{
    const struct call_frame *frame = call->frame;
    FILE *out = to;

    switch (call->step) {
    case CALL_RAN:
        fprintf(out, " r%d", (int)call->range->insns);
        break;
    case CALL_ENTERED:
        fprintf(out, " +%d:", (int)call->depth);
        if (frame->function != BRANCH_UNKNOWN)
            fprintf(out, "%02x", (unsigned)(frame->function - CODE));
        fputc("cjhsu"[frame->kind], out);
        break;
    case CALL_LEFT:
        fprintf(out, " -%d:%d/%d%s%s", (int)call->depth, (int)frame->self,
                (int)frame->children, frame->at_least ? "~" : "",
                call->unfinished ? "!" : "");
        break;
    case CALL_GAP:
        fputs(" ?", out);
    }
}

static char *tree(const struct symbols *symbols)
{
    static char text[2000];
    FILE *out = fmemopen(text, sizeof(text), "w");
    struct walk walk;

    walk_of(&walk, &t.log, &t.run);
    calltree_walk(&walk, symbols, print_step, out);
    walk_free(&walk);
    fclose(out);
    return text + 1;
}

TEST(a_thunk_is_left_for_what_it_jumps_to)
{
    given("bts");
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x00), AT(0x10));
    record(&t, AT(0x10), AT(0x18));
    record(&t, AT(0x19), AT(0x05));
    record(&t, AT(0x05), AT(0x20));
    record(&t, AT(0x20), AT(0x29)); /* a Jcc within the function */
    record(&t, AT(0x29), AT(0x0a));
    t.run.ran.outcome = CRASHED;
    t.run.crashed_at = AT(0x0a);
    CHECK_TEXT(tree(NULL), "+0:00c r1 +1:10c r1 -1:1/0 +1:18j r2 -1:2/0 r1 +1:20c r1 r1 "
                           "-1:2/0 r0 -0:2/5!");
}

TEST(recursion_is_as_deep_as_its_calls)
{
    given("bts");
    record(&t, CALL, AT(0x05));
    record(&t, AT(0x05), AT(0x20));
    record(&t, AT(0x22), AT(0x20));
    record(&t, AT(0x22), AT(0x20));
    record(&t, AT(0x20), AT(0x29));
    record(&t, AT(0x29), AT(0x27));
    record(&t, AT(0x28), AT(0x27));
    record(&t, AT(0x28), AT(0x0a));
    t.run.ran.outcome = CRASHED;
    t.run.crashed_at = AT(0x0a);
    CHECK_TEXT(tree(NULL), "+0:05c r1 +1:20c r2 +2:20c r2 +3:20c r1 r1 -3:2/0 r2 -2:4/2 "
                           "r2 -1:4/6 r0 -0:1/10!");
}

TEST(an_event_and_a_system_call_have_frames_of_their_own)
{
    given("bts");
    record(&t, CALL, AT(0x0a));
    record(&t, AT(0x0a), AT(0x30));
    record(&t, AT(0x30), AT(0x0c));
    record(&t, AT(0x0c), AT(0x32));
    record(&t, AT(0x32), AT(0x0e));
    record(&t, AT(0x0e), BACK);
    CHECK_TEXT(tree(NULL), "+0:0ac r1 +1:30h r1 -1:1/0 r1 +1:32s r1 -1:1/0 r1 -0:3/2");
}

TEST(sysret_leaves_the_system_call_wherever_it_goes)
{
    given("bts");
    record(&t, CALL, AT(0x0c));
    record(&t, AT(0x0c), AT(0x32));
    record(&t, AT(0x32), AT(0x18));
    record(&t, AT(0x19), BACK);
    CHECK_TEXT(tree(NULL), "+0:0cc r1 +1:32s r1 -1:1/0 r2 -0:3/1");
}

TEST(a_fault_that_is_passed_over_returns_all_the_same)
{
    given("bts");
    record(&t, CALL, AT(0x41));
    record(&t, AT(0x41), AT(0x30));
    record(&t, AT(0x30), AT(0x43));
    record(&t, AT(0x43), BACK);
    CHECK_TEXT(tree(NULL), "+0:41c r0 +1:30h r1 -1:1/0 r1 -0:1/1");
}

TEST(a_return_that_was_put_over_another_is_a_jump)
{
    given("bts");
    record(&t, CALL, AT(0x35));
    record(&t, AT(0x35), AT(0x38)); /* the thunk of a retpoline           */
    record(&t, AT(0x38), AT(0x40));
    record(&t, AT(0x40), AT(0x18));
    record(&t, AT(0x19), AT(0x37)); /* returns to the caller of the thunk */
    record(&t, AT(0x37), BACK);
    CHECK_TEXT(tree(NULL), "+0:35c r1 +1:38c r1 +2:40c r1 -2:1/0 +2:18j r2 -2:2/0 -1:1/3 "
                           "r1 -0:2/4");
}

TEST(a_return_over_several_frames_leaves_them_all)
{
    given("bts");
    record(&t, CALL, AT(0x05));
    record(&t, AT(0x05), AT(0x20));
    record(&t, AT(0x22), AT(0x20));
    record(&t, AT(0x22), AT(0x20));
    record(&t, AT(0x20), AT(0x29));
    record(&t, AT(0x29), AT(0x0a)); /* longjmp */
    record(&t, AT(0x0a), AT(0x30));
    record(&t, AT(0x30), BACK); /* IRET leaves the handler wherever it goes */
    CHECK_TEXT(tree(NULL), "+0:05c r1 +1:20c r2 +2:20c r2 +3:20c r1 r1 -3:2/0 -2:2/2 "
                           "-1:2/4 r1 +1:30h r1 -1:1/0 -0:2/7!");
}

TEST(a_jump_to_where_calls_lead_is_a_tail_call)
{
    given("bts");
    record(&t, CALL, AT(0x44));
    record(&t, AT(0x45), AT(0x20)); /* an entry only because of the call after it */
    record(&t, AT(0x22), AT(0x20));
    record(&t, AT(0x20), AT(0x29));
    record(&t, AT(0x29), AT(0x27));
    record(&t, AT(0x28), BACK);
    CHECK_TEXT(tree(NULL), "+0:44c r2 -0:2/0 +0:20j r2 +1:20c r1 r1 -1:2/0 r2 -0:4/2");
}

TEST(an_indirect_jump_to_the_caller_is_a_return)
{
    given("bts");
    record(&t, CALL, AT(0x35));
    record(&t, AT(0x35), AT(0x48)); /* call rax, and there jmp rcx */
    record(&t, AT(0x48), AT(0x37));
    record(&t, AT(0x37), BACK);
    CHECK_TEXT(tree(NULL), "+0:35c r1 +1:48c r1 -1:1/0 r1 -0:2/1");
}

TEST(what_begins_in_the_middle_has_no_name)
{
    given("lbr");
    record(&t, AT(0x29), AT(0x27));
    record(&t, AT(0x28), AT(0x27));
    record(&t, AT(0x28), AT(0x05));
    record(&t, AT(0x05), AT(0x20));
    record(&t, AT(0x20), AT(0x29));
    record(&t, AT(0x29), BACK);
    CHECK_TEXT(tree(NULL), "? +0:u r1 -0:1/0 +0:u r2 -0:2/0 +0:u r2 -0:2/0 +0:u r1 +1:20c "
                           "r1 r1 -1:2/0 -0:1/2");
}

TEST(what_ran_without_code_is_a_handler_all_the_same)
{
    given("bts");
    record(&t, CALL, AT(0x18));
    record(&t, AT(0x19), 0x7000);
    record(&t, 0x7010, AT(0x19));
    record(&t, AT(0x19), BACK);
    CHECK_TEXT(tree(NULL), "+0:18c r1 +1:6000h r0 -1:0/0~ r1 -0:2/0~");
}

TEST(a_gap_hides_the_frames_until_one_is_returned_to)
{
    given("bts");
    record(&t, CALL, AT(0x05));
    record(&t, AT(0x05), AT(0x20));
    record(&t, AT(0x22), AT(0x20)); /* after it a record is lost: 20 to 29 */
    record(&t, AT(0x29), AT(0x27));
    record(&t, AT(0x28), AT(0x0a)); /* nobody could tell that these are two */
    record(&t, AT(0x0a), AT(0x30));
    record(&t, AT(0x30), BACK);
    CHECK_TEXT(tree(NULL), "+0:05c r1 +1:20c r2 +2:20c r1 ? +3:u r1 -3:1/0 -2:1/1~ r2 "
                           "-1:4/2~ r1 +1:30h r1 -1:1/0 -0:2/7~!");
}

TEST(who_comes_back_out_of_a_gap_has_come_back)
{
    given("btf");
    record(&t, WHO_KNOWS, AT(0x00));
    record(&t, WHO_KNOWS, AT(0x10));
    record(&t, WHO_KNOWS, AT(0x18));
    record(&t, WHO_KNOWS, AT(0x05));
    record(&t, WHO_KNOWS, BACK); /* the CALL at 05 cannot lead there */
    CHECK_TEXT(tree(NULL), "+0:00c r1 +1:10c r1 -1:1/0 +1:18j r2 -1:2/0 r1 ? -0:2/3~");
}

TEST(a_trace_that_breaks_off_leaves_its_frames_unfinished)
{
    given("bts");
    record(&t, CALL, AT(0x05));
    record(&t, AT(0x05), AT(0x20));
    record(&t, AT(0x22), AT(0x20));
    t.run.ran.outcome = BUDGET;
    CHECK_TEXT(tree(NULL), "+0:05c r1 +1:20c r2 +2:20c r1 ? -2:1/0~! -1:2/1~! -0:1/3~!");
}

/* The times at which frames are entered, and the last one. */
struct times {
    uint64_t began[4], end;
    size_t count;
};

static void note_time(void *to, const struct call *call)
{
    struct times *times = to;

    if (call->step == CALL_ENTERED && times->count < 4)
        times->began[times->count++] = call->frame->began;
    times->end = call->insns;
}

TEST(it_gives_the_time_in_instructions)
{
    struct times times = { .count = 0 };
    struct walk walk;

    given("bts");
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x00), AT(0x10));
    record(&t, AT(0x10), AT(0x18));
    record(&t, AT(0x19), BACK);
    walk_of(&walk, &t.log, &t.run);
    calltree_walk(&walk, NULL, note_time, &times);
    CHECK(times.count == 3 && times.end == 4);
    CHECK(times.began[0] == 0 && times.began[1] == 1 && times.began[2] == 2);
    walk_free(&walk);
}

TEST(a_set_has_the_addresses_that_were_added_and_no_others)
{
    struct addresses set = { .count = 0 };

    CHECK(!addresses_have(&set, 0));
    for (uint64_t i = 0; i < 1000; i++)
        addresses_add(&set, i << 12);
    for (uint64_t i = 0; i < 1000; i++)
        CHECK(addresses_have(&set, i << 12) && !addresses_have(&set, (i << 12) + 1));
    CHECK(set.count == 1000);
    addresses_free(&set);
}
