// LINK: workloads everybranch
#include "tools/trace/walk.c"

#include "tools/trace/code.c"

#include "test.h"
#include "common/base/count_of.h"
#include "traced.h"

/* Assembled by hand; a handler of INT 80H and of #UD at its end. */
static const uint8_t code[] = {
    0x90,       /* 00 nop       */
    0x74, 0x02, /* 01 je 05     */
    0xeb, 0x03, /* 03 jmp 08    */
    0x90,       /* 05 nop       */
    0x74, 0xf8, /* 06 je 00     */
    0xcd, 0x80, /* 08 int 80h   */
    0x0f, 0x0b, /* 0a ud2       */
    0xff, 0xd0, /* 0c call rax  */
    0xc3,       /* 0e ret       */
    0x48, 0xcf, /* 0f iretq     */
};
static const struct stub stubs[] = { { 0x80, 0x0f }, { 6, 0x0f } };

static struct traced t;
static struct walk walk;
static struct range range;

static void given(const char *method)
{
    traced(&t, method, code, sizeof(code));
    t.own.stubs = stubs;
    t.own.stub_count = COUNT_OF(stubs);
}

static void walked(void)
{
    walk_of(&walk, &t.log, &t.run);
}

static void over(void)
{
    CHECK(!walk_next(&walk, &range) && !walk_next(&walk, &range));
    walk_free(&walk);
}

/* The next range: its ends, instructions, and how it was left. */
static bool runs(uint64_t first, uint64_t last, uint64_t insns, enum kind kind, uint64_t to)
{
    bool right = walk_next(&walk, &range) && range.first == first && range.insns == insns &&
                 (insns == 0 || range.last == last) && range.by.kind == kind &&
                 range.by.to == to;

    if (!right)
        printf("# %s %llx-%llx %llu insns, kind %d to %llx\n", gap_text(range.gap),
               (unsigned long long)range.first, (unsigned long long)range.last,
               (unsigned long long)range.insns, range.by.kind,
               (unsigned long long)range.by.to);
    return right;
}

#define OPEN KIND_NONE, BRANCH_UNKNOWN

static void the_whole_way(void)
{
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x03), AT(0x08));
    record(&t, AT(0x08), AT(0x0f));
    record(&t, AT(0x0f), AT(0x0a));
    record(&t, AT(0x0a), AT(0x0f));
    record(&t, AT(0x0f), AT(0x0c));
    record(&t, AT(0x0c), AT(0x0e));
    record(&t, AT(0x0e), BACK);
}

TEST(a_piece_runs_from_one_record_to_the_next)
{
    given("bts");
    the_whole_way();
    walked();
    CHECK(runs(AT(0x00), AT(0x03), 3, KIND_JMP, AT(0x08)));
    CHECK(range.jccs == 1 && range.gap == GAP_NONE && range.came.from == CALL);
    CHECK(runs(AT(0x08), AT(0x08), 1, KIND_INT, AT(0x0f)));
    CHECK(range.jccs == 0 && range.came.from == AT(0x03) && range.came.kind == KIND_JMP);
    CHECK(runs(AT(0x0f), AT(0x0f), 1, KIND_IRET, AT(0x0a)));
    CHECK(runs(AT(0x0a), 0, 0, KIND_EXC, AT(0x0f)));
    CHECK(runs(AT(0x0f), AT(0x0f), 1, KIND_IRET, AT(0x0c)));
    CHECK(runs(AT(0x0c), AT(0x0c), 1, KIND_ICALL, AT(0x0e)));
    CHECK(runs(AT(0x0e), AT(0x0e), 1, KIND_RET, BACK));
    over();
}

TEST(it_can_be_walked_again)
{
    given("bts");
    the_whole_way();
    walked();
    while (walk_next(&walk, &range))
        CHECK(range.gap == GAP_NONE);
    walk_rewind(&walk);
    CHECK(runs(AT(0x00), AT(0x03), 3, KIND_JMP, AT(0x08)));
    walk_rewind(&walk);
    CHECK(runs(AT(0x00), AT(0x03), 3, KIND_JMP, AT(0x08)));
    walk_free(&walk);
}

