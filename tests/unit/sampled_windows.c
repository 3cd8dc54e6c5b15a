// LINK: common/expected/check.c common/expected/visible.c common/branch/decode.c
// LINK: common/facts/model.c common/branch/pack.c common/facts/info.c common/log/portable.c
// LINK: common/facts/filter.c common/base/text.c common/branch/workload.c
// LINK: common/expected/record_filter.c common/facts/method_facts.c
// LINK: common/expected/expected.c common/facts/skip_code.c
#include "common/expected/sampled_windows.c"

#include "common/base/count_of.h"
#include "rows.h"

/* An expected trace: in, a jump, four times round a loop, a call and its return, out. */
static const struct transfer way[] = {
    { 0x10, 0x100, KIND_ICALL },  { 0x108, 0x110, KIND_JMP }, { 0x114, 0x110, KIND_JCC },
    { 0x114, 0x110, KIND_JCC },   { 0x114, 0x110, KIND_JCC }, { 0x114, 0x110, KIND_JCC },
    { 0x118, 0x180, KIND_ICALL }, { 0x188, 0x11c, KIND_RET }, { 0x120, 0x12, KIND_RET },
};
#define ROUND way[2]
#define OUT   way[8]

struct list {
    struct source source;
    const struct transfer *at;
    size_t count, given;
};

static bool next(struct source *source, struct transfer *out)
{
    struct list *list = (struct list *)source;

    if (list->given == list->count)
        return false;
    *out = list->at[list->given++];
    return true;
}

static void again(struct source *source)
{
    ((struct list *)source)->given = 0;
}

/* A transfer of a row, or of the trace above: f and t have a wrong FROM and a wrong TO. */
static const struct {
    char letter;
    struct transfer transfer;
} letters[] = {
    { 'i', { 0x10, 0x100, KIND_ICALL } },
    { 'j', { 0x108, 0x110, KIND_JMP } },
    { 'r', { 0x114, 0x110, KIND_JCC } },
    { 'c', { 0x118, 0x180, KIND_ICALL } },
    { 'b', { 0x188, 0x11c, KIND_RET } },
    { 'o', { 0x120, 0x12, KIND_RET } },
    { 'f', { 0x109, 0x110, KIND_JMP } },
    { 't', { 0x108, 0x111, KIND_JMP } },
    { '.', { BRANCH_MISSING, BRANCH_UNKNOWN, KIND_NONE } },
};

static struct transfer of_letter(char letter)
{
    for (size_t i = 0; i < COUNT_OF(letters); i++)
        if (letters[i].letter == letter)
            return letters[i].transfer;
    row_fails("%c: no such transfer", letter);
    return OUT;
}

static char letter_of(const struct transfer *t)
{
    for (size_t i = 0; i < COUNT_OF(letters); i++)
        if (letters[i].transfer.from == t->from && letters[i].transfer.to == t->to)
            return letters[i].letter;
    return '?';
}

/* Reads the size of a segment and the records, "-" for none. */
static struct sampled_result checked(uint64_t may_be_short)
{
    struct transfer got[40];
    size_t size = row_number(), count = 0;
    struct list records = { { next, again }, got, 0, 0 };
    struct list expected = { { next, again }, way, COUNT_OF(way), 0 };

    for (const char *at = row_word(); *at && *at != '-'; at++)
        got[count++] = of_letter(*at);
    records.count = count;
    return sampled_windows_check(&records.source, &expected.source, size, may_be_short);
}

static void say_segments(struct sampled_result found)
{
    row_say("%d full %d rest %d%s", (int)found.pieces, (int)found.full, (int)found.rest,
            found.wrong ? " then a wrong one" : "");
}

/* segments SIZE RECORDS = how many there are that are right, full ones, and records of the
 * rest */
VERB(segments)
{
    say_segments(checked(0));
}

/* shortened NUMBER SIZE RECORDS = the same, where as many segments may be short */
VERB(shortened)
{
    const uint64_t may_be_short = row_number();

    say_segments(checked(may_be_short));
}

/* wrong SIZE RECORDS = the wrong record's index, its number in its segment, and why */
VERB(wrong)
{
    struct sampled_result found = checked(0);

    row_say("%d number %d ", (int)found.index, (int)found.number);
    if (!found.wrong)
        row_fails("it is right");
    else if (found.early)
        row_say("early");
    else if (found.too_long)
        row_say("too long");
    else if (found.ended)
        row_say("got %c at the end", letter_of(&found.got));
    else
        row_say("got %c want %c", letter_of(&found.got), letter_of(&found.want));
    row_say(found.nowhere ? " nowhere" : "");
}
