// LINK: common/expected/visible.c common/branch/decode.c common/facts/model.c
// LINK: common/branch/pack.c common/log/portable.c common/facts/info.c
// LINK: common/facts/filter.c common/base/text.c common/branch/workload.c
// LINK: common/expected/record_filter.c common/facts/method_facts.c
// LINK: common/expected/expected.c common/facts/skip_code.c
#include "common/expected/check.c"

#include "assembled.h"
#include "ends.h"

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

/* An empty trace is written as "-". */
static struct difference compared_from_row(void)
{
    const char *got = row_word(), *want = row_word();

    return compared(strcmp(got, "-") ? got : "", strcmp(want, "-") ? want : "");
}

/* differs GOT WANT = the class of the first difference and its index; same: how many agree
 */
VERB(differs)
{
    static const char *const names[] = {
        [SAME] = "same",         [LOST] = "lost",       [EXTRA] = "extra",
        [DOUBLED] = "doubled",   [WRONG_FROM] = "from", [WRONG_TO] = "to",
        [WRONG_ORDER] = "order", [WRONG] = "wrong",
    };
    struct difference d = compared_from_row();

    row_say("%s %d", names[d.class], (int)d.index);
}

/* length GOT WANT = how many records the difference has */
VERB(length)
{
    row_say("%d", (int)compared_from_row().length);
}

static void say_side(bool ended, const struct transfer *t)
{
    if (ended)
        row_say("end ");
    else
        row_say("%c ", (int)(t->to - 0x2000));
}

/* sides GOT WANT = what both have at the difference, and how many were compared */
VERB(sides)
{
    struct difference d = compared_from_row();

    say_side(d.got_ended, &d.got);
    say_side(d.want_ended, &d.want);
    row_say("%d", (int)d.compared);
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

#define AT CODE

static struct workload own_code(void)
{
    return (struct workload){ .code = code_bytes, .size = code_size };
}

/* A record; without a "-" a stop, at a conditional branch with what it is about to do. */
static struct branch record_from_row(void)
{
    const char *word = row_word();

    if (strchr(word, '-')) {
        struct transfer ends = ends_read(word);

        return (struct branch){ ends.from, ends.to, 0 };
    }
    struct branch stop = { BRANCH_UNKNOWN, end_read(&word, BACK), 0 };

    if (row_has("taken"))
        stop.info = STOP_TAKEN;
    else if (row_has("not-taken"))
        stop.info = STOP_NOT_TAKEN;
    return stop;
}

static void say_transfers(struct recorded *recorded)
{
    struct transfer t;

    while (recorded->source.next(&recorded->source, &t)) {
        char ends[60];

        ends_text(&t, ends, sizeof(ends));
        row_say("%s %s", kind_names[t.kind], ends);
    }
}

/*
 * transfers METHOD [again] RECORD ... = KIND FROM-TO ...: what its records mean on the code
 * above.  again: read twice.
 */
VERB(transfers)
{
    const struct method_facts *method = method_named(row_word());
    struct workload own = own_code();
    struct branch records[20];
    struct recorded recorded;
    bool again = row_has("again");
    size_t count = 0;

    while (!row_is_read() && count < 20)
        records[count++] = record_from_row();
    recorded_of(&recorded, records, count, method, &own, CODE, CALL);
    say_transfers(&recorded);
    recorded.source.rewind(&recorded.source);
    if (again)
        say_transfers(&recorded);
}

/* fused FROM-TO = FROM on a processor that fuses, and whether it was fused */
VERB(fused)
{
    struct branch record = record_from_row();
    struct workload own = own_code();
    struct recorded recorded;
    struct transfer t;

    recorded_of(&recorded, &record, 1, method_named("lbr"), &own, CODE, CALL);
    recorded_on(&recorded, &(struct model){ .lbr.fuses = true }, &(struct cpu_id){ 0 });
    recorded.source.next(&recorded.source, &t);
    row_say("%x %s", (unsigned)(t.from - CODE), recorded.fused ? "fused" : "alone");
}

static const uint8_t code[14] = { 0x90 };

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
