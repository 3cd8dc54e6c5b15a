/*
 * Counts of what was found, and the first few of each as sentences.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "audit.h"
#include "heap.h"
#include "words.h"

/* Counts a flaw, and opens one more example to write, or returns NULL: there are enough. */
static FILE *count(struct audit *audit, enum flaw flaw, uint64_t times)
{
    struct found *found = &audit->found[flaw];
    FILE *example;
    size_t i = 0;

    add_up(&found->count, times);
    while (i < EXAMPLES && found->examples[i])
        i++;
    if (i == EXAMPLES)
        return NULL;
    example = open_memstream(&found->examples[i], &found->length);
    if (!example)
        out_of_memory();
    return example;
}

/* "main+0x5 (0x4005b0)": the name, and the address as it was printed. */
static void put_end(FILE *out, const struct audit *audit, uint64_t place, uint64_t printed)
{
    if (printed == TRACED_UNNAMED) {
        fputs("?", out);
        return;
    }
    place_put(out, &audit->images, place);
    if (place_is_code(&audit->images, place) && printed != place)
        fprintf(out, " (0x%" PRIx64 ")", printed);
}

void found_branch(struct audit *audit, enum flaw flaw, const struct judged *judged,
                  size_t position, uint64_t times)
{
    FILE *out = count(audit, flaw, times);

    if (!out)
        return;
    fprintf(out, "%s:%zu: branch %zu: ", audit->file, audit->line, position + 1);
    put_end(out, audit, judged->from, judged->branch->from);
    fputs(" -> ", out);
    put_end(out, audit, judged->to, judged->branch->to);
    if (flaw == FOUND_SHIFTED || flaw == FOUND_FUSED)
        fprintf(out, ": the branch is %d byte%s %s", abs(judged->shift),
                plural((unsigned)abs(judged->shift)),
                judged->shift < 0 ? "before" : "after");
    if (flaw == FOUND_WRONG_TO) {
        fputs(": its target is ", out);
        place_put(out, &audit->images, judged->led);
    }
    fclose(out);
}

void found_pair(struct audit *audit, enum flaw flaw, const struct judged *older,
                const struct judged *newer, size_t position)
{
    FILE *out = count(audit, flaw, newer->branch->times);

    if (!out)
        return;
    fprintf(out, "%s:%zu: branch %zu at ", audit->file, audit->line, position + 1);
    put_end(out, audit, newer->from, newer->branch->from);
    fputs(", after one to ", out);
    put_end(out, audit, older->to, older->branch->to);
    fclose(out);
}

void found_in_stream(struct audit *audit, enum flaw flaw, uint64_t offset, uint64_t from,
                     const char *why)
{
    FILE *out = count(audit, flaw, 1);

    if (!out)
        return;
    fprintf(out, "%s: byte 0x%" PRIx64, audit->file, offset);
    if (from != UINT64_MAX) {
        fputs(", after ", out);
        put_end(out, audit, maps_place(&audit->maps, 0, from), from);
    }
    fprintf(out, ": %s", why);
    fclose(out);
}

bool audit_compared(const struct audit *audit)
{
    for (size_t i = 0; i < audit->maps.shut_count; i++)
        if (audit->maps.shut[i].branches ||
            audit->left_out[LEFT_UNNAMED]) /* it may have the name */
            return false;
    return audit->images.count > 0;
}

uint64_t broken_of(const struct audit *audit, enum audit_rule rule)
{
    uint64_t broken = 0;

    if (rule == RULE_STRAIGHT) /* the flaw of such a pair may be of another rule */
        return audit->broken_pairs;
    for (enum flaw i = 0; i < FLAWS; i++)
        if (flaw_rows[i].rule == rule)
            add_up(&broken, audit->found[i].count);
    return broken;
}

enum weight worst_found(const struct audit *audit)
{
    enum weight worst = WEIGHT_SOFTWARE;

    for (enum flaw i = 0; i < FLAWS; i++)
        if (audit->found[i].count && flaw_weight(i, audit->model) > worst)
            worst = flaw_weight(i, audit->model);
    return worst;
}
