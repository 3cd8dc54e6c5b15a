// LINK: workloads everybranch
#include "tools/judge/paths.c"

#include "test.h"

static struct events no_events = { .before_db = UINT64_MAX };

/* A path of transfers from N to N + 1; FROM is unknown where the number is negative. */
static struct path path_with(struct edges *edges, const int *numbers, size_t count)
{
    static struct transfer transfers[20000];
    struct transfer_list list;

    for (size_t i = 0; i < count; i++)
        transfers[i] = (struct transfer){ numbers[i] < 0 ? BRANCH_UNKNOWN
                                                         : 0x1000 + (uint64_t)numbers[i],
                                          0x1001 + (uint64_t)abs(numbers[i]), KIND_JMP };
    list = list_of(transfers, 0, count);
    return path_of(edges, &list.source);
}

static bool same_after(const int *a, const int *b, size_t count, uint64_t at)
{
    struct edges edges;
    struct path one, other;
    bool same;

    edges_begin(&edges, &no_events);
    one = path_with(&edges, a, count);
    other = path_with(&edges, b, count);
    one.at = other.at = at;
    same = paths_same(&edges, &one, &other);
    path_free(&one);
    path_free(&other);
    edges_free(&edges);
    return same;
}

TEST(paths_are_the_same_transfer_by_transfer)
{
    CHECK(same_after((int[]){ 1, 2, 1 }, (int[]){ 1, 2, 1 }, 3, 0));
    CHECK(!same_after((int[]){ 1, 2, 1 }, (int[]){ 1, 2, 2 }, 3, 0));
    CHECK(!same_after((int[]){ 3, 2, 1 }, (int[]){ 1, 2, 1 }, 3, 0));
    CHECK(same_after((int[]){ 3, 2, 1 }, (int[]){ 1, 2, 1 }, 3, 1));
}

TEST(an_unknown_from_equals_any)
{
    CHECK(same_after((int[]){ 1, -2, 1 }, (int[]){ 1, 2, -1 }, 3, 0));
    CHECK(!same_after((int[]){ 1, -2, 1 }, (int[]){ 1, 3, 1 }, 3, 0));
}

TEST(each_of_many_transfers_keeps_its_number)
{
    static int numbers[20000];
    struct edges edges;
    struct path path;
    struct transfer_list list;
    bool all_right = true;

    for (int i = 0; i < 20000; i++)
        numbers[i] = i / 2 + 1;
    edges_begin(&edges, &no_events);
    path = path_with(&edges, numbers, 20000);
    CHECK(edges.count == 10000);
    list = path_list(&edges, &path);
    CHECK(list.end == 20000);
    for (int i = 0; i < 20000; i++)
        all_right &= list.of[i].from == 0x1001u + (unsigned)i / 2;
    CHECK(all_right);
    list_free(&list);
    path_free(&path);
    edges_free(&edges);
}
