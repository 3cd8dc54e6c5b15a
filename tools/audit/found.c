/*
 * Counts of what was found, and the first few of each as sentences.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "audit.h"
#include "heap.h"
#include "words.h"

/* Counts a flaw, and returns where its example goes, or NULL: there are enough. */
static char **count(struct audit *audit, enum flaw flaw, uint64_t times)
{
    struct found *found = &audit->found[flaw];
    char **example = NULL;

    for (size_t i = 0; i < EXAMPLES && !example; i++)
        if (!found->examples[i])
            example = &found->examples[i];
    found->count += times;
    return example;
}

/* "main+0x5 (0x4005b0)": the name, and the address as it was printed. */
static char *end_text(const struct audit *audit, uint64_t place, uint64_t printed)
{
    char *name = place_name(&audit->images, place), *text;

    if (printed == TRACED_UNNAMED)
        text = format_text("?");
    else if (!place_is_code(&audit->images, place) || printed == place)
        text = format_text("%s", name);
    else
        text = format_text("%s (0x%" PRIx64 ")", name, printed);
    free(name);
    return text;
}

static char *branch_text(const struct audit *audit, const struct judged *judged)
{
    char *from = end_text(audit, judged->from, judged->branch->from);
    char *to = end_text(audit, judged->to, judged->branch->to);
    char *text = format_text("%s -> %s", from, to);

    free(from);
    free(to);
    return text;
}

/* Adds to an example what its row cannot say: ": the branch is 1 byte before". */
static char *detail(const struct audit *audit, enum flaw flaw, const struct judged *judged)
{
    int shift = judged->shift;
    char *name, *text;

    switch (flaw) {
    case FOUND_SHIFTED:
    case FOUND_FUSED:
        return format_text(": the branch is %d byte%s %s", abs(shift),
                           plural((unsigned)abs(shift)), shift < 0 ? "before" : "after");
    case FOUND_WRONG_TO:
        name = place_name(&audit->images, judged->led);
        text = format_text(": its target is %s", name);
        free(name);
        return text;
    default:
        return format_text("%s", "");
    }
}

void found_branch(struct audit *audit, enum flaw flaw, const struct judged *judged,
                  size_t position)
{
    char **example = count(audit, flaw, judged->branch->times), *branch, *more;

    if (!example)
        return;
    branch = branch_text(audit, judged);
    more = detail(audit, flaw, judged);
    *example = format_text("%s:%zu: branch %zu: %s%s", audit->file, audit->line,
                           position + 1, branch, more);
    free(branch);
    free(more);
}

void found_pair(struct audit *audit, enum flaw flaw, const struct judged *older,
                const struct judged *newer, size_t position)
{
    char **example = count(audit, flaw, newer->branch->times), *to, *from;

    if (!example)
        return;
    to = end_text(audit, older->to, older->branch->to);
    from = end_text(audit, newer->from, newer->branch->from);
    *example = format_text("%s:%zu: branch %zu at %s, after one to %s", audit->file,
                           audit->line, position + 1, from, to);
    free(to);
    free(from);
}

void found_in_stream(struct audit *audit, enum flaw flaw, uint64_t offset, uint64_t from,
                     const char *why)
{
    char **example = count(audit, flaw, 1), *at;

    if (!example)
        return;
    if (from == UINT64_MAX) {
        *example = format_text("%s: byte 0x%" PRIx64 ": %s", audit->file, offset, why);
        return;
    }
    at = end_text(audit, maps_place(&audit->maps, 0, from), from);
    *example =
        format_text("%s: byte 0x%" PRIx64 ", after %s: %s", audit->file, offset, at, why);
    free(at);
}

bool audit_compared(const struct audit *audit)
{
    for (size_t i = 0; i < audit->maps.shut_count; i++)
        if (audit->maps.shut[i].branches || audit->unnamed) /* it may have the name */
            return false;
    return audit->images.count > 0;
}

uint64_t broken_of(const struct audit *audit, enum audit_rule rule)
{
    uint64_t broken = 0;

    if (rule == RULE_STRAIGHT) /* the flaw of such a pair may be of another rule */
        return audit->broken_pairs;
    for (size_t i = 0; i < FLAWS; i++)
        broken += flaw_rows[i].rule == rule ? audit->found[i].count : 0;
    return broken;
}

enum weight worst_found(const struct audit *audit)
{
    enum weight worst = WEIGHT_SOFTWARE;

    for (size_t i = 0; i < FLAWS; i++)
        if (audit->found[i].count && flaw_weight((enum flaw)i, audit->model) > worst)
            worst = flaw_weight((enum flaw)i, audit->model);
    return worst;
}