TEST(folded_records_are_pieces_each)
{
    given("bts");
    record(&t, CALL, AT(0x05));
    record(&t, AT(0x06), AT(0x00));
    record(&t, AT(0x01), AT(0x05));
    again(&t, 2, 2);
    record(&t, AT(0x06), AT(0x00));
    record(&t, AT(0x03), AT(0x08));
    walked();
    for (int i = 0; i < 3; i++) {
        CHECK(runs(AT(0x05), AT(0x06), 2, KIND_JCC, AT(0x00)) && range.jccs == 1);
        CHECK(runs(AT(0x00), AT(0x01), 2, KIND_JCC, AT(0x05)) && range.jccs == 1);
    }
    CHECK(runs(AT(0x05), AT(0x06), 2, KIND_JCC, AT(0x00)));
    CHECK(runs(AT(0x00), AT(0x03), 3, KIND_JMP, AT(0x08)));
    walk_free(&walk);
}

TEST(what_a_ring_no_longer_has_is_named)
{
    given("lbr");
    record(&t, AT(0x03), AT(0x08));
    record(&t, AT(0x08), AT(0x0f));
    record(&t, AT(0x0f), BACK);
    walked();
    CHECK(runs(AT(0x03), AT(0x03), 1, KIND_JMP, AT(0x08)) && range.gap == GAP_OLDER);
    CHECK(range.came.kind == KIND_NONE);
    CHECK(runs(AT(0x08), AT(0x08), 1, KIND_INT, AT(0x0f)) && range.gap == GAP_NONE);
    CHECK(runs(AT(0x0f), AT(0x0f), 1, KIND_IRET, BACK));
    over();
}

TEST(a_ring_that_held_all_has_no_gap)
{
    given("lbr");
    the_whole_way();
    walked();
    CHECK(runs(AT(0x00), AT(0x03), 3, KIND_JMP, AT(0x08)) && range.gap == GAP_NONE);
    walk_free(&walk);
}

TEST(a_missing_record_is_no_straight_way)
{
    given("bts");
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x0e), BACK); /* the JMP at 03 has no record */
    walked();
    CHECK(runs(AT(0x00), AT(0x01), 2, OPEN) && range.gap == GAP_NONE);
    CHECK(runs(AT(0x0e), AT(0x0e), 1, KIND_RET, BACK) && range.gap == GAP_UNRECORDED);
    CHECK(range.came.kind == KIND_NONE);
    over();
}

TEST(from_inside_an_instruction_is_no_straight_way)
{
    given("bts");
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x02), AT(0x0e));
    walked();
    CHECK(runs(AT(0x00), AT(0x01), 2, OPEN));
    CHECK(walk_next(&walk, &range) && range.gap == GAP_UNRECORDED);
    walk_free(&walk);
}

TEST(stops_get_their_from_by_the_code)
{
    given("btf");
    record(&t, WHO_KNOWS, AT(0x00));
    record(&t, WHO_KNOWS, AT(0x05)); /* only the JE at 01 leads there */
    record(&t, WHO_KNOWS, AT(0x0c)); /* made up: an event in between   */
    record(&t, WHO_KNOWS, AT(0x0e)); /* only the CALL at 0c           */
    record(&t, WHO_KNOWS, BACK);
    walked();
    CHECK(runs(AT(0x00), AT(0x01), 2, KIND_JCC, AT(0x05)) && range.by.from == AT(0x01));
    CHECK(range.gap == GAP_NONE && range.came.from == CALL);
    CHECK(runs(AT(0x05), AT(0x06), 2, OPEN));
    CHECK(runs(AT(0x0c), AT(0x0c), 1, KIND_ICALL, AT(0x0e)) && range.by.from == AT(0x0c));
    CHECK(range.gap == GAP_HANDLER); /* of the INT at 08, which may return to anywhere */
    CHECK(runs(AT(0x0e), AT(0x0e), 1, KIND_RET, BACK) && range.by.from == AT(0x0e));
    over();
}

TEST(where_from_is_known_a_handler_is_passed_over_and_counted)
{
    given("btf+lbr");
    record(&t, CALL, AT(0x05));
    record(&t, AT(0x0c), AT(0x0e));
    record(&t, AT(0x0e), BACK);
    walked();
    CHECK(runs(AT(0x05), AT(0x0c), 5, KIND_ICALL, AT(0x0e)) && range.gap == GAP_NONE);
    CHECK(range.unseen == 2); /* INT and UD2 */
    CHECK(runs(AT(0x0e), AT(0x0e), 1, KIND_RET, BACK));
    over();
}

