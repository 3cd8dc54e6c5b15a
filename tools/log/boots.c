/*
 * Which stretches are of one log.
 *
 * A stretch that does not begin a log may go on with the one before it, after lost lines.
 * No checksum ties the two together, so it is asked what else may have happened: the
 * machine may have started again between them, and the beginning of the second log be
 * lost.  Then the numbers would have begun again at 1.  So the numbers must go on, and
 * almost every number between must have been seen where it is missing (parse.c refuses to
 * judge what follows too large a hole).
 *
 * Lines without a beginning that another log has too are a copy of a part of it.  Others
 * are a log of their own, of which no run can be judged.
 */
#include "boots.h"

#include <stdlib.h>

#include "heap.h"
#include "words.h"

static void add(struct boot *boot, size_t stretch)
{
    boot->stretches =
        grow(boot->stretches, &boot->capacity, boot->count, sizeof(*boot->stretches));
    boot->stretches[boot->count++] = stretch;
}

static struct boot *new_boot(struct boots *boots, bool headless)
{
    boots->at = grow(boots->at, &boots->capacity, boots->count, sizeof(*boots->at));
    boots->at[boots->count] = (struct boot){ .headless = headless };
    return &boots->at[boots->count++];
}

/* The log that this stretch continues, or NULL. */
static struct boot *continued(struct boots *boots, const struct stretch *all,
                              const struct stretch *stretch)
{
    for (size_t i = boots->count; i > 0; i--) {
        struct boot *boot = &boots->at[i - 1];
        const size_t last = boot->stretches[boot->count - 1];
        const struct stretch *before = &all[last];

        if (last == stretch->after && !before->ended &&
            stretch->first > before->chain.sequence)
            return boot;
    }
    return NULL;
}

/* True if this has no beginning, and another stretch has all of its lines. */
static bool is_copy(const struct stretch *all, size_t count, size_t which)
{
    const struct stretch *part = &all[which];
    bool copy = false;

    for (size_t i = 0; i < count && part->first > 1 && !copy; i++) {
        const struct stretch *whole = &all[i];
        size_t line = 0;

        if (i == which || whole->first > part->first ||
            part->chain.sequence > whole->chain.sequence ||
            (whole->first == part->first && whole->lines == part->lines && i > which))
            continue;
        while (line < part->lines &&
               part->checksums[line] == whole->checksums[part->first - whole->first + line])
            line++;
        copy = line == part->lines;
    }
    return copy;
}

void boots_of(struct boots *boots, const struct finder *finder)
{
    size_t count;
    const struct stretch *all = finder_stretches(finder, &count);

    *boots = (struct boots){ 0 };
    for (size_t i = 0; i < count; i++) {
        struct boot *boot = all[i].first == 1 ? NULL : continued(boots, all, &all[i]);

        if (is_copy(all, count, i))
            continue;
        if (boot && !all[i].is_fork && !all[i].hole.restart)
            add(boot, i);
        else
            add(new_boot(boots, all[i].first != 1), i);
    }
}

void boots_free(struct boots *boots)
{
    for (size_t i = 0; i < boots->count; i++)
        free(boots->at[i].stretches);
    free(boots->at);
    *boots = (struct boots){ 0 };
}

bool boots_whole(const struct boots *boots, const struct finder *finder)
{
    size_t count;
    const struct stretch *all = finder_stretches(finder, &count);

    for (size_t i = 0; i < boots->count; i++)
        if (boots->at[i].headless || boots->at[i].count != 1 ||
            !all[boots->at[i].stretches[0]].ended)
            return false;
    return boots->count > 0;
}

/* The parts of the sentence. */

static char *and_also(char *before, char *more)
{
    char *text = before ? format_text("%s; %s", before, more) : format_text("%s", more);

    free(before);
    free(more);
    return text;
}

static char *prefix_text(const struct skipped *s)
{
    const char *before = s->most == 1 ? "byte" : "bytes";

    if (s->prefixed == s->lines && s->least == s->most)
        return format_text("each line had %zu %s before it", s->most, before);
    if (s->prefixed == s->lines)
        return format_text("each line had %zu to %zu bytes before it", s->least, s->most);
    return format_text("%zu line%s had up to %zu %s before %s", s->prefixed,
                       plural(s->prefixed), s->most, before,
                       s->prefixed == 1 ? "it" : "them");
}

char *boot_skipped(const struct boot *boot, const struct finder *finder)
{
    size_t count;
    const struct stretch *all = finder_stretches(finder, &count);
    struct skipped sum = { .least = (size_t)-1 };
    char *text = NULL;

    for (size_t i = 0; i < boot->count; i++) {
        const struct skipped *s = &all[boot->stretches[i]].skipped;

        sum.lines += s->lines;
        sum.prefixed += s->prefixed;
        if (s->lines && s->least < sum.least)
            sum.least = s->least;
        sum.most = s->most > sum.most ? s->most : sum.most;
        sum.joined += s->joined;
        sum.foreign += s->foreign;
        sum.repeated += s->repeated;
        sum.escaped += s->escaped;
    }
    if (sum.prefixed)
        text = and_also(text, prefix_text(&sum));
    if (sum.escaped)
        text = and_also(text,
                        format_text("bytes that are no text were taken out of %zu line%s",
                                    sum.escaped, plural(sum.escaped)));
    if (sum.joined)
        text = and_also(text,
                        format_text("%zu line%s in pieces %s put together", sum.joined,
                                    plural(sum.joined), sum.joined == 1 ? "was" : "were"));
    if (sum.repeated)
        text = and_also(text, format_text("%zu repeated line%s %s skipped", sum.repeated,
                                          plural(sum.repeated),
                                          sum.repeated == 1 ? "was" : "were"));
    if (sum.foreign)
        text = and_also(text, format_text("%zu foreign line%s %s skipped", sum.foreign,
                                          plural(sum.foreign),
                                          sum.foreign == 1 ? "was" : "were"));
    return text;
}
