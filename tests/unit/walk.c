// LINK: workloads everybranch
#include "tools/trace/walk.c"

#include "tools/trace/code.c"

#include "traced_rows.h"

static struct walk walk;
static struct range range;

static void walked(void)
{
    walk_of(&walk, &t.log, &t.run);
}

static void say_end(const char *before, uint64_t address, uint64_t caller)
{
    char text[20];

    end_text(address, caller, text, sizeof(text));
    row_say("%s%s", before, text);
}

static const char *const gap_names[GAPS] = {
    [GAP_NONE] = "straight",         [GAP_OLDER] = "older",
    [GAP_UNRECORDED] = "unrecorded", [GAP_FILTERED] = "filtered",
    [GAP_AMBIGUOUS] = "ambiguous",   [GAP_HANDLER] = "handler",
    [GAP_SAMPLED] = "sampled",       [GAP_NO_CODE] = "no-code",
    [GAP_NEWER] = "newer",
};

/* [?GAP] FIRST-LAST:INSNS and how it was left, KIND>TO or open; without code FIRST:0. */
static void say_range(void)
{
    if (range.gap)
        row_say("?%s ", gap_names[range.gap]);
    if (range.first == BRANCH_UNKNOWN)
        return;
    say_end("", range.first, BACK);
    if (range.last != range.first || range.insns)
        say_end("-", range.last, CALL);
    row_say(":%d ", (int)range.insns);
    if (range.by.from == BRANCH_UNKNOWN && range.by.to == BRANCH_UNKNOWN) {
        row_say("open  ");
        return;
    }
    row_say("%s", kind_names[range.by.kind]);
    say_end(">", range.by.to, BACK);
    row_say("  ");
}

static void say_jccs(void)
{
    row_say("%d ", (int)range.jccs);
}

static void say_unseen(void)
{
    row_say("%d ", (int)range.unseen);
}

static void say_came(void)
{
    say_end("", range.came.from, CALL);
    row_say(":%s ", kind_names[range.came.kind]);
}

static void say_from(void)
{
    say_end(" ", range.by.from, CALL);
}

/* Says something of each range, after a walk that was rewound at each. */
static void each_range(void (*say)(void))
{
    size_t count = 0;

    walked();
    while (walk_next(&walk, &range))
        count++;
    for (size_t stop = 0; stop <= count + 1; stop++) {
        walk_rewind(&walk);
        for (size_t i = 0; i < stop; i++)
            if (walk_next(&walk, &range) != (i < count))
                row_fails("rewound, it has not %d ranges", (int)count);
    }
    walk_rewind(&walk);
    while (walk_next(&walk, &range))
        say();
    walk_free(&walk);
}

VERB(ranges)
{
    each_range(say_range);
}

/* jccs = how many conditional branches each range has */
VERB(jccs)
{
    each_range(say_jccs);
}

/* unseen = how many events each range has that the method cannot see */
VERB(unseen)
{
    each_range(say_unseen);
}

/* came = FROM and kind of the branch to each range */
VERB(came)
{
    each_range(say_came);
}

/* from = where the branch is that ended each range */
VERB(from)
{
    each_range(say_from);
}

/* hidden = the kinds and the rings that are not recorded */
VERB(hidden)
{
    walked();
    for (int kind = 0; kind < KIND_COUNT; kind++)
        if (walk.hidden >> kind & 1)
            row_say("%s ", kind_names[kind]);
    row_say(walk.hidden_rings & 1 ? "ring0 " : "");
    row_say(walk.hidden_rings & 2 ? "ring3" : "");
    walk_free(&walk);
}

/* straight FIRST-FROM [hidden KIND] = the gap between them */
VERB(straight)
{
    struct transfer ends = ends_read(row_word());
    enum kind kind = KIND_NONE;
    struct code code;

    if (row_has("hidden") && !kind_read(row_word(), &kind))
        row_fails("no such kind");
    code_of(&code, &t.log);
    row_say("%s",
            gap_names[walk_straight(&code, kind ? 1u << kind : 0, ends.from, ends.to)]);
    code_free(&code);
}

/* leads FROM-TO = yes, if that instruction can lead there */
VERB(leads)
{
    struct transfer ends = ends_read(row_word());
    struct code code;

    code_of(&code, &t.log);
    row_say(walk_can_lead(code_at(&code, ends.from), ends.to) ? "yes" : "no");
    code_free(&code);
}

TEST(every_gap_has_its_words)
{
    for (int gap = GAP_NONE + 1; gap < GAPS; gap++)
        CHECK(gap_text((enum gap)gap)[0]);
}

/* Ranges that are kept in the same place. */

/* The next range: its ends, instructions, and how it was left. */
static bool runs(uint64_t first, uint64_t last, uint64_t insns, enum kind kind, uint64_t to)
{
    return walk_next(&walk, &range) && range.first == first && range.insns == insns &&
           range.last == last && range.by.kind == kind && range.by.to == to;
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
