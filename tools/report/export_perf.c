/*
 * Text as `perf script` prints it for samples with branch stacks (-F ip,sym,brstack), of
 * which llvm-profgen and BOLT make profiles.
 *
 * Methods record nothing about prediction, transactions or cycles, so those fields are
 * "-" and 0.
 */
#include <stdio.h>
#include <string.h>

#include "export.h"
#include "options.h"

#define STACK_MAX 32 /* branches in a sample: the depth of Skylake's stack */

static bool logged(const struct transfer *by)
{
    return by->from != BRANCH_UNKNOWN && by->to != BRANCH_UNKNOWN;
}

/* Returns the next transfer; *gap is true if what came before it is unknown. */
struct feed {
    struct export *e;
    struct range range;
    bool began, owed; /* owed: range.by of the first range is still to be returned */
};

static bool feed_next(struct feed *feed, struct transfer *out, bool *gap)
{
    *gap = false;
    if (feed->owed) { /* it led to the first range */
        feed->owed = false;
        *out = feed->range.by;
        return true;
    }
    for (;;) {
        if (!walk_next(&feed->e->walk, &feed->range))
            return false;
        *gap |= feed->range.gap != GAP_NONE && feed->range.gap != GAP_NO_CODE;
        if (!feed->began && logged(&feed->range.came)) {
            feed->began = true;
            feed->owed = logged(&feed->range.by);
            *out = feed->range.came;
            return true;
        }
        feed->began = true;
        *out = feed->range.by;
        if (logged(out))
            return true;
        *gap = true;
    }
}

/* Newest first. */
static void put_sample(struct export *e, const struct transfer *stack, size_t count,
                       bool names)
{
    const struct export_name *name;

    if (count == 0)
        return;
    name = export_name(e, stack[count - 1].to);
    fprintf(e->out, "%16llx", (unsigned long long)stack[count - 1].to);
    if (names)
        fprintf(e->out, " %.*s", (int)name->name, name->text);
    for (size_t i = count; i-- > 0;)
        fprintf(e->out, "%s0x%llx/0x%llx/-/-/-/0/", i + 1 == count ? " " : "  ",
                (unsigned long long)stack[i].from, (unsigned long long)stack[i].to);
    fputs("\n", e->out);
}

static void put_brstack(struct export *e)
{
    const char *fields = given_value(e->given, "fields");
    bool names = !fields || strcmp(fields, "ip,sym,brstack") == 0, gap;
    const bool uncut = given_has(e->given, "uncut");
    struct feed feed = { .e = e };
    struct transfer stack[STACK_MAX], next;
    size_t count = 0;

    while (feed_next(&feed, &next, &gap)) {
        if ((gap && !uncut) || count == STACK_MAX) {
            put_sample(e, stack, count, names);
            count = 0;
        }
        stack[count++] = next;
    }
    put_sample(e, stack, count, names);
}

const struct export_format export_brstack = { .run = put_brstack };
