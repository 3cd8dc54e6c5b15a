// LINK: workloads everybranch
#include "tools/trace/calltree.c"

#include "traced_rows.h"

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

VERB(tree)
{
    static char text[2000];
    FILE *out = fmemopen(text, sizeof(text), "w");
    struct walk walk;

    walk_of(&walk, &t.log, &t.run);
    calltree_walk(&walk, NULL, print_step, out);
    walk_free(&walk);
    fclose(out);
    row_say("%s", text);
}

static void say_time(void *to, const struct call *call)
{
    uint64_t *end = to;

    if (call->step == CALL_ENTERED)
        row_say("%d ", (int)call->frame->began);
    *end = call->insns;
}

/* times = how many instructions had run when each frame was entered, and at the end */
VERB(times)
{
    struct walk walk;
    uint64_t end = 0;

    walk_of(&walk, &t.log, &t.run);
    calltree_walk(&walk, NULL, say_time, &end);
    walk_free(&walk);
    row_say("%d", (int)end);
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
