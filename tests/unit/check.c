// LINK: common/expected/visible.c common/branch/decode.c common/facts/model.c
// LINK: common/branch/pack.c common/log/portable.c common/facts/info.c
// LINK: common/facts/filter.c common/base/text.c common/branch/workload.c
// LINK: common/expected/record_filter.c common/facts/method_facts.c
// LINK: common/expected/expected.c common/facts/skip_code.c
#include "common/expected/check.c"

#include "test.h"

/* A sequence of transfers written as letters: each letter a branch of its own. */
struct letters {
    struct source source;
    const char *text;
    size_t at;
};

/*
 * A to Z: from 0x1000 + letter to 0x2000 + letter; lower case: the same with a wrong
 * TO; a digit n: the n-th letter with a wrong FROM; '?': B with FROM unknown; '!': B with
 * FROM all ones.
 */
static bool letters_next(struct source *source, struct transfer *out)
{
    struct letters *letters = (struct letters *)source;
    char c = letters->text[letters->at];

    if (!c)
        return false;
    letters->at++;
    *out = (struct transfer){ 0, 0, KIND_JMP };
    if (c >= 'A' && c <= 'Z')
        out->from = 0x1000 + (uint64_t)c, out->to = 0x2000 + (uint64_t)c;
    else if (c >= 'a')
        out->from = 0x1000 + (uint64_t)(c - 32), out->to = 0x3000;
    else if (c == '?')
        out->from = BRANCH_UNKNOWN, out->to = 0x2000 + 'B';
    else if (c == '!')
        out->from = 0xffffffffffffffff, out->to = 0x2000 + 'B';
    else
        out->from = 0x4000, out->to = 0x2000 + 'A' + (uint64_t)(c - '1');
    return true;
}

static void letters_rewind(struct source *source)
{
    ((struct letters *)source)->at = 0;
}

static struct difference compared(const char *got, const char *want)
{
    struct letters g = { { letters_next, letters_rewind }, got, 0 };
    struct letters w = { { letters_next, letters_rewind }, want, 0 };

    return check(&g.source, &w.source);
}

static bool differs(const char *got, const char *want, enum difference_class class,
                    uint64_t index)
{
    struct difference d = compared(got, want);

    return d.class == class && d.index == index;
}

TEST(equal_traces_are_the_same)
{
    struct difference d = compared("ABCABC", "ABCABC");

    CHECK(d.class == SAME && d.compared == 6 && d.got_ended && d.want_ended);
    CHECK(compared("", "").class == SAME);
}

TEST(an_unknown_from_is_not_compared)
{
    CHECK(differs("A?C", "ABC", SAME, 3));
    CHECK(differs("ABC", "A?C", SAME, 3));
    CHECK(differs("A?C", "AXC", WRONG_TO, 1));
}

/* Architectural LBR writes all ones, so that is compared like any other FROM. */
TEST(a_from_of_all_ones_is_compared)
{
    CHECK(differs("A!C", "A!C", SAME, 3));
    CHECK(differs("A!C", "ABC", WRONG_FROM, 1));
    CHECK(differs("ABC", "A!C", WRONG_FROM, 1));
}

TEST(a_lost_record_is_lost)
{
    CHECK(differs("ABDEF", "ABCDEF", LOST, 2));
    CHECK(differs("BCDEF", "ABCDEF", LOST, 0));
    CHECK(differs("ABCDE", "ABCDEF", LOST, 5));
    CHECK(differs("", "A", LOST, 0));
}

TEST(a_lost_record_of_a_loop_is_lost_at_its_end)
{
    CHECK(differs("ABBC", "ABBBC", LOST, 3));
    CHECK(differs("XABABY", "XABABABY", LOST, 5));
}

