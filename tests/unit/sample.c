// LINK: common/expected/check.c common/expected/visible.c common/branch/decode.c
// LINK: common/facts/model.c common/branch/pack.c common/facts/info.c common/log/portable.c
// LINK: common/facts/filter.c common/base/text.c common/branch/workload.c
// LINK: common/expected/record_filter.c common/facts/pmu.c common/facts/method_facts.c
// LINK: common/expected/expected.c common/facts/skip_code.c
#include "common/expected/sample.c"

#include "traces.h"

static struct expected expected;
static struct workload traced;

#define NEAR_KINDS \
    (COUNTS(KIND_JCC) | COUNTS(KIND_JMP) | COUNTS(KIND_ICALL) | COUNTS(KIND_RET))

/* Reads "every PERIOD", after which may come "held" (IF may be 0), or "uncounted". */
static struct sampling sampling_from_row(void)
{
    struct sampling how = { .counts = NEAR_KINDS, .prompt = true, .period = 9 };

    traced = trace_workload();
    expected_of(&expected, &traced, CODE, CALL, BACK, NULL);
    if (row_has("uncounted"))
        return how;
    if (!row_has("every"))
        row_fails("neither every nor uncounted");
    how.countable = true;
    how.period = row_number();
    how.prompt = !row_has("held");
    return how;
}

/* Where it stopped, and "+N" if the stop came N events late. */
static struct branch stop_from_row(void)
{
    const char *at = row_word();
    uint64_t to = end_read(&at, BACK);

    return (struct branch){ BRANCH_UNKNOWN, to, *at == '+' ? strtoull(at, NULL, 10) : 0 };
}

static struct sample_result checked(void)
{
    struct sampling how = sampling_from_row();
    struct branch stops[20];
    size_t count = 0;

    while (!row_is_read() && count < 20)
        stops[count++] = stop_from_row();
    return sample_check(stops, count, &expected.source, &how);
}

/* stops every PERIOD|uncounted STOP[+LATE] ... = right, or wrong and which is, from 0 */
VERB(stops)
{
    struct sample_result found = checked();

    if (found.wrong)
        row_say("wrong %d", (int)found.index);
    else
        row_say("right");
}

/* used ... = how many transfers come before the last stop, and how many count */
VERB(used)
{
    struct sample_result found = checked();

    row_say("%d of %d", (int)found.used, (int)found.transfers);
}

/* wrong ... = where the stop was, and the transfer after which it should be, or its end */
VERB(wrong)
{
    struct sample_result found = checked();
    char ends[60];

    ends_text(&found.after, ends, sizeof(ends));
    row_say("%x not after %s", (unsigned)(found.got - CODE),
            found.ended ? "the end" : ends);
}

/* number ... = that transfer's number, of those that count */
VERB(number)
{
    row_say("%d", (int)checked().number);
}

/* overflows every PERIOD = the transfers at which the counter overflows */
VERB(overflows)
{
    struct sampling how = sampling_from_row();
    struct sampled sampled;
    struct transfer t;

    sampled_of(&sampled, &expected.source, &how);
    while (sampled.source.next(&sampled.source, &t)) {
        char ends[60];

        ends_text(&t, ends, sizeof(ends));
        row_say("%s", ends);
    }
}
