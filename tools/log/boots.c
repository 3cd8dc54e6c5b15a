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

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "words.h"

/* True if this has no beginning, and another stretch has all of its lines. */
static bool is_copy(const struct found *found, size_t which)
{
    const struct stretch *part = &found->stretches[which];
    bool copy = false;

    for (size_t i = 0; i < found->count && part->first > 1 && !copy; i++) {
        const struct stretch *whole = &found->stretches[i];
        size_t line = 0;

        if (i == which || whole->first > part->first ||
            part->next.chain.sequence > whole->next.chain.sequence ||
            (whole->first == part->first && whole->lines == part->lines && i > which))
            continue;
        while (line < part->lines &&
               part->checksums[line] == whole->checksums[part->first - whole->first + line])
            line++;
        copy = line == part->lines;
    }
    return copy;
}

/* True if the log of a stretch may go on with this one. */
static bool continues(const struct stretch *before, const struct stretch *stretch)
{
    return before->boot && before->goes_on == NO_STRETCH && !before->ended &&
           stretch->first > before->next.chain.sequence && !stretch->is_fork &&
           !stretch->hole.restart;
}

size_t boots_sort(struct found *found)
{
    size_t boots = 0;

    for (size_t i = 0; i < found->count; i++) {
        struct stretch *stretch = &found->stretches[i],
                       *before = stretch->after == NO_STRETCH
                                     ? NULL
                                     : &found->stretches[stretch->after];

        stretch->goes_on = NO_STRETCH;
        if (is_copy(found, i))
            continue;
        if (stretch->first > 1 && before && continues(before, stretch)) {
            before->goes_on = i;
            stretch->boot = before->boot;
        } else {
            stretch->boot = ++boots;
        }
    }
    return boots;
}

const struct stretch *boot_first(const struct found *found, size_t boot)
{
    const struct stretch *stretch = found->stretches;

    while (stretch->boot != boot)
        stretch++;
    return stretch;
}

const struct stretch *boot_next(const struct found *found, const struct stretch *stretch)
{
    return stretch->goes_on == NO_STRETCH ? NULL : &found->stretches[stretch->goes_on];
}

bool boots_whole(const struct found *found)
{
    bool any = false;

    for (size_t i = 0; i < found->count; i++) {
        const struct stretch *stretch = &found->stretches[i];

        if (stretch->boot && (stretch->first != 1 || !stretch->ended))
            return false;
        any |= stretch->boot;
    }
    return any;
}

static struct skipped skipped_of(const struct found *found, const struct stretch *stretch)
{
    struct skipped sum = { .least = (size_t)-1 };

    for (; stretch; stretch = boot_next(found, stretch)) {
        const struct skipped *s = &stretch->skipped;

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
    return sum;
}

static void put_prefixes(FILE *out, const struct skipped *s)
{
    const char *before = s->most == 1 ? "byte" : "bytes";

    if (!s->prefixed)
        return;
    if (s->prefixed == s->lines && s->least == s->most)
        fprintf(out, "; each line had %zu %s before it", s->most, before);
    else if (s->prefixed == s->lines)
        fprintf(out, "; each line had %zu to %zu bytes before it", s->least, s->most);
    else
        fprintf(out, "; %zu line%s had up to %zu %s before %s", s->prefixed,
                plural(s->prefixed), s->most, before, s->prefixed == 1 ? "it" : "them");
}

/* "; 3 repeated lines were skipped", unless there are none. */
static void put_lines(FILE *out, size_t count, const char *kind, const char *in,
                      const char *done)
{
    if (count)
        fprintf(out, "; %zu %sline%s %s%s %s", count, kind, plural(count), in,
                count == 1 ? "was" : "were", done);
}

char *boot_skipped(const struct found *found, const struct stretch *first, const char *view)
{
    const struct skipped sum = skipped_of(found, first);
    char *text = NULL, *sentence;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        out_of_memory();
    if (view)
        fprintf(out, "; %s", view);
    put_prefixes(out, &sum);
    if (sum.escaped)
        fprintf(out, "; bytes that are not text were taken out of %zu line%s", sum.escaped,
                plural(sum.escaped));
    put_lines(out, sum.joined, "", "in pieces ", "put together");
    put_lines(out, sum.repeated, "repeated ", "", "skipped");
    put_lines(out, sum.foreign, "foreign ", "", "skipped");
    fclose(out);
    sentence = size ? format_text("%s", text + strlen("; ")) : NULL;
    free(text);
    return sentence;
}