TEST(each_second_one_lost_is_lost)
{
    CHECK(differs("ACEGIKMOQSUWY", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", LOST, 1));
}

TEST(several_lost_in_a_row_are_lost)
{
    CHECK(differs("ABGH", "ABCDEFGH", LOST, 2));
}

TEST(a_difference_is_as_long_as_its_records)
{
    CHECK(compared("ABDEF", "ABCDEF").length == 1);
    CHECK(compared("ABGH", "ABCDEFGH").length == 4);
    CHECK(compared("AB", "ABCDE").length == 3); /* all that follow */
    CHECK(compared("ABWXYZCD", "ABCD").length == 4);
    CHECK(compared("ABXY", "AB").length == 2);
    CHECK(compared("ABCCDEF", "ABCDEF").length == 1);
    CHECK(compared("ABcDEF", "ABCDEF").length == 1);
    CHECK(compared("ABDCEF", "ABCDEF").length == 2);
}

TEST(an_extra_record_is_extra)
{
    CHECK(differs("ABXCDEF", "ABCDEF", EXTRA, 2));
    CHECK(differs("XABC", "ABC", EXTRA, 0));
    CHECK(differs("ABCX", "ABC", EXTRA, 3));
    CHECK(differs("A", "", EXTRA, 0));
    CHECK(differs("ABWXYZCD", "ABCD", EXTRA, 2));
}

TEST(a_record_twice_is_doubled)
{
    CHECK(differs("ABCCDEF", "ABCDEF", DOUBLED, 3));
    CHECK(differs("ABBBBC", "ABBBC", DOUBLED, 4));
    CHECK(differs("ABCC", "ABC", DOUBLED, 3));
    CHECK(differs("AABC", "ABC", DOUBLED, 1));
}

TEST(a_wrong_end_is_named)
{
    CHECK(differs("ABcDEF", "ABCDEF", WRONG_TO, 2));
    CHECK(differs("AB3DEF", "ABCDEF", WRONG_FROM, 2));
    CHECK(differs("AB3", "ABC", WRONG_FROM, 2));
    CHECK(differs("1", "A", WRONG_FROM, 0));
}

/* A wrong end beside an equal neighbour is still no extra record. */
TEST(the_explanation_after_which_most_agrees_is_taken)
{
    CHECK(differs("AbBCDEF", "ABBCDEF", WRONG_TO, 1));
    CHECK(differs("XbBQ", "XBBC", WRONG_TO, 1));
    CHECK(differs("XZBQ", "XBBC", EXTRA, 1));
}

TEST(all_ends_wrong_is_a_wrong_end)
{
    CHECK(differs("123456789", "ABCDEFGHI", WRONG_FROM, 0));
    CHECK(differs("abcdefghi", "ABCDEFGHI", WRONG_TO, 0));
}

TEST(exchanged_records_are_out_of_order)
{
    CHECK(differs("ABDCEF", "ABCDEF", WRONG_ORDER, 2));
    CHECK(differs("ABDC", "ABCD", WRONG_ORDER, 2));
    CHECK(differs("BA", "AB", WRONG_ORDER, 0));
}

/* Both begin with exchanged letters, but the rest tells. */
TEST(an_alternation_that_begins_late_is_lost_not_exchanged)
{
    CHECK(differs("BABABAB", "ABABABAB", LOST, 0));
}

TEST(another_record_is_wrong)
{
    CHECK(differs("ABXDEF", "ABCDEF", WRONG, 2));
    CHECK(differs("VWXYZ", "ABCDE", WRONG, 0));
}

TEST(both_sides_of_a_difference_are_given)
{
    struct difference d = compared("ABX", "ABC");

    CHECK(d.got.to == 0x2000 + 'X' && d.want.to == 0x2000 + 'C' && d.compared == 2);
    CHECK(!d.got_ended && !d.want_ended);
    d = compared("AB", "ABC");
    CHECK(d.got_ended && !d.want_ended && d.want.to == 0x2000 + 'C');
}

TEST(each_class_has_words)
{
    CHECK_TEXT(check_class_name(LOST), "lost");
    CHECK_TEXT(check_class_name(EXTRA), "extra");
    CHECK_TEXT(check_class_name(DOUBLED), "doubled");
    CHECK_TEXT(check_class_name(WRONG_FROM), "wrong end");
    CHECK_TEXT(check_class_name(WRONG_TO), "wrong end");
    CHECK_TEXT(check_class_name(WRONG_ORDER), "wrong order");
}

/* Records as transfers. */

#define AT   0x1000
#define CALL 0x5000
#define BACK 0x5002

/*      0       jz 4
 *      2       jmp 4
 *      4       jz 6            the next instruction
 *      6       int 48
 *      8       rep stosb
 *      a       nop
 *      b       jmp b
 *      d       ret
 */
static const uint8_t code[] = { 0x74, 0x02, 0xeb, 0x00, 0x74, 0x00, 0xcd,
                                0x30, 0xf3, 0xaa, 0x90, 0xeb, 0xfe, 0xc3 };

static const struct workload workload = { .code = code, .size = sizeof(code) };

static const char *transfers(const char *method, const struct branch *records, size_t count)
{
    static const char *const kinds[] = { "none", "jcc", "jmp", "ijmp", "call", "icall",
                                         "ret",  "int", "exc", "iret", "far" };
    static char line[400], again[400];
    struct recorded recorded;
    struct transfer t;

    recorded_of(&recorded, records, count, method_named(method), &workload, AT, CALL);
    for (int round = 0; round < 2; round++) { /* the second time after rewinding */
        char *end = strcpy(round ? again : line, "");

        while (recorded.source.next(&recorded.source, &t))
            end += sprintf(end, "%s %x-%x, ", kinds[t.kind], (unsigned)(t.from & 0xffff),
                           (unsigned)t.to);
        recorded.source.rewind(&recorded.source);
    }
    CHECK_TEXT(again, line);
    return line;
}

/* Code with a base lies at 2 to 3; as offsets its addresses are less by the base. */
static const char *with_offsets(uint64_t from, uint64_t to, bool offsets)
{
    static const struct part parts[] = { { 2, 4, PART_RING3 | PART_COMPAT, PART_BASE } };
    const struct workload based = {
        .code = code, .size = sizeof(code), .parts = parts, .part_count = 1
    };
    const struct branch record = { from, to, 0 };
    static char text[64];
    struct recorded recorded;
    struct transfer t;

    recorded_of(&recorded, &record, 1, method_named("lbr"), &based, AT, CALL);
    recorded_on(&recorded, &(struct model){ .lbr.offsets = offsets },
                &(struct cpu_id){ 0 });
    recorded.source.next(&recorded.source, &t);
    sprintf(text, "%llx-%llx", (unsigned long long)t.from, (unsigned long long)t.to);
    return text;
}

#define LESS(address) ((uint32_t)((address)-0x400000))

TEST(offsets_in_cs_become_addresses_and_addresses_in_their_place_wrong_ones)
{
    CHECK_TEXT(with_offsets(LESS(AT + 2), AT + 4, true), "1002-1004");
    CHECK_TEXT(with_offsets(AT, LESS(AT + 3), true), "1000-1003");
    CHECK_TEXT(with_offsets(AT, LESS(AT + 4), true), "1000-ffc01004"); /* no such code */
    CHECK_TEXT(with_offsets(AT + 2, AT + 4, true), "401002-1004");
    CHECK_TEXT(with_offsets(AT + 2, AT + 4, false), "1002-1004");
    CHECK_TEXT(with_offsets(LESS(AT + 2), AT, false), "ffc01002-1000");
    CHECK_TEXT(with_offsets(UINT64_C(0x1ffc01002), AT, true), "1ffc01002-1000");
}

/* FROM of one record at each address, of a processor that fuses; and how many were fused.
 */
static const char *fused(uint64_t from, uint64_t to)
{
    static const uint8_t pairs[] = {
        0x39, 0xd0, 0x75, 0x02, /* 0: cmp eax, edx; jne 6 */
        0x39, 0xd0, 0xeb, 0x00, /* 4: cmp eax, edx; jmp 8 */
        0x90, 0x75, 0x01,       /* 8: nop; jne 12         */
    };
    const struct workload own = { .code = pairs, .size = sizeof(pairs) };
    const struct branch record = { AT + from, AT + to, 0 };
    static char text[64];
    struct recorded recorded;
    struct transfer t;

    recorded_of(&recorded, &record, 1, method_named("lbr"), &own, AT, CALL);
    recorded_on(&recorded, &(struct model){ .lbr.fuses = true }, &(struct cpu_id){ 0 });
    recorded.source.next(&recorded.source, &t);
    sprintf(text, "%x, %u", (unsigned)(t.from - AT), (unsigned)recorded.fused);
    return text;
}

TEST(only_a_conditional_jump_that_leads_to_to_is_fused)
{
    CHECK_TEXT(fused(0, 6), "2, 1");
    CHECK_TEXT(fused(2, 6), "2, 0");  /* FROM is the jump already */
    CHECK_TEXT(fused(0, 8), "0, 0");  /* it leads elsewhere       */
    CHECK_TEXT(fused(4, 8), "4, 0");  /* JMP does not fuse        */
    CHECK_TEXT(fused(8, 12), "8, 0"); /* nor does NOP            */
}

#define STOPS(...) const struct branch stops[] = { __VA_ARGS__ }
#define STOP(offset)                     \
    {                                    \
        BRANCH_UNKNOWN, AT + (offset), 0 \
    }
#define FLAGGED(offset, flag)               \
    {                                       \
        BRANCH_UNKNOWN, AT + (offset), flag \
    }
#define HOME                    \
    {                           \
        BRANCH_UNKNOWN, BACK, 0 \
    }
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

TEST(the_first_stop_is_the_call)
{
    STOPS(STOP(0));

    CHECK_TEXT(transfers("step", stops, COUNT(stops)), "icall 5000-1000, ");
}

TEST(a_jump_between_stops_is_a_branch_and_falling_through_is_none)
{
    STOPS(STOP(0), STOP(2), STOP(4));

    CHECK_TEXT(transfers("step", stops, COUNT(stops)), "icall 5000-1000, jmp 1002-1004, ");
}

TEST(a_taken_conditional_is_a_branch)
{
    STOPS(STOP(0), STOP(4));

    CHECK_TEXT(transfers("step", stops, COUNT(stops)), "icall 5000-1000, jcc 1000-1004, ");
}

TEST(a_conditional_that_goes_astray_is_shown)
{
    STOPS(STOP(0), STOP(10));

    CHECK_TEXT(transfers("step", stops, COUNT(stops)), "icall 5000-1000, jcc 1000-100a, ");
}

TEST(to_the_next_instruction_the_flags_decide)
{
    STOPS(FLAGGED(4, STOP_TAKEN), STOP(6));
    const struct branch not_taken[] = { FLAGGED(4, STOP_NOT_TAKEN), STOP(6) };
    const struct branch unsaid[] = { STOP(4), STOP(6) };

    CHECK_TEXT(transfers("step", stops, COUNT(stops)), "icall 5000-1004, jcc 1004-1006, ");
    CHECK_TEXT(transfers("step", not_taken, COUNT(not_taken)), "icall 5000-1004, ");
    CHECK_TEXT(transfers("step", unsaid, COUNT(unsaid)), "icall 5000-1004, ");
}

TEST(an_unconditional_jump_to_the_next_instruction_is_a_branch)
{
    STOPS(STOP(2), STOP(4));

    CHECK_TEXT(transfers("step", stops, COUNT(stops)), "icall 5000-1002, jmp 1002-1004, ");
}

TEST(an_int_is_not_seen_and_a_repeat_is_no_branch)
{
    STOPS(STOP(6), STOP(8), STOP(8), STOP(8), STOP(10));

    CHECK_TEXT(transfers("step", stops, COUNT(stops)), "icall 5000-1006, ");
}

TEST(a_jump_to_itself_is_a_branch_each_time)
{
    STOPS(STOP(11), STOP(11), STOP(11));

    CHECK_TEXT(transfers("step", stops, COUNT(stops)),
               "icall 5000-100b, jmp 100b-100b, jmp 100b-100b, ");
}

TEST(the_return_leads_to_the_caller)
{
    STOPS(STOP(13), HOME);

    CHECK_TEXT(transfers("step", stops, COUNT(stops)), "icall 5000-100d, ret 100d-5002, ");
}

TEST(a_stop_outside_of_the_code_explains_nothing)
{
    STOPS(STOP(14), STOP(0));

    CHECK_TEXT(transfers("step", stops, COUNT(stops)), "icall 5000-100e, ");
}

TEST(stops_of_btf_have_no_from)
{
    STOPS(STOP(0), STOP(4), HOME);

    CHECK_TEXT(transfers("btf", stops, COUNT(stops)),
               "none 776e-1000, none 776e-1004, none 776e-5002, ");
}

TEST(records_have_the_kind_of_the_instruction_at_from)
{
    const struct branch records[] = {
        { CALL, AT, 0 },        { AT, AT + 4, 0 },    { AT + 6, 0x9000, 0 },
        { AT + 10, 0x9000, 0 }, { AT + 13, BACK, 0 }, { 0x9002, AT, 0 },
    };

    CHECK_TEXT(
        transfers("bts", records, COUNT(records)),
        "icall 5000-1000, jcc 1000-1004, int 1006-9000, exc 100a-9000, ret 100d-5002, "
        "exc 9002-1000, ");
}