TEST(a_record_without_ends_is_a_gap)
{
    given("lbr-stream");
    record(&t, CALL, AT(0x00));
    record(&t, WHO_KNOWS, WHO_KNOWS);
    record(&t, AT(0x03), AT(0x08));
    record(&t, AT(0x08), WHO_KNOWS);
    record(&t, AT(0x0c), AT(0x0e));
    record(&t, AT(0x0e), BACK);
    walked();
    CHECK(runs(AT(0x00), AT(0x01), 2, OPEN) && range.gap == GAP_NONE);
    CHECK(runs(AT(0x03), AT(0x03), 1, KIND_JMP, AT(0x08)) && range.gap == GAP_UNRECORDED);
    CHECK(runs(AT(0x08), AT(0x08), 1, KIND_INT, BRANCH_UNKNOWN) && range.gap == GAP_NONE);
    CHECK(runs(AT(0x0c), AT(0x0c), 1, KIND_ICALL, AT(0x0e)));
    CHECK(range.gap == GAP_UNRECORDED);
    CHECK(runs(AT(0x0e), AT(0x0e), 1, KIND_RET, BACK) && range.gap == GAP_NONE);
    over();
}

TEST(samples_are_joined_to_nothing)
{
    given("pmi");
    record(&t, WHO_KNOWS, AT(0x00)); /* and the JMP at 03 leads straight to 08 */
    record(&t, WHO_KNOWS, AT(0x08));
    record(&t, WHO_KNOWS, BACK);
    walked();
    CHECK(runs(AT(0x00), AT(0x01), 2, OPEN) && range.gap == GAP_OLDER);
    CHECK(runs(AT(0x08), AT(0x08), 1, OPEN) && range.gap == GAP_SAMPLED);
    CHECK(walk_next(&walk, &range) && range.gap == GAP_SAMPLED && range.insns == 0);
    CHECK(range.first == BACK);
    over();
}

TEST(two_branches_to_one_place_are_told_apart_by_no_stop)
{
    static const uint8_t two[] = {
        0x74, 0x04, /* 00 je 06  */
        0x75, 0x02, /* 02 jne 06 */
        0xeb, 0xfe, /* 04 jmp 04 */
        0x90,       /* 06 nop    */
        0xc3,       /* 07 ret    */
    };

    traced(&t, "btf", two, sizeof(two));
    record(&t, WHO_KNOWS, AT(0x00));
    record(&t, WHO_KNOWS, AT(0x06));
    record(&t, WHO_KNOWS, BACK);
    walked();
    CHECK(runs(AT(0x00), AT(0x00), 1, OPEN));
    CHECK(runs(AT(0x06), AT(0x07), 2, KIND_RET, BACK) && range.gap == GAP_AMBIGUOUS);
    CHECK(range.came.from == BRANCH_UNKNOWN && range.came.to == AT(0x06));
    over();
}

TEST(a_stop_that_nothing_leads_to_is_named)
{
    given("btf");
    record(&t, WHO_KNOWS, AT(0x00));
    record(&t, WHO_KNOWS, AT(0x06));
    walked();
    CHECK(runs(AT(0x00), AT(0x01), 2, OPEN));
    CHECK(runs(AT(0x06), AT(0x06), 1, OPEN) && range.gap == GAP_UNRECORDED);
    CHECK(walk_next(&walk, &range) && range.gap == GAP_NEWER && range.insns == 0);
    over();
}

TEST(an_event_at_a_branch_is_no_branch)
{
    given("bts");
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x01), AT(0x0f)); /* struck before the JE, whose target is 05 */
    record(&t, AT(0x0f), AT(0x01));
    record(&t, AT(0x03), AT(0x08));
    walked();
    CHECK(runs(AT(0x00), AT(0x00), 1, KIND_EXC, AT(0x0f)) && range.by.from == AT(0x01));
    CHECK(runs(AT(0x0f), AT(0x0f), 1, KIND_IRET, AT(0x01)));
    CHECK(runs(AT(0x01), AT(0x03), 2, KIND_JMP, AT(0x08)));
    walk_free(&walk);
}

TEST(an_event_at_a_branch_is_not_taken_for_the_branch_later)
{
    given("bts");
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x01), AT(0x0f));
    record(&t, AT(0x0f), AT(0x00));
    record(&t, AT(0x01), AT(0x05));
    walked();
    CHECK(runs(AT(0x00), AT(0x00), 1, KIND_EXC, AT(0x0f)));
    CHECK(runs(AT(0x0f), AT(0x0f), 1, KIND_IRET, AT(0x00)));
    CHECK(runs(AT(0x00), AT(0x01), 2, KIND_JCC, AT(0x05)));
    walk_free(&walk);
}

