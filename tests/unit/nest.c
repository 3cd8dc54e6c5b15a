// LINK: workloads everybranch
#include "tools/trace/nest.c"

#include <stdio.h>

#include "rows.h"

/*
 * Blocks as letters, loops as 3(ab).  What was given is written to text[].
 */
static char text[20000];
static size_t length;

static void write_node(void *to, const struct node *node)
{
    (void)to;
    if (!node->body) {
        text[length++] = (char)node->block.first;
        return;
    }
    length += (size_t)sprintf(text + length, "%d(", (int)node->times);
    for (size_t i = 0; i < node->length; i++)
        write_node(NULL, &node->body[i]);
    text[length++] = ')';
}

static const char *folded(const char *letters)
{
    struct nest nest;

    length = 0;
    nest_begin(&nest, write_node, NULL);
    for (; *letters; letters++)
        nest_add(&nest, &(struct block){ .first = (uint64_t)*letters, .insns = 1 });
    nest_end(&nest);
    text[length] = 0;
    return text;
}

/* nest BLOCKS = the same with its loops; no BLOCKS: nothing */
VERB(nest)
{
    row_say("%s", folded(row_word()));
}

TEST(blocks_that_differ_in_their_end_differ)
{
    struct nest nest;
    struct block one = { .first = 'a', .insns = 1, .by = { 1, 2, KIND_JCC } }, other = one;

    other.by.to = 3;
    length = 0;
    nest_begin(&nest, write_node, NULL);
    nest_add(&nest, &one);
    nest_add(&nest, &other);
    nest_add(&nest, &other);
    other.gap = GAP_UNRECORDED;
    nest_add(&nest, &other);
    nest_end(&nest);
    text[length] = 0;
    CHECK_TEXT(text, "a2(a)a");
}

/* Unfolds what folded() wrote, at *at, to `out`. */
static char *unfolded(const char **at, char *out)
{
    while (**at && **at != ')') {
        if (**at < '0' || **at > '9') {
            *out++ = *(*at)++;
            continue;
        }
        int times = 0;
        const char *body = *at;
        for (; *body != '('; body++)
            times = times * 10 + *body - '0';
        for (*at = body + 1; times > 0; times--) {
            *at = body + 1;
            out = unfolded(at, out);
        }
        (*at)++;
    }
    return out;
}

TEST(unfolding_gives_what_was_folded)
{
    static char letters[5001], again[5001];
    unsigned long long state = 9;
    bool right = true;

    for (int round = 0; round < 300 && right; round++) {
        size_t size = test_random(&state) % 5000;
        unsigned few = 1 + (unsigned)(test_random(&state) % 4);
        const char *at;

        for (size_t i = 0; i < size; i++) {
            size_t back = 1 + test_random(&state) % 9;
            bool repeat = i > 20 && test_random(&state) % 8;

            letters[i] =
                repeat ? letters[i - back] : (char)('a' + test_random(&state) % few);
        }
        letters[size] = 0;
        at = folded(letters);
        *unfolded(&at, again) = 0;
        right = strcmp(letters, again) == 0;
    }
    CHECK(right);
}

/* They come out again in order: `given` has the same random numbers once more. */
TEST(memory_does_not_grow_with_what_never_repeats)
{
    struct nest nest;
    unsigned long long state = 5, given = 5;

    nest_begin(&nest, write_node, NULL);
    for (int i = 0; i < 100000; i++) {
        length = 0;
        nest_add(&nest, &(struct block){ .first = test_random(&state) >> 3, .insns = 1 });
        CHECK(nest.end - nest.begin <= 2 * NEST_REACH + 1 && nest.end <= nest.capacity);
        for (size_t j = 0; j < length; j++)
            CHECK(text[j] == (char)(test_random(&given) >> 3));
    }
    length = 0;
    nest_end(&nest);
}
