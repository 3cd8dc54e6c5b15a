/*
 * The newest nodes are compared with those before them: they are one more iteration of the
 * loop there, or the second of two iterations that make a new loop.
 *
 * A loop that may still continue never equals one that is over: it is left alone until a
 * block comes that does not begin its body.
 */
#include "nest.h"

#include <stdlib.h>
#include <string.h>

#include "heap.h"

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const struct node *node)
{
    const struct block *block = &node->block;
    uint64_t hash = mix(node->length + 1, node->times);

    for (size_t i = 0; i < node->length; i++)
        hash = mix(hash, node->body[i].hash);
    if (node->body)
        return hash;
    hash = mix(mix(mix(hash, block->first), block->last), block->insns);
    hash = mix(mix(hash, block->by.from), block->by.to);
    return mix(mix(hash, block->by.kind), (uint64_t)block->gap * 2 + block->goes_on);
}

static bool same_block(const struct block *a, const struct block *b)
{
    return a->first == b->first && a->last == b->last && a->insns == b->insns &&
           a->by.from == b->by.from && a->by.to == b->by.to && a->by.kind == b->by.kind &&
           a->goes_on == b->goes_on && a->gap == b->gap;
}

static bool same_nodes(const struct node *a, const struct node *b, size_t length);

static bool same(const struct node *a, const struct node *b)
{
    if (a->hash != b->hash || a->times != b->times || a->length != b->length)
        return false;
    if (!a->body || !b->body)
        return !a->body && !b->body && same_block(&a->block, &b->block);
    return same_nodes(a->body, b->body, a->length);
}

/* From the last on: that is where bodies differ first. */
static bool same_nodes(const struct node *a, const struct node *b, size_t length)
{
    for (size_t i = length; i > 0; i--)
        if (!same(&a[i - 1], &b[i - 1]))
            return false;
    return true;
}

static void free_nodes(struct node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i].body) {
            free_nodes(nodes[i].body, nodes[i].length);
            free(nodes[i].body);
        }
}

static void drop(struct nest *nest, size_t count)
{
    nest->end -= count;
    free_nodes(nest->nodes + nest->end, count);
}

/* The newest `length` nodes are one more round of the loop before them. */
static bool goes_round(struct nest *nest, size_t length)
{
    struct node *loop;

    if (nest->end - nest->begin <= length)
        return false;
    loop = &nest->nodes[nest->end - length - 1];
    if (!loop->body || loop->length != length || !same_nodes(loop->body, loop + 1, length))
        return false;
    drop(nest, length);
    loop->times++;
    loop->hash = hash_of(loop);
    return true;
}

/* True if the newest `length` nodes equal those before them. */
static bool repeats(struct nest *nest, size_t length)
{
    struct node *first, loop = { .length = length, .times = 2 };

    if (nest->end - nest->begin < 2 * length)
        return false;
    first = &nest->nodes[nest->end - 2 * length];
    if (!same_nodes(first, first + length, length))
        return false;
    loop.body = zeroed(length, sizeof(*loop.body));
    memcpy(loop.body, first, length * sizeof(*loop.body));
    loop.hash = hash_of(&loop);
    drop(nest, length);
    nest->end -= length - 1; /* these are the body now */
    *first = loop;
    return true;
}

static bool fold_once(struct nest *nest)
{
    for (size_t length = 1; length <= NEST_REACH; length++)
        if (goes_round(nest, length) || repeats(nest, length))
            return true;
    return false;
}

static const struct node *first_leaf(const struct node *node)
{
    while (node->body)
        node = node->body;
    return node;
}

static bool is_empty(const struct nest *nest)
{
    return nest->end == nest->begin;
}

static const struct node *newest(const struct nest *nest)
{
    return &nest->nodes[nest->end - 1];
}

static void give_oldest(struct nest *nest)
{
    nest->give(nest->to, &nest->nodes[nest->begin]);
    free_nodes(&nest->nodes[nest->begin], 1);
    nest->begin++;
}

/* Room for one more; what is too old to fold is given away. */
static void make_space(struct nest *nest)
{
    if (nest->end - nest->begin > 2 * NEST_REACH)
        give_oldest(nest);
    if (nest->end < nest->capacity)
        return;
    memmove(nest->nodes, nest->nodes + nest->begin,
            (nest->end - nest->begin) * sizeof(*nest->nodes));
    nest->end -= nest->begin;
    nest->begin = 0;
}

void nest_begin(struct nest *nest, void (*give)(void *, const struct node *), void *to)
{
    *nest = (struct nest){ .capacity = 8 * NEST_REACH, .give = give, .to = to };
    nest->nodes = zeroed(nest->capacity, sizeof(*nest->nodes));
}

void nest_add(struct nest *nest, const struct block *block)
{
    struct node leaf = { .block = *block, .times = 1 };

    leaf.hash = hash_of(&leaf);
    while (!is_empty(nest) && newest(nest)->body &&
           !same(first_leaf(newest(nest)), &leaf) && fold_once(nest))
        ;
    make_space(nest);
    nest->nodes[nest->end++] = leaf;
    while (!newest(nest)->body && fold_once(nest))
        ;
}

void nest_end(struct nest *nest)
{
    while (fold_once(nest))
        ;
    while (!is_empty(nest))
        give_oldest(nest);
    free(nest->nodes);
}