#define SLED 60000
static uint8_t sled[SLED + 2]; /* NOPs, and a handler after them */
static const struct stub after[] = { { 0x40, SLED } };

/* Runs from `first` up to before `from`, as often as it is said. */
static void stretch(uint64_t first, uint64_t from)
{
    record(&t, AT(SLED), AT(first));
    record(&t, AT(from), AT(SLED));
}

/* Another number above `from` whose range is kept where that one's is. */
static uint64_t other_in_its_place(uint64_t first, uint64_t from, bool other_first)
{
    struct transfer by = { AT(from), AT(SLED), KIND_EXC };
    size_t place = place_of(AT(first), &by);
    uint64_t other = other_first ? first + 1 : from + 1;

    while (other < SLED - 1 && place_of(AT(other_first ? other : first), &by) != place) {
        other++;
        by.from = AT(other_first ? from : other);
    }
    return other;
}

/* The same of where the record leads. */
static uint64_t other_to_in_its_place(uint64_t first, uint64_t from, uint64_t to)
{
    const struct transfer by = { AT(from), AT(to), KIND_JCC };
    struct transfer other = by;

    do
        other.to++;
    while (other.to < AT(SLED) && place_of(AT(first), &other) != place_of(AT(first), &by));
    return other.to - AT(0);
}

TEST(no_piece_is_taken_for_another_in_its_place)
{
    uint64_t later = other_in_its_place(5, SLED - 1, true);
    uint64_t longer = other_in_its_place(7, 9, false);

    memset(sled, 0x90, SLED);
    memcpy(sled + SLED, "\x48\xcf", 2);
    traced(&t, "bts", sled, sizeof(sled));
    t.own.stubs = after;
    t.own.stub_count = 1;
    record(&t, CALL, AT(SLED));
    stretch(5, SLED - 1);
    stretch(later, SLED - 1);
    stretch(7, 9);
    stretch(7, longer);
    walked();
    CHECK(later < SLED - 1 && longer < SLED - 1);
    CHECK(runs(AT(SLED), AT(SLED), 1, KIND_IRET, AT(5)));
    CHECK(runs(AT(5), AT(SLED - 2), SLED - 1 - 5, KIND_EXC, AT(SLED)));
    CHECK(runs(AT(SLED), AT(SLED), 1, KIND_IRET, AT(later)));
    CHECK(runs(AT(later), AT(SLED - 2), SLED - 1 - later, KIND_EXC, AT(SLED)));
    CHECK(runs(AT(SLED), AT(SLED), 1, KIND_IRET, AT(7)));
    CHECK(runs(AT(7), AT(8), 2, KIND_EXC, AT(SLED)));
    CHECK(runs(AT(SLED), AT(SLED), 1, KIND_IRET, AT(7)));
    CHECK(runs(AT(7), AT(longer - 1), longer - 7, KIND_EXC, AT(SLED)));
    walk_free(&walk);
}

TEST(a_branch_is_not_taken_for_what_struck_there)
{
    uint64_t other = other_to_in_its_place(0, 7, 12);

    memset(sled, 0x90, sizeof(sled));
    memcpy(sled + 7, "\x74\x03", 2); /* je 12 */
    traced(&t, "bts", sled, sizeof(sled));
    record(&t, CALL, AT(0));
    record(&t, AT(7), AT(12));
    record(&t, AT(20), AT(0));
    record(&t, AT(7), AT(other));
    walked();
    CHECK(other < SLED);
    CHECK(runs(AT(0), AT(7), 8, KIND_JCC, AT(12)));
    CHECK(runs(AT(12), AT(19), 8, KIND_EXC, AT(0)));
    CHECK(runs(AT(0), AT(6), 7, KIND_EXC, AT(other)));
    walk_free(&walk);
}

TEST(an_indirect_call_does_not_enter_a_handler)
{
    given("bts");
    record(&t, CALL, AT(0x0c));
    record(&t, AT(0x0c), AT(0x0f));
    walked();
    CHECK(runs(AT(0x0c), 0, 0, KIND_EXC, AT(0x0f)));
    walk_free(&walk);
}

TEST(what_ran_without_code_is_named)
{
    given("bts");
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x01), 0x7000);
    record(&t, 0x7010, AT(0x01));
    record(&t, AT(0x01), AT(0x05));
    walked();
    CHECK(runs(AT(0x00), AT(0x00), 1, KIND_EXC, 0x7000));
    CHECK(walk_next(&walk, &range) && range.gap == GAP_NO_CODE && range.insns == 0);
    CHECK(range.first == 0x7000 && range.last == 0x7010 && range.by.to == AT(0x01));
    CHECK(runs(AT(0x01), AT(0x01), 1, KIND_JCC, AT(0x05)) && range.gap == GAP_NONE);
    walk_free(&walk);
}

TEST(a_crash_ends_the_last_range)
{
    given("bts");
    record(&t, CALL, AT(0x00));
    t.run.ran.outcome = CRASHED;
    t.run.crashed_at = AT(0x03);
    walked();
    CHECK(runs(AT(0x00), AT(0x01), 2, KIND_EXC, BRANCH_UNKNOWN));
    CHECK(range.by.from == AT(0x03));
    over();
}

TEST(a_trace_that_breaks_off_says_so)
{
    given("bts");
    record(&t, CALL, AT(0x00));
    t.run.ran.outcome = BUDGET;
    walked();
    CHECK(runs(AT(0x00), AT(0x01), 2, OPEN) && range.gap == GAP_NONE);
    CHECK(walk_next(&walk, &range) && range.gap == GAP_NEWER && range.insns == 0);
    CHECK(range.first == BRANCH_UNKNOWN);
    over();
}

TEST(no_record_is_no_trace)
{
    given("bts");
    walked();
    CHECK(walk_next(&walk, &range) && range.gap == GAP_NEWER && range.insns == 0);
    over();
}

TEST(branches_that_are_not_recorded_stand_in_no_range)
{
    given("bts");
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x03), AT(0x08));
    record(&t, AT(0x0c), AT(0x0e));
    walked();
    walk.hidden = 1u << KIND_JCC | 1u << KIND_INT;
    CHECK(runs(AT(0x00), AT(0x01), 2, OPEN));
    CHECK(runs(AT(0x03), AT(0x03), 1, KIND_JMP, AT(0x08)) && range.gap == GAP_FILTERED);
    CHECK(runs(AT(0x08), AT(0x08), 1, OPEN));
    CHECK(runs(AT(0x0c), AT(0x0c), 1, KIND_ICALL, AT(0x0e)) && range.gap == GAP_FILTERED);
    walk_free(&walk);
}

/* The same by the filter of a run, as the model's register has it. */
TEST(a_filter_hides_its_kinds)
{
    given("lbr");
    t.log.machine.cpu.row = model_named("skylake");
    t.run.filter = LEAVES_OUT(FILTER_JCC);
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x03), AT(0x08));
    walked();
    CHECK(walk.hidden == 1u << KIND_JCC && walk.hidden_rings == 0);
    CHECK(runs(AT(0x00), AT(0x01), 2, OPEN));
    CHECK(runs(AT(0x03), AT(0x03), 1, KIND_JMP, AT(0x08)) && range.gap == GAP_FILTERED);
    walk_free(&walk);
    t.run.filter = FILTER_STACK;
    walked();
    CHECK(walk.hidden >> KIND_CALL & 1 && walk.hidden >> KIND_RET & 1);
    walk_free(&walk);
}

TEST(a_ring_that_is_not_recorded_hides_its_branches)
{
    static const struct part parts[] = { { 0x00, 0x05, PART_RING3, 0 } };

    given("lbr");
    t.log.machine.cpu.row = model_named("skylake");
    t.own.parts = parts;
    t.own.part_count = 1;
    t.run.filter = LEAVES_OUT(FILTER_USER);
    record(&t, CALL, AT(0x00));
    record(&t, AT(0x06), AT(0x00)); /* in ring 0 */
    record(&t, AT(0x06), AT(0x05));
    walked();
    CHECK(walk.hidden == 0 && walk.hidden_rings == 2);
    CHECK(runs(AT(0x00), AT(0x01), 2, OPEN));
    CHECK(runs(AT(0x06), AT(0x06), 1, KIND_JCC, AT(0x00)) && range.gap == GAP_FILTERED);
    walk_free(&walk);
}

/* As architectural LBR writes it: the branch came from ring 3, whose branches are hidden.
 */
TEST(a_from_of_all_ones_is_a_gap_of_the_filter)
{
    static const struct part parts[] = { { 0x00, 0x05, PART_RING3, 0 } };

    given("lbr");
    t.log.machine.cpu.row = model_named("archlbr");
    t.own.parts = parts;
    t.own.part_count = 1;
    t.run.filter = LEAVES_OUT(FILTER_USER);
    record(&t, CALL, AT(0x05));
    record(&t, 0xffffffffffffffff, AT(0x0c));
    record(&t, AT(0x0c), AT(0x0e));
    record(&t, AT(0x0e), BACK);
    walked();
    CHECK(runs(AT(0x05), AT(0x06), 2, OPEN));
    CHECK(runs(AT(0x0c), AT(0x0c), 1, KIND_ICALL, AT(0x0e)) && range.gap == GAP_FILTERED);
    CHECK(range.came.from == BRANCH_UNKNOWN && range.came.to == AT(0x0c));
    CHECK(runs(AT(0x0e), AT(0x0e), 1, KIND_RET, BACK) && range.gap == GAP_NONE);
    over();
}

/* As packets show it: the branch led to ring 0, and the next one came from there. */
TEST(a_to_of_all_ones_is_a_gap_of_the_filter)
{
    static const struct part parts[] = { { 0x05, 0x0f, PART_RING3, 0 } };

    given("pt");
    t.log.machine.cpu.row = model_named("skylake");
    t.own.parts = parts;
    t.own.part_count = 1;
    t.run.filter = LEAVES_OUT(FILTER_KERNEL);
    record(&t, 0xffffffffffffffff, AT(0x05));
    record(&t, AT(0x06), 0xffffffffffffffff);
    record(&t, 0xffffffffffffffff, AT(0x06));
    record(&t, AT(0x08), 0xffffffffffffffff);
    record(&t, 0xffffffffffffffff, AT(0x0a));
    record(&t, AT(0x0a), 0xffffffffffffffff);
    record(&t, 0xffffffffffffffff, AT(0x0e));
    record(&t, AT(0x0e), 0xffffffffffffffff);
    walked();
    CHECK(runs(AT(0x05), AT(0x05), 1, KIND_EXC, BRANCH_UNKNOWN) && range.gap == GAP_OLDER);
    CHECK(runs(AT(0x06), AT(0x08), 2, KIND_INT, BRANCH_UNKNOWN));
    CHECK(range.gap == GAP_FILTERED && range.by.from == AT(0x08));
    CHECK(runs(AT(0x0a), AT(0x0a), 0, KIND_EXC, BRANCH_UNKNOWN));
    CHECK(range.gap == GAP_FILTERED);
    CHECK(runs(AT(0x0e), AT(0x0e), 0, KIND_EXC, BRANCH_UNKNOWN)); /* no RET leads there */
    CHECK(runs(BRANCH_UNKNOWN, 0, 0, OPEN) && range.gap == GAP_NEWER);
    over();
}

TEST(every_gap_has_its_words)
{
    for (int gap = GAP_NONE + 1; gap < GAPS; gap++)
        CHECK(gap_text((enum gap)gap)[0]);
}

TEST(two_places_alone_are_held_against_the_code)
{
    struct code of;

    given("bts");
    code_of(&of, &t.log);
    CHECK(walk_straight(&of, 0, AT(0x00), AT(0x03)) == GAP_NONE); /* past je */
    CHECK(walk_straight(&of, 0, AT(0x03), AT(0x03)) == GAP_NONE);
    CHECK(walk_straight(&of, 0, AT(0x00), AT(0x05)) == GAP_UNRECORDED); /* after jmp */
    CHECK(walk_straight(&of, 0, AT(0x00), AT(0x02)) == GAP_UNRECORDED); /* inside of je */
    CHECK(walk_straight(&of, 0, AT(0x05), AT(0x00)) == GAP_UNRECORDED);
    CHECK(walk_straight(&of, 0, AT(0x05), AT(0x0c)) == GAP_UNRECORDED); /* past int 80h */
    CHECK(walk_straight(&of, 1u << KIND_JCC, AT(0x00), AT(0x03)) == GAP_FILTERED);
    CHECK(walk_straight(&of, 0, AT(0x00), 0x8000) == GAP_NO_CODE);
    CHECK(walk_can_lead(code_at(&of, AT(0x01)), AT(0x05)));
    CHECK(!walk_can_lead(code_at(&of, AT(0x01)), AT(0x03)));
    CHECK(!walk_can_lead(code_at(&of, AT(0x00)), AT(0x01)));
    CHECK(walk_can_lead(code_at(&of, AT(0x0c)), AT(0x00))); /* call rax */
    code_free(&of);
}
